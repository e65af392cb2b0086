// Orrery's own description of a network: a map that names a builder, or one of nodes and links.
#include <algorithm>

#include "topology/graph/builders/network_plan.hpp"
#include "topology/graph/graph_formats.hpp"
#include "topology/graph/written_graph.hpp"

namespace orrery {
namespace {

const std::string first_keys[] = {"build", "nodes"};

// One of the keys stands at the beginning of a line, or anywhere in a map in braces.
bool is_yaml_graph(std::string_view text) {
  const bool in_braces = text.starts_with('{');
  for (const std::string& key : first_keys) {
    if (in_braces && (text.find(key + ":") != text.npos || text.find("\"" + key + "\":") != text.npos))
      return true;
    if (text.starts_with(key + ":") || text.find("\n" + key + ":") != text.npos) return true;
  }
  return false;
}

BuiltNetwork read_yaml_graph(std::string_view text, const std::string& file, Warnings&) {
  return read_graph(parse_yaml(text, file));
}

}  // namespace

bool is_graph(const InputNode& node) {
  return std::ranges::any_of(first_keys, [&](const std::string& key) { return node.find(key) != nullptr; });
}

BuiltNetwork read_graph(const InputNode& map) {
  return map.find("nodes") ? read_written_graph(map) : build_network(map);
}

const GraphFormat yaml_graph_format{"Orrery's network files", is_yaml_graph, read_yaml_graph};

}  // namespace orrery
