// Finds collectives that a layer table has and a training policy never runs.
#pragma once

#include "base/diagnostics/diagnostics.hpp"
#include "program/execution_graph.hpp"
#include "workload/astra1/layer_table.hpp"

namespace orrery::core {

// Warns, once for the whole table, when `graph`, which trains it, leaves out collectives that its layers
// name. For example, `data` exchanges nothing in a forward pass. There is no warning for the first layer's
// input gradient, as the input of a network has none.
void warn_of_unused_collectives(const LayerTable& table, const ExecutionGraph& graph, Warnings& warnings);

}  // namespace orrery::core
