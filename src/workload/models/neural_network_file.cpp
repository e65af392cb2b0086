#include "workload/models/neural_network_file.hpp"

#include <algorithm>
#include <cctype>
#include <optional>

#include <fmt/format.h>

#include "base/input/keys.hpp"
#include "workload/astra1/layer_table_words.hpp"
#include "workload/models/expression.hpp"
#include "workload/models/layer_list_reader.hpp"

namespace orrery::core {
namespace {

constexpr std::uint64_t largest_parameter = 1ull << 40;
constexpr std::uint64_t largest_default_range = 1ull << 24;

constexpr std::string_view file_keys[] = {
    "name",   "description",          "parameters",        "input", "convolutions", "blocks",
    "policy", "model-parallel-group", "last-bottom-layer", "layers"};

// The rule that a file gives for one parameter.
struct ParameterRule {
  const InputNode* fallback;
  const InputNode* multiple_of = nullptr;
  const InputNode* at_most = nullptr;
};

constexpr Key<ParameterRule> rule_keys[] = {
    key::kept<&ParameterRule::fallback>("default", "number or expression", "required",
                                        "value where no other one is chosen"),
    key::kept<&ParameterRule::multiple_of>("multiple-of", "number or parameter before it", "none", ""),
    key::kept<&ParameterRule::at_most>("at-most", "number or expression", "2²⁴", ""),
};

ParameterRule rule_of(const InputNode& node) {
  if (node.kind == InputNode::Kind::scalar) return {&node};
  ParameterRule rule{};
  read_map(node, "a parameter", rule_keys, rule);
  return rule;
}

const ParameterChoice* choice_of(const std::vector<ParameterChoice>& choices, std::string_view name) {
  const auto found = std::find_if(choices.begin(), choices.end(), [&](auto& c) { return c.name == name; });
  return found == choices.end() ? nullptr : &*found;
}

void require_known(const std::vector<ParameterChoice>& choices, const InputNode& map) {
  std::vector<std::string_view> known;
  for (const InputName& name : map.names) known.push_back(name.text);
  for (const ParameterChoice& choice : choices)
    if (!map.find(choice.name))
      throw InputError(choice.where, fmt::format("this model has no parameter {}{}; it has {}",
                                                 backquoted(choice.name), suggestion(choice.name, known),
                                                 known.empty() ? "none" : alternatives(known)));
}

// `parameters` are the parameters before this one in the file.
std::uint64_t parameter_value(const std::string& name, const ParameterRule& rule,
                              const std::vector<ParameterChoice>& choices, const Parameters& parameters) {
  const ParameterChoice* choice = choice_of(choices, name);
  const std::uint64_t value = choice ? choice->value : value_of_expression(*rule.fallback, name, parameters);
  SourceLocation where = choice ? choice->where : rule.fallback->where;
  const std::uint64_t most =
      rule.at_most ? std::min(value_of_expression(*rule.at_most, "at-most", parameters), largest_parameter)
                   : largest_default_range;
  if (value < 1 || value > most)
    throw InputError(where, fmt::format("`{}` has to be from 1 to {}, not {}", name, most, value));
  if (!rule.multiple_of) return value;
  const std::uint64_t divisor = value_of_expression(*rule.multiple_of, "multiple-of", parameters);
  if (divisor != 0 && value % divisor == 0) return value;
  const std::string& text = rule.multiple_of->text;
  // A default can only be wrong because of another choice.
  if (const ParameterChoice* other = choice_of(choices, text); other && !choice) where = other->where;
  const std::string which =
      text == std::to_string(divisor) ? std::string() : fmt::format(" a multiple of {}", divisor);
  throw InputError(where,
                   fmt::format("`{}` has to be a multiple of {}, but {} is not{}", name, text, value, which));
}

Parameters read_parameters(const InputNode& file, const std::vector<ParameterChoice>& choices) {
  Parameters parameters{{"batch", 1}};
  InputNode none;
  none.kind = InputNode::Kind::map;
  const InputNode* given = file.find("parameters");
  const InputNode& map = given ? *given : none;
  require_map(map, "`parameters`");
  require_known(choices, map);
  for (std::size_t i = 0; i < map.items.size(); ++i) {
    const std::string& name = map.names[i].text;
    const std::uint64_t value = parameter_value(name, rule_of(map.items[i]), choices, parameters);
    parameters.insert_or_assign(name, value);
  }
  return parameters;
}

TrainingPolicy policy_of(const InputNode& node) {
  std::string word = scalar_of(node, "policy");
  for (char& c : word) c = c == '-' ? '_' : static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
  const auto policy = value_of(policy_words, word);
  if (!policy) reject_value(node, "policy", "a training policy in lower case with hyphens, such as `data`");
  return *policy;
}

std::string text_of(const InputNode& file, std::string_view key) {
  const InputNode* node = file.find(key);
  return node ? scalar_of(*node, key) : std::string();
}

}  // namespace

NeuralNetwork read_neural_network(std::string_view text, const std::string& file,
                                  const std::vector<ParameterChoice>& choices) {
  const InputNode root = parse_yaml(text, file);
  require_map_of(root, "a model", file_keys);
  const Parameters parameters = read_parameters(root, choices);
  NeuralNetwork network;
  network.name = text_of(root, "name");
  network.description = text_of(root, "description");
  network.batch = parameters.at("batch");
  read_layers(root, parameters, network);
  if (const InputNode* policy = root.find("policy")) network.policy = policy_of(*policy);
  if (const InputNode* group = root.find("model-parallel-group"))
    network.model_parallel_group = static_cast<int>(
        std::min<std::uint64_t>(value_of_expression(*group, "model-parallel-group", parameters), 1u << 27));
  if (const InputNode* last = root.find("last-bottom-layer")) {
    network.last_bottom_layer = scalar_of(*last, "last-bottom-layer");
    if (std::none_of(network.layers.begin(), network.layers.end(),
                     [&](const NetworkLayer& layer) { return layer.name == network.last_bottom_layer; }))
      throw InputError(last->where, "there is no layer " + backquoted(network.last_bottom_layer));
  }
  return network;
}

std::vector<std::string_view> model_file_keys() {
  std::vector<std::string_view> keys = layer_list_keys();
  keys.insert(keys.end(), std::begin(file_keys), std::end(file_keys));
  for (const auto& key : rule_keys) keys.push_back(key.name);
  return keys;
}

std::vector<std::string> parameters_of_model_file(std::string_view text, const std::string& file) {
  const InputNode root = parse_yaml(text, file);
  std::vector<std::string> names;
  if (const InputNode* map = root.find("parameters"))
    for (const InputName& name : map->names) names.push_back(name.text);
  return names;
}

}  // namespace orrery::core
