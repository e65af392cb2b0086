// Computes what training a neural network keeps in memory, in the form that src/memory takes.
#pragma once

#include <cstdint>

#include "memory/device_memory.hpp"
#include "workload/models/neural_network.hpp"

namespace orrery {

// Elements of one sample's tensors by class. Of blocks that are recomputed, what enters each, and all outputs
// of the largest one. Layers given by their number of operations have none.
ActivationClasses activation_elements(const NeuralNetwork& network);

// Parameters and elements of one of so many NPUs; the rest is as by default. The tables of embeddings are
// spread over all of them under the DLRM policies.
TrainingDemand training_demand(const NeuralNetwork& network, std::uint64_t npus = 1);

}  // namespace orrery
