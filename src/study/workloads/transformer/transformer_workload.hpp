// A transformer's training step, on a platform, or on the platform's devices and a network that the user
// describes.
#pragma once

#include <utility>

#include "report/training/training_result.hpp"
#include "study/run/workload.hpp"
#include "workload/training/training_setup.hpp"

namespace orrery::core {

class TransformerWorkload final : public Workload {
 public:
  explicit TransformerWorkload(TrainingSetup setup) : setup_(std::move(setup)) {}

  const TrainingSetup& setup() const { return setup_; }

  RunKind kind(const RunSpec& spec) const override;
  std::string work() const override;
  std::size_t size() const override { return 1; }
  void complete(Machine& machine) const override;
  void prepare(const RunSpec& spec, RunResult& result, Warnings& warnings) const override;
  void conclude(const RunSpec& spec, RunResult& result) const override;
  bool has_measured_kin(const RunSpec& /*spec*/) const override { return true; }
  Summary summary(const RunSpec& spec, const RunResult& result) const override;
  NamedRows parts_table(const RunResult& result, const Summary& summary) const override;
  std::unique_ptr<ComputedWork> computed_work(const RunSpec& spec, const RunResult& result) const override;
  std::vector<PartMemory> memory_history(const RunResult& result) const override;
  std::string explanation(const RunSpec& spec, const RunResult& result) const override;

 private:
  TrainingSetup setup_;
};

// Returns the training as it runs on the run's machine. On a network of one's own, collectives are as the
// system has them: those of its library on the network, or messages. Throws InputError when the library does
// not know such a network.
TrainingSetup training_on_machine(TrainingSetup setup, const RunSpec& spec);

// `result` is that of a run of such a workload.
const TrainingResult& training_result_of(const RunResult& result);
// Returns the training of a run's transformer, or null if the run trains none.
const TrainingSetup* training_of(const RunSpec& spec);

}  // namespace orrery::core
