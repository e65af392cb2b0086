#include "workload/models/model_catalogue.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "base/diagnostics/words.hpp"

namespace orrery::core {
std::vector<std::string_view> model_words() {
  return embedded_names("models");
}

FoundFile find_model_file(const std::string& word_or_path, const SourceLocation& where,
                          const FileLoader& load) {
  constexpr Catalogue models{"models", "model",
                             " (`orrery list models` shows all); a model file ends in .yaml"};
  return find_file(models, word_or_path, where, load);
}

namespace {

// Returns the lines of a key at the left margin: its own line, and those below it that are indented.
std::string_view entry_of(std::string_view text, std::string_view key) {
  std::string_view entry;
  while (!text.empty()) {
    const std::string_view line = text.substr(0, std::min(text.find('\n'), text.size() - 1) + 1);
    text.remove_prefix(line.size());
    if (!entry.empty() && line.find_first_not_of(' ') == 0 && line[0] != '#' && line[0] != '\n') break;
    if (!entry.empty())
      entry = {entry.data(), entry.size() + line.size()};
    else if (line.starts_with(key) && line.substr(key.size()).starts_with(':'))
      entry = line;
  }
  return entry;
}

}  // namespace

std::vector<std::string> model_parameters(std::string_view word) {
  const std::string name = fmt::format("models/{}.yaml", word);
  return parameters_of_model_file(entry_of(embedded_file(name).value_or(""), "parameters"), name);
}

std::vector<ModelSummary> model_summaries() {
  std::vector<ModelSummary> summaries;
  for (const std::string_view word : model_words()) {
    const NeuralNetwork network = find_model(std::string(word), {}, no_files());
    ModelSummary summary{std::string(word), network.name, network.description};
    for (const NetworkLayer& layer : network.layers) summary.layers += layer.weights > 0;
    summary.parameters = double(network.parameters());
    summary.flops_per_sample = 2 * network.multiply_accumulates();
    summaries.push_back(std::move(summary));
  }
  return summaries;
}

NeuralNetwork find_model(const std::string& word_or_path, const SourceLocation& where, const FileLoader& load,
                         const std::vector<ParameterChoice>& choices) {
  const FoundFile file = find_model_file(word_or_path, where, load);
  return read_neural_network(file.text, file.name, choices);
}

}  // namespace orrery::core
