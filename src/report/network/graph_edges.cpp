#include "report/network/graph_edges.hpp"

#include <map>
#include <tuple>

namespace orrery::core {

std::vector<GraphEdge> edges_of(const NetworkGraph& graph) {
  std::map<std::tuple<NodeId, NodeId, bool, double, Time, double>, std::size_t> places;
  std::vector<GraphEdge> edges;
  for (const LinkId id : graph.all_links()) {
    const bool both = graph.reverse(id) != LinkId::none;
    if (both && graph.reverse(id) < id) continue;
    const NetworkLink& link = graph.link(id);
    const auto [place, is_new] = places.try_emplace(
        {link.from, link.to, both, link.bandwidth.bytes_per_ns(), link.latency, link.loss}, edges.size());
    if (is_new) edges.push_back({id, both, 0});
    ++edges[place->second].cables;
  }
  return edges;
}

}  // namespace orrery::core
