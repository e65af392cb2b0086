// A training loop that `orrery convert` has written as a trace.
#pragma once

#include "study/run/workload.hpp"
#include "workload/chakra/conversion/graph_trace.hpp"

namespace orrery::core {

class RecordedWorkload final : public Workload {
 public:
  explicit RecordedWorkload(chakra::RecordedGraph recorded) : recorded_(std::move(recorded)) {}

  RunKind kind(const RunSpec& /*spec*/) const override { return RunKind::collectives; }
  std::size_t size() const override { return recorded_.graph.size(); }
  std::optional<int> passes() const override { return recorded_.passes; }
  std::string work() const override { return recorded_.file; }
  void prepare(const RunSpec& spec, RunResult& result, Warnings& warnings) const override;

 private:
  chakra::RecordedGraph recorded_;
};

}  // namespace orrery::core
