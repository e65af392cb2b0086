// Random training steps of transformers on platforms, the same for the same seed.
#pragma once

#include <cstdint>
#include <string>

#include "workload/training/training_setup.hpp"

namespace orrery::core::test {

// Legal: errors_of_plan() has nothing against its plan, and the schedule can be run. Whether it fits the
// memory of its devices is not looked at.
TrainingSetup random_training(std::uint64_t seed);

std::string describe(const TrainingSetup& setup);

}  // namespace orrery::core::test
