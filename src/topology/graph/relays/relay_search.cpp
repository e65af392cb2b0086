#include "topology/graph/relays/relay_search.hpp"

#include <functional>
#include <limits>
#include <queue>

#include "base/random.hpp"

namespace orrery::core {
namespace {

constexpr std::uint32_t no_route = std::numeric_limits<std::uint32_t>::max();

}  // namespace

RelaySearch::Cost RelaySearch::cost(std::uint64_t relays, std::uint64_t links) const {
  return relaying_ == Relaying::always ? links << 32 | relays : relays << 32 | links;
}

bool RelaySearch::has_relays(Cost cost) const {
  return (relaying_ == Relaying::always ? cost & no_route : cost >> 32) > 0;
}

void RelaySearch::set_broken(LinkId link, bool broken) {
  if (is_broken(link) == broken) return;
  broken_.resize(graph_.links());
  broken_[link.index()] = broken;
  costs_.clear();
  known_.clear();
}

std::optional<NodeId> RelaySearch::first(NodeId source, NodeId destination) {
  const auto [known, is_new] = known_.try_emplace({source, destination});
  if (is_new) known->second = find_first(source, destination);
  return known->second;
}

// A hash chooses one of the NPUs that do equally well.
std::optional<NodeId> RelaySearch::find_first(NodeId source, NodeId destination) {
  const std::vector<Cost>& costs = costs_to(destination);
  if (costs[source.index()] == unreachable || !has_relays(costs[source.index()])) return std::nullopt;
  const std::vector<std::uint32_t> links = links_from(source);
  std::uint64_t equal = 0;
  std::optional<NodeId> relay;
  Random random(seed_ ^ (std::uint64_t{source.value()} << 32 | destination.value()));
  for (const NodeId npu : graph_.all_npus()) {
    if (npu == source || npu == destination || !can_relay(npu)) continue;
    if (links[npu.index()] == no_route || costs[npu.index()] == unreachable) continue;
    if (costs[npu.index()] + cost(1, links[npu.index()]) != costs[source.index()]) continue;
    if (random.next() % ++equal == 0) relay = npu;
  }
  return relay;
}

const std::vector<RelaySearch::Cost>& RelaySearch::costs_to(NodeId destination) {
  constexpr std::size_t many = 256;  // of which each has an entry for every node
  if (costs_.size() >= many && !costs_.contains(destination)) costs_.clear();
  const auto [known, is_new] = costs_.try_emplace(destination);
  if (is_new) known->second = work_out_costs_to(destination);
  return known->second;
}

// Dijkstra's algorithm, against the direction of the links.
std::vector<RelaySearch::Cost> RelaySearch::work_out_costs_to(NodeId destination) const {
  std::vector<Cost> costs(graph_.nodes(), unreachable);
  using Entry = std::pair<Cost, NodeId>;
  std::priority_queue<Entry, std::vector<Entry>, std::greater<>> queue;
  costs[destination.index()] = 0;
  queue.push({0, destination});
  while (!queue.empty()) {
    const auto [so_far, node] = queue.top();
    queue.pop();
    if (so_far > costs[node.index()]) continue;
    const bool relays = node != destination && can_relay(node);
    if (node != destination && !relays && !graph_.node(node).forwards) continue;
    const Cost before = so_far + cost(relays ? 1 : 0, 1);
    for (const LinkId link : graph_.links_to(node)) {
      const NodeId from = graph_.link(link).from;
      if (is_broken(link) || before >= costs[from.index()]) continue;
      costs[from.index()] = before;
      queue.push({before, from});
    }
  }
  return costs;
}

// Breadth first. Only nodes that forward have others behind them.
std::vector<std::uint32_t> RelaySearch::links_from(NodeId source) const {
  std::vector<std::uint32_t> links(graph_.nodes(), no_route);
  std::vector<NodeId> queue{source};
  links[source.index()] = 0;
  for (std::size_t i = 0; i < queue.size(); ++i) {
    if (queue[i] != source && !graph_.node(queue[i]).forwards) continue;
    for (const LinkId link : graph_.links_from(queue[i])) {
      const NodeId to = graph_.link(link).to;
      if (links[to.index()] != no_route || is_broken(link)) continue;
      links[to.index()] = links[queue[i].index()] + 1;
      queue.push_back(to);
    }
  }
  return links;
}

}  // namespace orrery::core
