// Why a training step takes its time: what one layer's operators and collectives take, for `--explain`.
#pragma once

#include <string>

#include "workload/training/training_setup.hpp"

namespace orrery {

// A layer of each kind that the model has, forward and backward, for one micro-batch on one rank: what each
// operator takes by itself and is bound by, and each collective with its bytes, ranks and what the library
// chose.
std::string training_explanation(const std::string& name, const TrainingSetup& setup);

}  // namespace orrery
