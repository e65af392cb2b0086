// The program of one rank that trains with parameter servers, and is perhaps one itself.
#pragma once

#include <string>
#include <vector>

#include "workload/astra1/layer_table.hpp"
#include "workload/execution_graph.hpp"

namespace orrery {

// Scaled.
struct ServedLayer {
  Time forward, input_gradient, weight_gradient;
  std::vector<Bytes> shares;  // by rank, what it serves
  std::vector<Time> updates;  // by rank, what it takes to add up or apply such a share once
};

// What is the same for all ranks.
struct ServedTraining {
  ParameterServerOptions options;
  int workers = 1;
  int passes = 1;
  std::vector<ServedLayer> layers;
  std::vector<std::string> names;  // of the layers
};

ExecutionGraph worker_program(const ServedTraining& training, int rank);

}  // namespace orrery
