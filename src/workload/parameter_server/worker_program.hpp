// The program of one rank that trains with parameter servers, and is perhaps one itself.
#pragma once

#include <string>
#include <vector>

#include "program/execution_graph.hpp"
#include "workload/astra1/layer_table.hpp"

namespace orrery {

// A layer with its times and sizes scaled.
struct ServedLayer {
  Time forward, input_gradient, weight_gradient;
  std::vector<Bytes> shares;  // bytes of the layer that each rank serves, by rank
  std::vector<Time> updates;  // time to add up or apply that share once, by rank
};

// The part of the training that is the same for all ranks.
struct ServedTraining {
  ParameterServerOptions options;
  int workers = 1;
  int passes = 1;
  std::vector<ServedLayer> layers;
  std::vector<std::string> names;  // of the layers
};

ExecutionGraph worker_program(const ServedTraining& training, int rank);

}  // namespace orrery
