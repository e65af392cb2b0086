// Makes the program of training with parameter servers in place of all-reduces of gradients
// (served_gradients.hpp says what servers do).
//
// NPUs that hold the same parameters exchange their gradients through the servers among them. Where a
// training policy spreads layers over NPUs, a replica of the model is all NPUs of a model-parallel group, and
// what they need of each other's activations are still collectives among them. Where a pipeline does, a
// replica is a pipeline, and the replicas of each stage have servers of their own. Either way an NPU sends
// gradients to the NPU of the server that holds the same parameters.
#pragma once

#include "program/program.hpp"
#include "workload/astra1/layer_table.hpp"
#include "workload/astra1/participation.hpp"
#include "workload/astra1/scaling.hpp"

namespace orrery::core {

// Returns the program, which has a part for each replica, or for each stage of each. The table has to have a
// parameter server. Throws InputError when there is no such server, or when more would have to be simulated
// than fits into memory.
Program parameter_server_program(const LayerTable& table, const Topology& topology, const GroupLayout& layout,
                                 int passes, const Dialect& dialect, const Scales& scales);

}  // namespace orrery::core
