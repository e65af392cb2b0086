#include "topology/any_network.hpp"

#include <utility>

#include "topology/graph/graph_file.hpp"
#include "topology/network_file.hpp"
#include "topology/network_yaml_file.hpp"

namespace orrery {
namespace {

Topology topology_of(BuiltNetwork built) {
  Topology topology;
  for (const int size : built.groups) {
    Dimension& dimension = topology.dimensions.emplace_back();
    dimension.name = "dim" + std::to_string(topology.dimensions.size() - 1);
    dimension.block = Block::switched;
    dimension.size = size;
  }
  topology.graph = std::make_shared<const NetworkGraph>(std::move(built.graph));
  return topology;
}

}  // namespace

Topology read_any_network(std::string_view text, const std::string& file, Warnings& warnings) {
  if (text.find("\"units-count\"") != text.npos || text.find("\"topologies-per-dim\"") != text.npos)
    return read_network_file(text, file, {}, warnings);
  if (text.find("npus_count:") != text.npos) return read_network_yaml_file(text, file, warnings);
  return topology_of(read_graph_file(text, file, warnings));
}

}  // namespace orrery
