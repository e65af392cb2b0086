// Reads flows that stand in a list, as programs put them together.
#pragma once

#include <vector>

#include "base/input/input_node.hpp"
#include "network/flows/flow.hpp"

namespace orrery::core {

// A flow is a list `[source, destination, size]`, or a map with the keys `source`, `destination`, `bytes` and
// any of `start`, `after`, `channel` and `priority`. Sizes and times have units; a size without one is in
// bytes. Throws InputError, also where flows wait for one another in a circle.
std::vector<Flow> read_flow_list(const InputNode& list);

}  // namespace orrery::core
