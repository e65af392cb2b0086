#include "workload/generate/layer_strategies.hpp"

#include <set>

#include "base/text/text_lines.hpp"
#include "workload/generate/layer_split.hpp"

namespace orrery {
namespace {

TrainingPolicy strategy_of(const Token& cell, const SourceLocation& where) {
  const auto policy = value_of(strategy_words, cell.text);
  if (policy && splits_a_layer(*policy)) return *policy;
  std::vector<std::string_view> words = words_of(strategy_words);
  words.pop_back();
  const std::string hint = suggestion(cell.text, words);
  throw InputError(where, "unknown strategy " + backquoted(cell.text) +
                              (hint.empty() ? ", use " + alternatives(words) : hint));
}

}  // namespace

std::vector<LayerStrategy> read_layer_strategies(std::string_view text, const std::string& file,
                                                 Warnings& warnings) {
  std::vector<LayerStrategy> layers;
  std::set<std::string> names;
  for (const Token& line : layer_lines_of(text, file, warnings)) {
    const std::vector<Token> cells = cells_of(line);
    const auto place = [&](const Token& cell) { return SourceLocation{file, cell.line, cell.column}; };
    if (cells.size() != 2)
      throw InputError(place(trimmed(line)),
                       "a line is `layer,strategy`, 2 values, not " + std::to_string(cells.size()));
    LayerStrategy layer{std::string(cells[0].text), strategy_of(cells[1], place(cells[1])), place(cells[0])};
    if (!names.insert(layer.layer).second)
      throw InputError(layer.where, "layer " + backquoted(layer.layer) + " has two strategies, remove one");
    layers.push_back(std::move(layer));
  }
  return layers;
}

}  // namespace orrery
