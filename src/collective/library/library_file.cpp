#include "collective/library/library_file.hpp"

#include "base/embedded_file.hpp"
#include "base/file.hpp"
#include "base/nearest_names.hpp"
#include "base/yaml_reader.hpp"

namespace orrery {
namespace {

constexpr double most_steps = 10;
constexpr double most_growth = 2;
constexpr std::string_view class_of_links = "a class of links";

double library_seconds(const YamlNode& node, std::string_view key) {
  return time_of(node, key).ns() * 1e-9;
}

double bytes_per_second(const YamlNode& node, std::string_view key) {
  return bandwidth_of(node, key).bytes_per_ns() * 1e9;
}

// Above zero, at most 1.
double efficiency_of(const YamlNode& node, std::string_view key) {
  return real_of(node, key, 1e-6, 1);
}

void read_ring_shares(const YamlNode& node, InsideLink& link) {
  link.ring_shares.clear();
  for (const YamlNode& share : list_of(node, "ring-shares"))
    link.ring_shares.push_back(efficiency_of(share, "ring-shares"));
}

constexpr YamlKey<InsideLink> inside_keys[] = {
    {"bandwidth", [](const YamlNode& v, InsideLink& l) { l.bandwidth = bytes_per_second(v, "bandwidth"); }},
    {"efficiency", [](const YamlNode& v, InsideLink& l) { l.efficiency = efficiency_of(v, "efficiency"); }},
    {"step", [](const YamlNode& v, InsideLink& l) { l.step_seconds = library_seconds(v, "step"); }},
    {"copy-steps",
     [](const YamlNode& v, InsideLink& l) { l.copy_steps = real_of(v, "copy-steps", 0, most_steps); }},
    {"switch-efficiency",
     [](const YamlNode& v, InsideLink& l) { l.switch_efficiency = efficiency_of(v, "switch-efficiency"); }},
    {"switch-latency",
     [](const YamlNode& v, InsideLink& l) { l.switch_seconds = library_seconds(v, "switch-latency"); }},
    {"ring-shares", read_ring_shares},
    {"launch", [](const YamlNode& v, InsideLink& l) { l.launch_seconds = library_seconds(v, "launch"); }},
};

constexpr YamlKey<BetweenLink> between_keys[] = {
    {"bandwidth", [](const YamlNode& v, BetweenLink& l) { l.bandwidth = bytes_per_second(v, "bandwidth"); }},
    {"efficiency", [](const YamlNode& v, BetweenLink& l) { l.efficiency = efficiency_of(v, "efficiency"); }},
    {"step", [](const YamlNode& v, BetweenLink& l) { l.step_seconds = library_seconds(v, "step"); }},
    {"short-step",
     [](const YamlNode& v, BetweenLink& l) { l.short_step_seconds = library_seconds(v, "short-step"); }},
    {"switch-efficiency",
     [](const YamlNode& v, BetweenLink& l) { l.switch_efficiency = efficiency_of(v, "switch-efficiency"); }},
};

constexpr YamlKey<ProtocolConstants> protocol_keys[] = {
    {"latency", [](const YamlNode& v, ProtocolConstants& p) { p.latency = efficiency_of(v, "latency"); }},
    {"bandwidth",
     [](const YamlNode& v, ProtocolConstants& p) { p.bandwidth = efficiency_of(v, "bandwidth"); }},
};

constexpr YamlKey<ProtocolConstants> ll_keys[] = {
    protocol_keys[0],
    protocol_keys[1],
    {"hop", [](const YamlNode& v, ProtocolConstants& p) { p.hop = efficiency_of(v, "hop"); }},
};

constexpr YamlKey<ProtocolConstants> full_keys[] = {
    {"latency",
     [](const YamlNode& v, ProtocolConstants& p) { p.full_latency = efficiency_of(v, "latency"); }},
    {"bandwidth",
     [](const YamlNode& v, ProtocolConstants& p) { p.full_bandwidth = efficiency_of(v, "bandwidth"); }},
};

// A map whose keys are the classes' names.
template <class Link, class Keys>
void read_classes(const YamlNode& node, std::string_view what, const Keys& keys, std::vector<Link>& links) {
  require_map(node, what);
  for (std::size_t i = 0; i < node.names.size(); ++i) {
    required(node.items[i], class_of_links, "bandwidth");
    Link& link = links.emplace_back();
    link.name = node.names[i].text;
    read_map(node.items[i], class_of_links, keys, link);
  }
}

template <class Keys>
ProtocolConstants& read_protocol(const YamlNode& node, LibraryConstants& library, Protocol protocol,
                                 const Keys& keys) {
  ProtocolConstants& constants = library.protocols[static_cast<std::size_t>(protocol)];
  constexpr auto what = "a protocol";
  for (const auto key : {"latency", "bandwidth"}) required(node, what, key);
  read_map(node, what, keys, constants);
  return constants;
}

constexpr YamlKey<LibraryConstants> protocols_keys[] = {
    {"ll128",
     [](const YamlNode& v, LibraryConstants& l) {
       read_protocol(v, l, Protocol::ll128, protocol_keys).known = true;
     },
     [] { return key_paths(".", protocol_keys); }},
    {"ll128-full",
     [](const YamlNode& v, LibraryConstants& l) { read_protocol(v, l, Protocol::ll128, full_keys); },
     [] { return key_paths(".", full_keys); }},
    {"ll",
     [](const YamlNode& v, LibraryConstants& l) { read_protocol(v, l, Protocol::ll, ll_keys).known = true; },
     [] { return key_paths(".", ll_keys); }},
};

void read_library_sources(const YamlNode& node, LibraryConstants& library) {
  require_map(node, "the sources of a library");
  for (std::size_t i = 0; i < node.names.size(); ++i)
    library.sources.push_back(node.names[i].text + ": " + scalar_of(node.items[i], node.names[i].text));
}

constexpr YamlKey<LibraryConstants> library_keys[] = {
    {"name", [](const YamlNode& v, LibraryConstants& l) { l.name = label_of(v, "name"); }},
    {"sources", read_library_sources},
    {"launch",
     [](const YamlNode& v, LibraryConstants& l) { l.launch_seconds = library_seconds(v, "launch"); }},
    {"send-launch",
     [](const YamlNode& v, LibraryConstants& l) { l.send_seconds = library_seconds(v, "send-launch"); }},
    {"lone-call",
     [](const YamlNode& v, LibraryConstants& l) { l.lone_call_seconds = library_seconds(v, "lone-call"); }},
    {"step-growth", [](const YamlNode& v,
                       LibraryConstants& l) { l.step_growth = real_of(v, "step-growth", 0, most_growth); }},
    {"tree-efficiency",
     [](const YamlNode& v, LibraryConstants& l) { l.tree_efficiency = efficiency_of(v, "tree-efficiency"); }},
    {"pairwise-inside",
     [](const YamlNode& v, LibraryConstants& l) { l.pairwise_inside = efficiency_of(v, "pairwise-inside"); }},
    {"pairwise-between",
     [](const YamlNode& v, LibraryConstants& l) {
       l.pairwise_between = efficiency_of(v, "pairwise-between");
     }},
    {"protocols",
     [](const YamlNode& v, LibraryConstants& l) { read_map(v, "the protocols", protocols_keys, l); },
     [] { return key_paths(".", protocols_keys); }},
    {"inside",
     [](const YamlNode& v, LibraryConstants& l) {
       read_classes(v, "the links inside nodes", inside_keys, l.inside);
     },
     [] { return key_paths(".<class>.", inside_keys); }},
    {"between",
     [](const YamlNode& v, LibraryConstants& l) {
       read_classes(v, "the links between nodes", between_keys, l.between);
     },
     [] { return key_paths(".<class>.", between_keys); }},
};

bool is_library_file(std::string_view text) {
  return text.find('/') != std::string_view::npos || text.ends_with(".yaml") || text.ends_with(".yml");
}

template <class Link, class Keys>
void read_facts(const YamlNode& map, const Keys& keys, Link& link) {
  std::vector<std::string_view> known{"base"};
  for (const auto& key : keys) known.push_back(key.name);
  require_map_of(map, class_of_links, known);
  for (const auto& key : keys)
    if (const YamlNode* value = map.find(key.name)) key.read(*value, link);
}

template <class Keys>
std::vector<std::string> keys_with_base(const Keys& keys) {
  std::vector<std::string> paths = key_paths(".", keys);
  paths.insert(paths.begin(), ".base");
  return paths;
}

}  // namespace

void change_link(const YamlNode& map, InsideLink& link) {
  read_facts(map, inside_keys, link);
}
void change_link(const YamlNode& map, BetweenLink& link) {
  read_facts(map, between_keys, link);
}

std::vector<std::string> inside_link_keys() {
  return keys_with_base(inside_keys);
}
std::vector<std::string> between_link_keys() {
  return keys_with_base(between_keys);
}

LibraryConstants read_library_file(std::string_view text, const std::string& file) {
  constexpr auto what = "a library";
  const YamlNode root = parse_yaml(text, file);
  LibraryConstants library;
  read_map(root, what, library_keys, library);
  for (const auto key : {"name", "inside"}) required(root, what, key);
  const ProtocolConstants& ll128 = library[Protocol::ll128];
  if (ll128.full_bandwidth > 0 && !ll128.known)
    throw InputError(root.where, "`protocols.ll128-full` is nothing without `protocols.ll128`, give both");
  return library;
}

LibraryConstants find_library_constants(const std::string& name_or_file, const SourceLocation& where) {
  if (is_library_file(name_or_file)) return read_library_file(read_text_file(name_or_file), name_or_file);
  const std::string file = "libraries/" + name_or_file + ".yaml";
  if (const auto text = embedded_file(file)) return read_library_file(*text, file);
  const auto names = collective_library_names();
  throw InputError(where, none_of_name("library", name_or_file, names) + "; a library file ends in .yaml");
}

std::vector<std::string_view> collective_library_names() {
  return embedded_names("libraries");
}

std::vector<std::string> library_file_keys() {
  return key_paths("", library_keys);
}

}  // namespace orrery
