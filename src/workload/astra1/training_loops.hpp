// The layer table has a training loop for each policy (docs/models/training-loops.md, The loops).
#pragma once

#include "workload/astra1/loop_writer.hpp"
#include "workload/astra1/scaling.hpp"

namespace orrery::core {

// Returns the program of every rank for `iterations` training iterations, which exchanges gradients by
// collectives, or through `store` if there is one. Throws InputError when the table asks for a collective
// that does not exist.
ExecutionGraph training_graph(const LayerTable& table, const GroupLayout& layout, int iterations,
                              const Dialect& dialect, const Scales& scales, GradientStore* store = nullptr);

}  // namespace orrery::core
