#include "study/workloads/transformer/training_step.hpp"

#include <memory>
#include <utility>

#include "study/run/run.hpp"
#include "study/workloads/transformer/transformer_workload.hpp"

namespace orrery::core {

TrainingResult simulate_training_step(const TrainingSetup& setup) {
  RunSpec run;
  run.workload = std::make_shared<const TransformerWorkload>(setup);
  run.allow_out_of_memory = true;
  Warnings none;
  return training_result_of(carry_out(run, none));
}

}  // namespace orrery::core
