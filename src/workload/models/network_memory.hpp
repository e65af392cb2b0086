// Computes what training a neural network keeps in memory, in the form that src/memory takes.
#pragma once

#include <cstdint>

#include "memory/device_memory.hpp"
#include "workload/models/neural_network.hpp"

namespace orrery::core {

// Returns the elements of one sample's tensors by class. For blocks that are recomputed, these are the inputs
// of each block, and all outputs of the largest one. Layers that are given by their number of operations have
// none.
ActivationClasses activation_elements(const NeuralNetwork& network);

// Returns the parameters and elements of one of so many NPUs; the rest has its defaults. Under the DLRM
// policies, the tables of embeddings are spread over all NPUs.
TrainingDemand training_demand(const NeuralNetwork& network, std::uint64_t npus = 1);

}  // namespace orrery::core
