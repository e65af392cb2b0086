#include "topology/any_network.hpp"

#include <algorithm>
#include <limits>
#include <utility>

#include "topology/graph/graph_file.hpp"
#include "topology/graph/routes.hpp"
#include "topology/network_file.hpp"
#include "topology/network_yaml_file.hpp"

namespace orrery {
namespace {

// Gives the dimension the bandwidth and latency of the way from NPU 0 to the last of its group, for those
// that look at dimensions and not at the graph, such as the closed forms of a library.
void measure(Dimension& dimension, const NetworkGraph& graph, Routes& routes, NodeId last) {
  dimension.link_bandwidth = Bandwidth::from_gb_per_s(1);
  const std::optional<Route> route = routes.find(0, last, 0);
  if (!route) return;
  double slowest = std::numeric_limits<double>::infinity();
  for (const Route::Part& part : route->parts)
    slowest = std::min(slowest, graph.link(part.link).bandwidth.bytes_per_ns() / part.share);
  dimension.link_latency_ns = route->latency.ns() / 2;  // a switch is two hops
  dimension.link_bandwidth = Bandwidth::from_gb_per_s(slowest);
}

Topology topology_of(BuiltNetwork built) {
  Topology topology;
  Routes routes(built.graph);
  NodeId stride = 1;
  for (const int size : built.groups) {
    Dimension& dimension = topology.dimensions.emplace_back();
    dimension.name = "dim" + std::to_string(topology.dimensions.size() - 1);
    dimension.block = Block::switched;
    dimension.size = size;
    dimension.links = 1;
    if (size > 1) measure(dimension, built.graph, routes, stride * static_cast<NodeId>(size - 1));
    stride *= static_cast<NodeId>(size);
  }
  topology.graph = std::make_shared<const NetworkGraph>(std::move(built.graph));
  return topology;
}

}  // namespace

Topology read_graph_network(const InputNode& map) {
  return topology_of(read_graph(map));
}

Topology read_any_network(std::string_view text, const std::string& file, Warnings& warnings) {
  if (is_graph_file(text)) return topology_of(read_graph_file(text, file, warnings));
  if (text.find("npus_count:") != text.npos) return read_network_yaml_file(text, file, warnings);
  return read_network_file(text, file, {}, warnings);
}

}  // namespace orrery
