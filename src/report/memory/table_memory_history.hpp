// Computes the memory of devices that train a layer table over time: what does not change, and the
// activations of each layer from the beginning of its forward pass to the end of its backward pass.
#pragma once

#include <vector>

#include "program/program.hpp"
#include "report/memory/memory_history.hpp"
#include "workload/generate/model_memory.hpp"

namespace orrery::core {

// `recording` is that of the program, which was made from the table. Returns nothing where a layer that keeps
// activations has no backward pass.
std::vector<PartMemory> memory_of_table(const TableMemory& memory, const Program& program,
                                        const Recording& recording);

}  // namespace orrery::core
