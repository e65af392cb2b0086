// Reads the list of layers of a model file: repetitions, blocks, branches, and the shapes that run through
// them.
#pragma once

#include <string_view>
#include <vector>

#include "base/input/input_node.hpp"
#include "workload/models/expression.hpp"
#include "workload/models/neural_network.hpp"

namespace orrery::core {

// Appends the layers of `file` to `network` and sets its input. Throws InputError.
void read_layers(const InputNode& file, const Parameters& parameters, NeuralNetwork& network);

// Returns every key that may stand in a list of layers or in a block.
std::vector<std::string_view> layer_list_keys();

}  // namespace orrery::core
