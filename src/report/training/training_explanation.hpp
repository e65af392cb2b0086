// Explains why a training step takes its time, for `--explain`.
#pragma once

#include <string>

#include "workload/training/training_setup.hpp"

namespace orrery::core {

// Describes the embedding, a layer of each kind that the model has and the head, forward and backward, for
// one micro-batch on one rank: what each operator takes by itself and is bound by, and each collective with
// its bytes, ranks and what the library chose. Then follows what comes once a step, on the first and the last
// stage.
std::string training_explanation(const std::string& name, const TrainingSetup& setup);

}  // namespace orrery::core
