// The neural networks that come with the program, and model files of users.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "base/diagnostics/diagnostics.hpp"
#include "base/files/embedded_file.hpp"
#include "workload/models/neural_network.hpp"
#include "workload/models/neural_network_file.hpp"

namespace orrery::core {

// Key numbers of a model with the parameters that its file gives.
struct ModelSummary {
  std::string word;  // what users call it: "resnet50"
  std::string name, description;
  std::size_t layers = 0;  // number of layers with weights
  double parameters = 0;
  double flops_per_sample = 0;  // operations of products in a forward pass
};

// Both functions return their lists in alphabetical order of the models' words.
std::vector<std::string_view> model_words();
std::vector<ModelSummary> model_summaries();
// Returns the names of a model's parameters, without reading the rest of its file.
std::vector<std::string> model_parameters(std::string_view word);

// Both functions find a model by its word or the path of a file. `where` is the place of that name. Throw
// InputError.
FoundFile find_model_file(const std::string& word_or_path, const SourceLocation& where,
                          const FileLoader& load);
NeuralNetwork find_model(const std::string& word_or_path, const SourceLocation& where, const FileLoader& load,
                         const std::vector<ParameterChoice>& choices = {});

}  // namespace orrery::core
