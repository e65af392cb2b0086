// Simulates one training step on a platform.
#pragma once

#include "report/training/training_result.hpp"

namespace orrery::core {

TrainingResult simulate_training_step(const TrainingSetup& setup);

}  // namespace orrery::core
