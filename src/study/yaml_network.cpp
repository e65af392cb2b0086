#include "study/yaml_network.hpp"

#include <array>
#include <set>
#include <string>
#include <string_view>

#include "base/yaml_reader.hpp"
#include "topology/topology_check.hpp"

namespace orrery {
namespace {

constexpr std::array<Word<Block>, 3> block_words{{
    {"ring", Block::ring},
    {"fully-connected", Block::fully_connected},
    {"switch", Block::switched},
}};
constexpr std::array<Word<Packaging>, 4> packaging_words{{
    {"tile", Packaging::tile},
    {"package", Packaging::package},
    {"node", Packaging::node},
    {"pod", Packaging::pod},
}};

constexpr int largest_size = 1 << 27;
constexpr int most_links = 1'000'000;
constexpr double largest_memory_scale = 1e6;

constexpr YamlKey<Dimension> memory_keys[] = {
    {"latency", [](const YamlNode& v, Dimension& d) { d.hbm_latency_ns = time_of(v, "latency").ns(); }},
    {"bandwidth", [](const YamlNode& v, Dimension& d) { d.hbm_bandwidth = bandwidth_of(v, "bandwidth"); }},
    {"scale",
     [](const YamlNode& v, Dimension& d) { d.hbm_scale = real_of(v, "scale", 0, largest_memory_scale); }},
};

void read_memory(const YamlNode& memory, Dimension& dimension) {
  constexpr auto what = "the memory of a network dimension";
  dimension.hbm_scale = 1;
  read_map(memory, what, memory_keys, dimension);
  required(memory, what, "bandwidth");
}

constexpr YamlKey<Dimension> dimension_keys[] = {
    {"name", [](const YamlNode& v, Dimension& d) { d.name = label_of(v, "name"); }},
    {"topology",
     [](const YamlNode& v, Dimension& d) { d.block = word_value_of(v, "topology", block_words); }},
    {"size", [](const YamlNode& v, Dimension& d) { d.size = int_of(v, "size", 1, largest_size); }},
    {"links", [](const YamlNode& v, Dimension& d) { d.links = int_of(v, "links", 1, most_links); }},
    {"bandwidth", [](const YamlNode& v, Dimension& d) { d.link_bandwidth = bandwidth_of(v, "bandwidth"); }},
    {"latency", [](const YamlNode& v, Dimension& d) { d.link_latency_ns = time_of(v, "latency").ns(); }},
    {"nic-latency",
     [](const YamlNode& v, Dimension& d) { d.nic_latency_ns = time_of(v, "nic-latency").ns(); }},
    {"router-latency",
     [](const YamlNode& v, Dimension& d) { d.router_latency_ns = time_of(v, "router-latency").ns(); }},
    {"packaging",
     [](const YamlNode& v, Dimension& d) { d.packaging = word_value_of(v, "packaging", packaging_words); }},
    {"memory", read_memory, [] { return key_paths(".", memory_keys); }},
};

Dimension read_dimension(const YamlNode& node, std::size_t index) {
  constexpr auto what = "a network dimension";
  Dimension dimension;
  dimension.name = "dim" + std::to_string(index);
  read_map(node, what, dimension_keys, dimension);
  for (const auto key : {"topology", "size", "bandwidth", "latency"}) required(node, what, key);
  if (!node.find("links")) dimension.links = least_links(dimension.block, dimension.size);
  return dimension;
}

struct PartPlace {
  DimensionPart part;
  std::string_view key, key_below;
};
constexpr PartPlace part_places[] = {
    {DimensionPart::block, "topology", ""},
    {DimensionPart::size, "size", ""},
    {DimensionPart::links, "links", ""},
    {DimensionPart::link_bandwidth, "bandwidth", ""},
    {DimensionPart::link_latency, "latency", ""},
    {DimensionPart::nic_latency, "nic-latency", ""},
    {DimensionPart::router_latency, "router-latency", ""},
    {DimensionPart::packaging, "packaging", ""},
    {DimensionPart::hbm_latency, "memory", "latency"},
    {DimensionPart::hbm_bandwidth, "memory", "bandwidth"},
    {DimensionPart::hbm_scale, "memory", "scale"},
};

// Returns where a part of a dimension stands; the dimension itself for a part left to its default.
SourceLocation place_of(const YamlNode& dimension, DimensionPart part) {
  for (const PartPlace& place : part_places) {
    if (place.part != part) continue;
    const YamlNode* value = dimension.find(place.key);
    if (value && !place.key_below.empty()) value = value->find(place.key_below);
    if (value) return value->where;
  }
  return dimension.where;
}

}  // namespace

Topology read_yaml_network(const YamlNode& network, Warnings& warnings) {
  const std::vector<YamlNode>& nodes = list_of(network, "network");
  Topology topology;
  std::set<std::string_view> names;
  for (const YamlNode& node : nodes)
    topology.dimensions.push_back(read_dimension(node, topology.dimensions.size()));
  for (std::size_t d = 0; d < nodes.size(); ++d) {
    const std::string& name = topology.dimensions[d].name;
    if (names.insert(name).second) continue;
    const YamlNode* const written = nodes[d].find("name");
    throw InputError((written ? *written : nodes[d]).where,
                     "there are two dimensions " + backquoted(name) + "; give one another `name`");
  }
  check_topology(
      topology, [&](std::size_t d, DimensionPart part) { return place_of(nodes[d], part); }, warnings);
  return topology;
}

std::vector<std::string> yaml_network_keys() {
  return key_paths("[].", dimension_keys);
}

}  // namespace orrery
