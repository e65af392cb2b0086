// A program that `orrery convert` has written as a set of traces, one for each rank.
#pragma once

#include <string>
#include <utility>

#include "study/run/workload.hpp"
#include "workload/chakra/conversion/program_traces.hpp"

namespace orrery::core {

class ProgramTracesWorkload final : public Workload {
 public:
  // The program is located at the place where the traces are named.
  explicit ProgramTracesWorkload(chakra::RecordedProgram recorded) : recorded_(std::move(recorded)) {}

  RunKind kind(const RunSpec& /*spec*/) const override { return RunKind::pipeline; }
  std::size_t size() const override;
  std::optional<int> passes() const override { return recorded_.passes; }
  std::string work() const override { return recorded_.program.where.file; }
  void prepare(const RunSpec& spec, RunResult& result, Warnings& warnings) const override;

 private:
  chakra::RecordedProgram recorded_;
};

}  // namespace orrery::core
