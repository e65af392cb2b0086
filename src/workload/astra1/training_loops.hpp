// The layer table has a training loop for each policy (docs/models/training-loops.md, The loops).
#pragma once

#include "workload/astra1/loop_writer.hpp"
#include "workload/astra1/scaling.hpp"

namespace orrery::core {

// Returns the program of every rank for `iterations` training iterations. Throws InputError when the table
// asks for a collective that does not exist.
ExecutionGraph training_graph(const LayerTable& table, const GroupLayout& layout, int iterations,
                              const Dialect& dialect, const Scales& scales);

}  // namespace orrery::core
