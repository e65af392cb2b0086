// Reads model files: a neural network as layers, repeated blocks and branches (docs/inputs/workloads.md,
// "Model files").
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/input/input_node.hpp"
#include "workload/models/neural_network.hpp"

namespace orrery::core {

// A parameter that is to have another value than the one in the file.
struct ParameterChoice {
  std::string name;
  std::uint64_t value;
  SourceLocation where;
};

// Throws InputError: at a layer whose shapes do not fit, and at a choice that is none of the file's
// parameters or outside its range.
NeuralNetwork read_neural_network(std::string_view text, const std::string& file,
                                  const std::vector<ParameterChoice>& choices = {});

// Returns the names of the parameters that a file declares, in its order.
std::vector<std::string> parameters_of_model_file(std::string_view text, const std::string& file);

// Returns every key of model files.
std::vector<std::string_view> model_file_keys();

}  // namespace orrery::core
