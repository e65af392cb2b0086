#include "study/yaml_algorithms.hpp"

#include <fmt/format.h>

#include <array>
#include <bit>

#include "base/keys.hpp"
#include "collective/collective_words.hpp"

namespace orrery {
namespace {

constexpr int largest_window = 1 << 27;

constexpr std::array<Word<bool>, 2> span_words{{{"dimension", false}, {"machine", true}}};

// "ring" or "direct:4".
void read_word(const YamlNode& node, AlgorithmChoice& choice) {
  const std::string& text = scalar_of(node, "algorithm");
  const std::size_t colon = text.find(':');
  YamlNode part = node;
  part.text = text.substr(0, colon);
  choice.algorithm = word_value_of(part, "algorithm", algorithm_words);
  if (colon == std::string::npos) return;
  part.text = text.substr(colon + 1);
  choice.window = int_of(part, "window", 1, largest_window);
}

constexpr Key<AlgorithmChoice> choice_keys[] = {
    key::custom<read_word>("algorithm", "word", "required", "the algorithm, when it is written as a map")
        .trying("ring|halving-doubling"),
    key::integer<&AlgorithmChoice::window>("window", 1, largest_window, "all",
                                           "direct only: peers an NPU sends to at a time"),
    key::word<span_words, &AlgorithmChoice::whole_machine>(
        "span", "dimension", "`machine`: all NPUs as one dimension, whatever the topology"),
};

AlgorithmChoice read_choice(const YamlNode& node) {
  AlgorithmChoice choice;
  if (node.kind == YamlNode::Kind::map) {
    read_map(node, "an algorithm written as a map", choice_keys, choice);
  } else {
    read_word(node, choice);
  }
  if (choice.window > 0 && choice.algorithm != Algorithm::direct)
    throw InputError(node.where, "only direct has a window; remove it");
  return choice;
}

std::vector<AlgorithmChoice> read_list(const YamlNode& node, std::string_view collective,
                                       std::size_t dimensions) {
  std::vector<AlgorithmChoice> choices;
  for (const YamlNode& item : list_of(node, collective)) {
    choices.push_back(read_choice(item));
    if (choices.back().whole_machine && node.items.size() > 1)
      throw InputError(item.where,
                       "an algorithm that spans the machine has to be the only one of its collective");
  }
  if (choices.size() != dimensions && !choices.front().whole_machine)
    throw InputError(
        node.where,
        fmt::format("`{}` names {} algorithm{}, the network has {} dimension{}; name one per dimension, "
                    "or a single one without brackets for all",
                    collective, choices.size(), choices.size() == 1 ? "" : "s", dimensions,
                    dimensions == 1 ? "" : "s"));
  return choices;
}

}  // namespace

std::vector<AlgorithmChoice> read_yaml_algorithms(const YamlNode& node, std::string_view collective,
                                                  const Topology& topology) {
  const std::size_t dimensions = topology.dimensions.size();
  if (node.kind == YamlNode::Kind::list) return read_list(node, collective, dimensions);
  const AlgorithmChoice choice = read_choice(node);
  return std::vector<AlgorithmChoice>(choice.whole_machine ? 1 : dimensions, choice);
}

std::vector<AlgorithmChoice> default_algorithms(CollectiveKind kind, const Topology& topology) {
  const auto algorithm_for = [&](const Dimension& dimension) {
    if (dimension.block == Block::ring) return Algorithm::ring;
    if (dimension.block == Block::fully_connected || kind == CollectiveKind::all_to_all)
      return Algorithm::direct;
    return std::has_single_bit(static_cast<unsigned>(dimension.size)) ? Algorithm::halving_doubling
                                                                      : Algorithm::ring;
  };
  std::vector<AlgorithmChoice> choices;
  for (const Dimension& dimension : topology.dimensions) choices.push_back({algorithm_for(dimension)});
  return choices;
}

std::vector<KeyPath> yaml_algorithm_keys() {
  return keys_of_list<choice_keys>();
}

}  // namespace orrery
