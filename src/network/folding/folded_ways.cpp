#include "network/folding/folded_ways.hpp"

#include "network/folding/dimension_links.hpp"
#include "network/folding/graph_links.hpp"
#include "network/folding/product_ways.hpp"

namespace orrery {

int PeerMessages::receiver(int npu) const {
  const auto size = static_cast<std::uint32_t>(group.size);
  const auto position = static_cast<std::uint32_t>(group.position(npu));
  const std::uint32_t there = exclusive_or ? position ^ amount : (position + amount) % size;
  return group.base(npu) + static_cast<int>(there) * group.stride;
}

std::optional<FoldedWays> find_folded_ways(const Topology& topology, const Dialect& dialect,
                                           const std::vector<PeerMessages>& messages) {
  if (!topology.graph) return find_ways_of_dimensions(topology, dialect, messages);
  if (const NetworkProduct* product = topology.graph.product())
    if (std::optional<FoldedWays> ways = find_product_ways(*product, messages)) return ways;
  GraphLinks links(topology);
  return colour_links(links, topology.npus(), messages);
}

}  // namespace orrery
