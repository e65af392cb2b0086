#include "topology/files/network_yaml_file.hpp"

#include "base/files/foreign_files.hpp"
#include "topology/files/dimension_lists.hpp"

namespace orrery::core {
namespace {

constexpr double largest_of_yaml = 1e15;

Bandwidth bandwidth_in_gib(const InputNode& node, const KeyFacts& key) {
  return Bandwidth::from_gib_per_s(positive_of(node, key.name, largest_of_yaml));
}

constexpr DimensionList yaml_lists[] = {
    {key::word<astra_block_words, &Dimension::block>("topology", "required", "as `network[].topology`"),
     DimensionPart::block},
    {key::integer<&Dimension::size>("npus_count", 2, max_npus, "required", "as `network[].size`"),
     DimensionPart::size},
    {key::declared<bandwidth_in_gib, KeyType::other, &Dimension::link_bandwidth>(
         "bandwidth", "required", "bandwidth of one link in one direction")
         .of("GiB/s, above 0, to 10¹⁵"),
     DimensionPart::link_bandwidth},
    {key::real<&Dimension::link_latency_ns>("latency", 0, largest_of_yaml, "required",
                                            "latency of one link, in ns"),
     DimensionPart::link_latency},
};

}  // namespace

bool is_network_yaml_file(std::string_view text) {
  return text.find("npus_count:") != text.npos;
}

Topology read_network_yaml_file(std::string_view text, const std::string& file, Warnings& warnings) {
  refuse_foreign(text, file);
  const InputNode root = parse_yaml(text, file);
  require_map_of(root, "the network file", names_of(yaml_lists), &warnings);
  const std::size_t dimensions = list_of(required(root, "the network file", "topology"), "topology").size();
  const auto join = [](Dimension& dimension) {
    dimension.links = min_links(dimension.block, dimension.size);
  };
  return read_dimension_lists(root, yaml_lists, dimensions, join, warnings);
}

std::vector<KeyPath> network_yaml_file_keys() {
  return key_paths("", yaml_lists);
}

}  // namespace orrery::core
