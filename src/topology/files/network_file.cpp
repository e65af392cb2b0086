#include "topology/files/network_file.hpp"

#include <array>

#include <fmt/format.h>

#include "base/diagnostics/words.hpp"
#include "base/files/foreign_files.hpp"
#include "base/input/map_entries.hpp"
#include "topology/files/dimension_lists.hpp"

namespace orrery::core {
namespace {

constexpr std::array<EnumName<Packaging>, 4> packagings{{
    {"Tile", Packaging::tile},
    {"Package", Packaging::package},
    {"Node", Packaging::node},
    {"Pod", Packaging::pod},
}};

// The reference takes every other word for a node.
Packaging packaging_of(const InputNode& node, const KeyFacts& key) {
  return value_of(packagings, scalar_of(node, key.name)).value_or(Packaging::node);
}

Bandwidth gib_per_s(const InputNode& node, const KeyFacts& key) {
  return Bandwidth::from_gib_per_s(number_of(node, key.name));
}
Bandwidth gb_per_s(const InputNode& node, const KeyFacts& key) {
  return Bandwidth::from_gb_per_s(number_of(node, key.name));
}

template <double Dimension::*member>
constexpr auto latency(std::string_view name, std::string_view fallback, std::string_view meaning) {
  return key::number<member>(name, "ns, 0 to 30 days", fallback, meaning);
}

constexpr DimensionList lists[] = {
    {key::word<astra_block_words, &Dimension::block>("topologies-per-dim", "required",
                                                     "as `network[].topology`"),
     DimensionPart::block},
    {key::integer<&Dimension::size>(
         "units-count", 1, max_npus, "required",
         "number of NPUs along the dimension; at least 2 if fully connected, and at most 2²⁷ altogether"),
     DimensionPart::size},
    {key::integer<&Dimension::links>("links-count", 1, max_links, "required",
                                     "links per NPU, as `network[].links`"),
     DimensionPart::links},
    {key::declared<gib_per_s, KeyType::other, &Dimension::link_bandwidth>(
         "link-bandwidth", "required", "bandwidth of one link in one direction")
         .of("GiB/s, above 0"),
     DimensionPart::link_bandwidth},
    {latency<&Dimension::link_latency_ns>("link-latency", "required", "latency per hop"),
     DimensionPart::link_latency},
    {latency<&Dimension::nic_latency_ns>("nic-latency", "0",
                                         "latency of a NIC, which each message pays twice"),
     DimensionPart::nic_latency},
    {latency<&Dimension::router_latency_ns>(
         "router-latency", "0", "latency of a router, which each message pays once; for switches only"),
     DimensionPart::router_latency},
    {latency<&Dimension::hbm_latency_ns>("hbm-latency", "0", "as `network[].memory.latency`"),
     DimensionPart::hbm_latency},
    {key::declared<gb_per_s, KeyType::other, &Dimension::hbm_bandwidth>(
         "hbm-bandwidth", "1", "as `network[].memory.bandwidth`; decimal, unlike `link-bandwidth`")
         .of("GB/s, above 0"),
     DimensionPart::hbm_bandwidth},
    {key::number<&Dimension::hbm_scale>("hbm-scale", "0 or more", "0",
                                        "as `network[].memory.scale`; 0 turns the memory off"),
     DimensionPart::hbm_scale},
    {key::declared<packaging_of, KeyType::other, &Dimension::packaging>(
         "dimension-type", "`Node`", "as `network[].packaging`; any other word counts as Node")
         .of("`Tile`, `Package`, `Node`, `Pod`"),
     DimensionPart::packaging},
};

enum class Kind { hierarchical };
constexpr std::array<EnumName<Kind>, 1> kinds{{{"Hierarchical", Kind::hierarchical}}};

struct Head {
  Kind kind = Kind::hierarchical;
  std::size_t dimensions = 1;
};
constexpr Key<Head> head_keys[] = {
    key::word<kinds, &Head::kind>("topology-name", "", "the only name that is known"),
    key::integer<&Head::dimensions>("dimensions-count", 1, 10, "1", "number of dimensions"),
};

// Puts a list of the command line in the place of the file's.
void replace_list(InputNode& root, std::string_view key, const char* flag, const auto& values) {
  if (values.empty()) return;
  InputNode list{InputNode::Kind::list, {}, {}, {}, {flag}};
  for (const auto& value : values)
    list.items.push_back({InputNode::Kind::number, fmt::format("{}", value), {}, {}, {flag}});
  set_entry(root, key, std::move(list));
}

}  // namespace

Topology read_network_file(std::string_view text, const std::string& file, const NetworkOverrides& overrides,
                           Warnings& warnings) {
  refuse_foreign(text, file);
  InputNode root = parse_json(text, file);
  std::vector<std::string_view> known = names_of(head_keys);
  for (const DimensionList& list : lists) known.push_back(list.name);
  require_map_of(root, "the network file", known, &warnings);
  replace_list(root, "units-count", "--units-count", overrides.units_count);
  replace_list(root, "links-count", "--links-count", overrides.links_count);
  replace_list(root, "link-bandwidth", "--link-bandwidth", overrides.link_bandwidth);
  replace_list(root, "link-latency", "--link-latency", overrides.link_latency);
  Head head;
  read_known_keys(root, head_keys, head);
  return read_dimension_lists(root, lists, head.dimensions, nullptr, warnings);
}

std::vector<KeyPath> network_file_keys() {
  std::vector<KeyPath> keys = key_paths("", head_keys);
  for (KeyPath& key : key_paths("", lists)) keys.push_back(std::move(key));
  return keys;
}

}  // namespace orrery::core
