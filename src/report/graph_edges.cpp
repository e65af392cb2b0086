#include "report/graph_edges.hpp"

#include <map>
#include <tuple>

namespace orrery {

bool both_ways_alike(const NetworkGraph& graph, LinkId link) {
  const LinkId back = graph.reverse(link);
  if (back == NetworkGraph::no_link) return false;
  const LinkProperties &there = graph.link(link), &here = graph.link(back);
  return there.bandwidth.bytes_per_ns() == here.bandwidth.bytes_per_ns() && there.latency == here.latency &&
         there.loss == here.loss;
}

std::vector<GraphEdge> edges_of(const NetworkGraph& graph) {
  std::map<std::tuple<NodeId, NodeId, bool, double, Time, double>, std::size_t> places;
  std::vector<GraphEdge> edges;
  for (LinkId id = 0; id < graph.links(); ++id) {
    const bool both = both_ways_alike(graph, id);
    if (both && graph.reverse(id) < id) continue;
    const NetworkLink& link = graph.link(id);
    const auto [place, is_new] = places.try_emplace(
        {link.from, link.to, both, link.bandwidth.bytes_per_ns(), link.latency, link.loss}, edges.size());
    if (is_new) edges.push_back({id, both, 0});
    ++edges[place->second].cables;
  }
  return edges;
}

}  // namespace orrery
