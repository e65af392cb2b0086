#include "study/machine/yaml_network.hpp"

#include <array>
#include <set>
#include <string>
#include <string_view>

#include "base/input/keys.hpp"
#include "topology/topology_check.hpp"

namespace orrery::core {
namespace {

constexpr std::array<EnumName<Block>, 4> block_words{{
    {"ring", Block::ring},
    {"fully-connected", Block::fully_connected},
    {"FC", Block::fully_connected},
    {"switch", Block::switched},
}};
constexpr std::array<EnumName<Packaging>, 4> packaging_words{{
    {"tile", Packaging::tile},
    {"package", Packaging::package},
    {"node", Packaging::node},
    {"pod", Packaging::pod},
}};

constexpr double largest_memory_scale = 1e6;

constexpr Key<Dimension> network_memory_keys[] = {
    key::nanoseconds<&Dimension::hbm_latency_ns>("latency", "0", "latency per message").hardware(),
    key::bandwidth<&Dimension::hbm_bandwidth>("bandwidth", "required", "bandwidth of the memory").hardware(),
    key::real<&Dimension::hbm_scale>("scale", 0, largest_memory_scale, "1",
                                     "factor on latency + size / bandwidth; 0 turns it off")
        .better(Better::less)
        .hardware(),
};

void read_memory(const InputNode& memory, Dimension& dimension) {
  dimension.hbm_scale = 1;
  read_map(memory, "the memory of a network dimension", network_memory_keys, dimension);
}

constexpr Key<Dimension> dimension_keys[] = {
    key::label<&Dimension::name>("name", "dim0, dim1, ...", "name of the dimension, for reports and `--set`")
        .trying("other"),
    key::word<block_words, &Dimension::block>(
        "topology", "required",
        "how the NPUs of the dimension are joined; `FC` is short for fully-connected; a message makes as "
        "many "
        "hops as the shorter way around a ring, 1 if fully connected, 2 through a switch"),
    key::integer<&Dimension::size>("size", 1, max_npus, "required",
                                   "number of NPUs along the dimension; at least 2 if fully connected"),
    key::integer<&Dimension::links>("links", 1, max_links, "ring 2, fully connected size − 1, switch 1",
                                    "links per NPU; a ring needs 2, a fully connected dimension size − 1; "
                                    "links that cannot be shared evenly are idle, and a warning says so")
        .better(Better::more)
        .hardware(),
    key::bandwidth<&Dimension::link_bandwidth>("bandwidth", "required",
                                               "bandwidth of one link in one direction; a message uses all "
                                               "links toward its peer (in a ring: all links)")
        .hardware(),
    key::nanoseconds<&Dimension::link_latency_ns>("latency", "required", "latency per hop").hardware(),
    key::nanoseconds<&Dimension::nic_latency_ns>("nic-latency", "0",
                                                 "latency of a NIC, which each message pays twice")
        .hardware(),
    key::nanoseconds<&Dimension::router_latency_ns>(
        "router-latency", "0", "latency of a router, which each message pays once; for switches only")
        .hardware(),
    key::word<packaging_words, &Dimension::packaging>(
        "packaging", "node",
        "where the dimension's links run, which decides the prices of links, switches and NICs in the "
        "network's cost; there is no switch on a tile"),
    key::custom<read_memory>(
        "memory", "map", "none",
        "NPU memory at both ends of a message, which takes the longer of link time and memory time")
        .above(keys_of_map<network_memory_keys>),
};

Dimension read_dimension(const InputNode& node, std::size_t index) {
  Dimension dimension;
  dimension.name = default_dimension_name(index);
  read_map(node, "a network dimension", dimension_keys, dimension);
  if (const InputNode* latency = node.find("router-latency"); latency && dimension.block != Block::switched)
    throw InputError(latency->where,
                     "only messages through a `switch` pass a router; leave `router-latency` out");
  if (!node.find("links")) dimension.links = min_links(dimension.block, dimension.size);
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
SourceLocation place_of(const InputNode& dimension, DimensionPart part) {
  for (const PartPlace& place : part_places) {
    if (place.part != part) continue;
    const InputNode* value = dimension.find(place.key);
    if (value && !place.key_below.empty()) value = value->find(place.key_below);
    if (value) return value->where;
  }
  return dimension.where;
}

}  // namespace

Topology read_yaml_network(const InputNode& network, Warnings& warnings) {
  const std::vector<InputNode>& nodes = list_of(network, "network");
  Topology topology;
  std::set<std::string_view> names;
  for (const InputNode& node : nodes)
    topology.dimensions.push_back(read_dimension(node, topology.dimensions.size()));
  for (std::size_t d = 0; d < nodes.size(); ++d) {
    const std::string& name = topology.dimensions[d].name;
    if (names.insert(name).second) continue;
    const InputNode* const written = nodes[d].find("name");
    throw InputError((written ? *written : nodes[d]).where,
                     "there are two dimensions " + backquoted(name) + "; give one another `name`");
  }
  check_topology(
      topology, [&](std::size_t d, DimensionPart part) { return place_of(nodes[d], part); }, warnings);
  return topology;
}

std::vector<KeyPath> yaml_network_keys() {
  return keys_of_list<dimension_keys>();
}

}  // namespace orrery::core
