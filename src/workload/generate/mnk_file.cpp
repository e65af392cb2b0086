#include "workload/generate/mnk_file.hpp"

#include "base/diagnostics/printable.hpp"
#include "base/diagnostics/words.hpp"
#include "base/text/text_lines.hpp"
#include "workload/astra1/layer_table_words.hpp"
#include "workload/generate/layer_split.hpp"

namespace orrery::core {
namespace {

class MnkReader {
 public:
  MnkReader(const std::string& file, bool policy_per_layer, Warnings& warnings)
      : file_(file), policy_per_layer_(policy_per_layer), warnings_(warnings) {}

  std::vector<MnkLayer> read(std::string_view text) const {
    std::vector<MnkLayer> layers;
    for (const Token& line : layer_lines_of(text, file_, warnings_)) layers.push_back(read_layer(line));
    return layers;
  }

 private:
  SourceLocation where(const Token& token) const { return {file_, token.line, token.column}; }

  MnkLayer read_layer(const Token& line) const {
    const std::vector<Token> cells = cells_of(line);
    const std::size_t least = policy_per_layer_ ? 5 : 4;
    if (cells.size() < least || cells.size() > 5)
      throw InputError(where(trimmed(line)),
                       "a layer is `name,m,n,k" + std::string(policy_per_layer_ ? ",strategy" : "") + "`, " +
                           std::to_string(least) + " values, not " + std::to_string(cells.size()));
    MnkLayer layer;
    layer.name = cells[0].text;
    layer.where = where(cells[0]);
    if (layer.name.empty() || layer.name.find_first_of(" \t\r\v\f") != std::string::npos)
      throw InputError(layer.where, "the layer's name has to be one word, not " + backquoted(layer.name) +
                                        ": layer tables are read word by word");
    if (!is_printable(layer.name))
      throw InputError(layer.where, "the layer's name has to be free of control characters, not " +
                                        backquoted(layer.name));
    layer.gemm = {number(cells[1], "m"), number(cells[2], "n"), number(cells[3], "k"), 1};
    if (policy_per_layer_) layer.policy = policy(cells[4]);
    return layer;
  }

  std::uint64_t number(const Token& cell, const char* what) const {
    return whole_number(cell, file_, what, 1, std::uint64_t{1} << 32);
  }

  TrainingPolicy policy(const Token& cell) const {
    const auto policy = value_of(policy_words, cell.text);
    if (policy && splits_a_layer(*policy)) return *policy;
    throw InputError(where(cell), "unknown strategy " + backquoted(cell.text) + ", use " +
                                      alternatives(layer_strategy_words()));
  }

  const std::string& file_;
  bool policy_per_layer_;
  Warnings& warnings_;
};

}  // namespace

std::vector<MnkLayer> read_mnk_file(std::string_view text, const std::string& file, bool policy_per_layer,
                                    Warnings& warnings) {
  return MnkReader(file, policy_per_layer, warnings).read(text);
}

}  // namespace orrery::core
