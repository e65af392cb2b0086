// Reads the `sweep` and the `objectives` of an experiment. docs/inputs/sweeps.md documents them.
#pragma once

#include <string>
#include <vector>

#include "base/input/keys.hpp"
#include "study/space/sweep_space.hpp"

namespace orrery::core {

// Throws InputError.
SweepSpace read_yaml_sweep(const InputNode& node);
std::vector<KeyPath> yaml_sweep_keys();

// A column of the table of runs that is to be small or large.
struct Objective {
  std::string column;
  bool maximum = false;
};

// Throws InputError.
std::vector<Objective> read_yaml_objectives(const InputNode& node);
std::vector<KeyPath> yaml_objective_keys();

}  // namespace orrery::core
