#include "topology/network_yaml_file.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "base/node_reader.hpp"
#include "topology/astra_block_words.hpp"
#include "topology/garnet_file.hpp"
#include "topology/topology_check.hpp"

namespace orrery {
namespace {

constexpr int largest_dimension = 1 << 27;
constexpr double largest = 1e15;

void set_block(Dimension& dimension, const InputNode& node, std::string_view key) {
  const std::string& word = scalar_of(node, key);
  const auto block = value_of(astra_block_words, word);
  if (!block) {
    const auto known = words_of(astra_block_words);
    const std::string hint = suggestion(word, known);
    throw InputError(node.where, "unknown topology " + backquoted(word) +
                                     (hint.empty() ? ", use " + alternatives(known) : hint));
  }
  dimension.block = *block;
}

void set_bandwidth(Dimension& dimension, const InputNode& node, std::string_view key) {
  const double value = real_of(node, key, 0, largest);
  if (value == 0) reject_value(node, key, "above 0");
  dimension.link_bandwidth = Bandwidth::from_gib_per_s(value);
}

// A list with one value per dimension.
struct ListKey {
  std::string_view name;
  DimensionPart part;
  void (*set)(Dimension& dimension, const InputNode& node, std::string_view key);
};

constexpr ListKey list_keys[] = {
    {"topology", DimensionPart::block, set_block},
    {"npus_count", DimensionPart::size,
     [](Dimension& d, const InputNode& node, std::string_view key) {
       d.size = int_of(node, key, 2, largest_dimension);
     }},
    {"bandwidth", DimensionPart::link_bandwidth, set_bandwidth},
    {"latency", DimensionPart::link_latency,
     [](Dimension& d, const InputNode& node, std::string_view key) {
       d.link_latency_ns = real_of(node, key, 0, largest);
     }},
};

void warn_of_unknown_keys(const InputNode& root, Warnings& warnings) {
  const auto known = network_yaml_file_keys();
  for (const InputName& name : root.names)
    if (std::find(known.begin(), known.end(), name.text) == known.end())
      warnings.add(name.where,
                   "unknown key " + backquoted(name.text) + " is ignored" + suggestion(name.text, known));
}

// The list of a key; when it is missing, a key that looks like it is named.
const std::vector<InputNode>& list_at(const InputNode& root, const ListKey& key) {
  if (const InputNode* const list = root.find(key.name)) return list_of(*list, key.name);
  for (const InputName& name : root.names) {
    const std::string hint = suggestion(name.text, {&key.name, 1});
    if (!hint.empty()) throw InputError(name.where, "unknown key " + backquoted(name.text) + hint);
  }
  throw InputError(root.where, "the key " + backquoted(key.name) + " is missing, add it");
}

void require_one_per_dimension(const InputNode& root, const ListKey& key, std::size_t dimensions) {
  const std::size_t given = list_at(root, key).size();
  if (given == dimensions) return;
  throw InputError(
      root.find(key.name)->where,
      fmt::format("`{}` has {} {}, `topology` names {} {}", key.name, given, given == 1 ? "entry" : "entries",
                  dimensions, dimensions == 1 ? "dimension" : "dimensions"));
}

// The size decides on the links, so it answers for them.
SourceLocation where(const InputNode& root, std::size_t dimension, DimensionPart part) {
  if (part == DimensionPart::links) part = DimensionPart::size;
  for (const ListKey& key : list_keys)
    if (key.part == part) return root.find(key.name)->items[dimension].where;
  return {root.where.file};
}

}  // namespace

Topology read_network_yaml_file(std::string_view text, const std::string& file, Warnings& warnings) {
  refuse_garnet_file(text, file);
  const InputNode root = parse_yaml(text, file);
  require_map(root, "the network file");
  warn_of_unknown_keys(root, warnings);
  Topology topology;
  topology.dimensions.resize(list_at(root, list_keys[0]).size());
  for (const ListKey& key : list_keys) require_one_per_dimension(root, key, topology.dimensions.size());
  for (std::size_t d = 0; d < topology.dimensions.size(); ++d) {
    Dimension& dimension = topology.dimensions[d];
    dimension.name = fmt::format("dim{}", d);
    for (const ListKey& key : list_keys) key.set(dimension, root.find(key.name)->items[d], key.name);
    dimension.links = least_links(dimension.block, dimension.size);
  }
  check_topology(
      topology, [&](std::size_t d, DimensionPart part) { return where(root, d, part); }, warnings);
  return topology;
}

std::vector<std::string_view> network_yaml_file_keys() {
  std::vector<std::string_view> keys;
  for (const ListKey& key : list_keys) keys.push_back(key.name);
  return keys;
}

}  // namespace orrery
