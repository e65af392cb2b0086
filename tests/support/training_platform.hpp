// The machine on which a training without a network of its own runs.
#pragma once

#include <memory>

#include "study/run/run.hpp"
#include "study/workloads/transformer/transformer_workload.hpp"

namespace orrery::core::test {

inline Machine platform_of(const TrainingSetup& setup) {
  RunSpec run;
  run.workload = std::make_shared<const TransformerWorkload>(setup);
  Warnings none;
  return machine_of(run, none);
}

}  // namespace orrery::core::test
