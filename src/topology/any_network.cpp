#include "topology/any_network.hpp"

#include <algorithm>
#include <limits>
#include <utility>

#include "topology/graph/routes.hpp"
#include "topology/network_file.hpp"
#include "topology/network_yaml_file.hpp"

namespace orrery {
namespace {

// Returns the last NPU that differs from NPU 0 in its place in that dimension alone. Where groups are one
// NPU, it is that of the nearest dimension inside or else outside whose groups are larger; 0: there is none.
NodeId last_of_group(const std::vector<int>& sizes, std::size_t d) {
  NodeId stride = 1, last = 0;
  for (std::size_t i = 0; i < sizes.size() && (i <= d || last == 0); ++i) {
    const auto size = static_cast<NodeId>(sizes[i]);
    if (size > 1) last = stride * (size - 1);
    stride *= size;
  }
  return last;
}

// Gives the dimension the bandwidth and latency of the way from NPU 0 to another one, for those that look at
// dimensions and not at the graph, such as the closed forms of a library.
void measure(Dimension& dimension, const NetworkGraph& graph, Routes& routes, NodeId npu) {
  dimension.link_bandwidth = Bandwidth::from_gb_per_s(1);
  if (npu == 0) return;
  const std::optional<Route> route = routes.find(0, npu, 0);
  if (!route) return;
  double slowest = std::numeric_limits<double>::infinity();
  for (const Route::Part& part : route->parts)
    slowest = std::min(slowest, graph.link(part.link).bandwidth.bytes_per_ns() / part.share);
  dimension.link_latency_ns = route->latency.ns() / 2;  // a switch is two hops
  dimension.link_bandwidth = Bandwidth::from_gb_per_s(slowest);
}

}  // namespace

Topology topology_of(BuiltNetwork built) {
  Topology topology;
  Routes routes(built.graph);
  for (const int size : built.groups) {
    Dimension& dimension = topology.dimensions.emplace_back();
    dimension.name = "dim" + std::to_string(topology.dimensions.size() - 1);
    dimension.block = Block::switched;
    dimension.size = size;
    dimension.links = 1;
    measure(dimension, built.graph, routes, last_of_group(built.groups, topology.dimensions.size() - 1));
  }
  topology.graph = std::make_shared<const NetworkGraph>(std::move(built.graph));
  return topology;
}

Topology read_graph_network(const InputNode& map) {
  return topology_of(read_graph(map));
}

Topology read_any_network(std::string_view text, const std::string& file, Warnings& warnings) {
  if (is_graph_file(text)) return topology_of(read_graph_file(text, file, warnings));
  if (text.find("npus_count:") != text.npos) return read_network_yaml_file(text, file, warnings);
  return read_network_file(text, file, {}, warnings);
}

}  // namespace orrery
