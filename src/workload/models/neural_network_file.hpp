// Reads model files: a neural network as layers, repeated blocks and branches (docs/inputs/workloads.md,
// "Model files").
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/input_node.hpp"
#include "workload/models/neural_network.hpp"

namespace orrery {

// A parameter that is to have another value than the file says.
struct ParameterChoice {
  std::string name;
  std::uint64_t value;
  SourceLocation where;
};

// Throws InputError: at the layer whose shapes do not fit, at the choice that is none of the file's
// parameters or outside its range.
NeuralNetwork read_neural_network(std::string_view text, const std::string& file,
                                  const std::vector<ParameterChoice>& choices = {});

// The names of the parameters that a file declares, in its order.
std::vector<std::string> parameters_of_model_file(std::string_view text, const std::string& file);

// Every key of model files.
std::vector<std::string_view> model_file_keys();

}  // namespace orrery
