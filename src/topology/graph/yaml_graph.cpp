// Orrery's own description of a network: a map that names a builder, or one of nodes and links.
#include "topology/graph/builders/network_plan.hpp"
#include "topology/graph/graph_formats.hpp"
#include "topology/graph/written_graph.hpp"

namespace orrery {
namespace {

// Whether a line begins with one of the keys, or a map in braces or JSON has it.
bool is_yaml_graph(std::string_view text) {
  for (const std::string key : {"build", "nodes"}) {
    if (text.starts_with(key + ":") || text.find("\n" + key + ":") != text.npos) return true;
    if (!text.starts_with('{')) continue;
    if (text.find("\"" + key + "\"") != text.npos || text.find(key + ":") != text.npos) return true;
  }
  return false;
}

BuiltNetwork read_yaml_graph(std::string_view text, const std::string& file, Warnings&) {
  const InputNode map = parse_yaml(text, file);
  return map.find("nodes") ? read_written_graph(map) : build_network(map);
}

}  // namespace

const GraphFormat yaml_graph_format{"Orrery's network files", is_yaml_graph, read_yaml_graph};

}  // namespace orrery
