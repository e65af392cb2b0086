#include "topology/graph/measures/graph_levels.hpp"

#include <algorithm>
#include <numeric>

namespace orrery::core {

std::vector<int> levels_of_nodes(const NetworkGraph& graph) {
  std::vector<int> levels(graph.nodes(), -1);
  std::vector<NodeId> queue(graph.npus());
  std::iota(queue.begin(), queue.end(), NodeId(0));
  std::fill_n(levels.begin(), graph.npus(), 0);
  for (std::size_t next = 0; next < queue.size(); ++next)
    for (const LinkId link : graph.links_from(queue[next])) {
      const NodeId to = graph.link(link).to;
      if (levels[to.index()] >= 0) continue;
      levels[to.index()] = levels[queue[next].index()] + 1;
      queue.push_back(to);
    }
  return levels;
}

bool leads_up(const NetworkGraph& graph, const std::vector<int>& levels, NodeId node) {
  return std::ranges::any_of(graph.links_from(node), [&](LinkId link) {
    return levels[graph.link(link).to.index()] == levels[node.index()] + 1;
  });
}

std::vector<LevelLinks> links_of_levels(const NetworkGraph& graph) {
  const std::vector<int> levels = levels_of_nodes(graph);
  std::vector<LevelLinks> found(static_cast<std::size_t>(*std::ranges::max_element(levels)) + 1);
  for (const NodeId node : graph.all_nodes()) {
    if (levels[node.index()] < 1) continue;
    double down = 0, up = 0;
    for (const LinkId link : graph.links_from(node))
      if (levels[graph.link(link).to.index()] == levels[node.index()] + 1)
        up += graph.link(link).bandwidth.bytes_per_ns();
    for (const LinkId link : graph.links_to(node))
      if (levels[graph.link(link).from.index()] == levels[node.index()] - 1)
        down += graph.link(link).bandwidth.bytes_per_ns();
    if (up == 0) continue;
    LevelLinks& at = found[static_cast<std::size_t>(levels[node.index()])];
    at.level = levels[node.index()];
    ++at.nodes;
    at.down += down;
    at.up += up;
  }
  std::erase_if(found, [](const LevelLinks& at) { return at.nodes == 0; });
  return found;
}

}  // namespace orrery::core
