// The keys of a workload that say how its training is laid out, and their values, as a sweep varies them.
#pragma once

#include <string_view>
#include <vector>

#include "base/input/input_node.hpp"
#include "workload/training/layout_space.hpp"

namespace orrery::core {

// Returns the paths below `workload`.
const std::vector<std::string_view>& layout_key_paths();

// Returns their values in that order. Nothing stands for the usual value.
std::vector<InputNode> layout_values(const TrainingSetup& base, const TrainingLayout& layout);

// Takes these keys from a workload.
void leave_layout_out(InputNode& workload);

}  // namespace orrery::core
