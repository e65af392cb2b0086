// Reads the values of a key in a sweep where they are written as a range: { from: 1, to: 64, factor: 2 }.
#pragma once

#include <optional>
#include <vector>

#include "base/input/keys.hpp"
#include "study/space/sweep_space.hpp"

namespace orrery::core {

// Values with a step or a factor between them, or all numbers between the ends.
struct ValueRange {
  std::optional<NumberSteps> steps;
  std::optional<NumberRange> range;  // where there are no steps
};

// Throws InputError.
ValueRange read_value_range(const InputNode& node);
std::vector<KeyPath> value_range_keys();

}  // namespace orrery::core
