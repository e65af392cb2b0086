// Finds how far apart ranks get that do not wait for each other.
#pragma once

#include "program/program.hpp"
#include "simulate/run/simulation.hpp"

namespace orrery::core {

// Says how fast the parts of a program train that do not wait for each other, as means over those that train.
struct TrainingPace {
  std::size_t parts = 0;        // that train
  double steps_per_second = 0;  // of a part, by the time until its last backward pass ends
  // Number of steps that other parts ended while a part was at one: so many updates of others are missing in
  // the weights to which a gradient belongs, where gradients are applied one by one.
  double mean_staleness = 0;
};

// The program has to have a part that trains.
TrainingPace training_pace(const Program& program, const Recording& recording);

// Returns the most training steps that a part had done more than another when it started one. Its steps are
// counted by the ends of backward passes.
int largest_staleness(const Program& program, const Recording& recording);

}  // namespace orrery::core
