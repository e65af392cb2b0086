// Orrery's own description of a network: a map that names a builder, or one of nodes and links.
#include "topology/graph/builders/network_plan.hpp"
#include "topology/graph/graph_formats.hpp"
#include "topology/graph/written_graph.hpp"

namespace orrery {
namespace {

constexpr std::string_view first_keys[] = {"build:", "nodes:"};

bool is_yaml_graph(std::string_view text) {
  if (text.starts_with('{')) return true;
  for (const std::string_view key : first_keys)
    if (text.starts_with(key) || text.find("\n" + std::string(key)) != text.npos) return true;
  return false;
}

BuiltNetwork read_yaml_graph(std::string_view text, const std::string& file, Warnings&) {
  const InputNode map = parse_yaml(text, file);
  return map.find("nodes") ? read_written_graph(map) : build_network(map);
}

}  // namespace

const GraphFormat yaml_graph_format{"Orrery's network files", is_yaml_graph, read_yaml_graph};

}  // namespace orrery
