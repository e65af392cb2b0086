// What training a neural network keeps in memory, as src/memory takes it.
#pragma once

#include "memory/device_memory.hpp"
#include "workload/models/neural_network.hpp"

namespace orrery {

// Elements of one sample's tensors by class. Layers given by their sizes alone have none.
ActivationClasses activation_elements(const NeuralNetwork& network);

// Parameters and elements; the rest is as by default.
TrainingDemand training_demand(const NeuralNetwork& network);

}  // namespace orrery
