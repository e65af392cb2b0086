#include "topology/graph/routes.hpp"

#include <algorithm>
#include <cassert>

#include "base/random.hpp"

namespace orrery {

const Routes::Distances& Routes::distances_to(NodeId destination) {
  if (of_destination_.empty()) of_destination_.resize(graph_.nodes());
  const Distances*& known = of_destination_[destination];
  if (known) return *known;
  std::vector<NodeId> last;
  for (const LinkId link : graph_.links_to(destination)) last.push_back(graph_.link(link).from);
  std::ranges::sort(last);
  last.erase(std::unique(last.begin(), last.end()), last.end());
  const auto [found, is_new] = distances_.try_emplace(last);
  if (is_new) found->second = count_links(last);
  known = &found->second;
  return *known;
}

// Breadth first, against the direction of the links. Only nodes that forward have others behind them.
Routes::Distances Routes::count_links(const std::vector<NodeId>& last) const {
  Distances left(graph_.nodes(), unreachable);
  for (const NodeId node : last) left[node] = 1;
  std::vector<NodeId> queue = last;
  for (std::size_t i = 0; i < queue.size(); ++i) {
    const NodeId node = queue[i];
    if (!graph_.node(node).forwards || left[node] + 1 == unreachable) continue;
    for (const LinkId link : graph_.links_to(node)) {
      const NodeId before = graph_.link(link).from;
      if (left[before] != unreachable) continue;
      left[before] = static_cast<std::uint16_t>(left[node] + 1);
      queue.push_back(before);
    }
  }
  return left;
}

std::uint32_t Routes::hops(NodeId source, NodeId destination) {
  return distances_to(destination)[source];
}

bool Routes::leads_on(LinkId link, NodeId destination, const Distances& left) const {
  const NetworkLink& of = graph_.link(link);
  if (left[of.from] == 1) return of.to == destination;
  return left[of.to] + 1 == left[of.from] && graph_.node(of.to).forwards;
}

void Routes::leave(NodeId node, NodeId destination, const Distances& left, std::uint64_t hash) {
  next_.clear();
  std::uint32_t choices = 0;
  bool striped = false;
  for (const LinkId link : graph_.links_from(node)) {
    if (!leads_on(link, destination, left)) continue;
    if (graph_.link(link).striped) {
      if (!striped) next_.clear();
      striped = true;
      next_.push_back(link);
    } else if (!striped) {
      // Of n links that lead on, each is the last one to be taken with probability 1/n.
      if (++choices == 1 || Random(hash ^ (std::uint64_t{link} << 20)).next() % choices == 0) next_ = {link};
    }
  }
}

// All branches of a flow are equally many links away from the destination.
std::optional<Route> Routes::find(NodeId source, NodeId destination, std::uint64_t flow) {
  assert(source != destination);
  const Distances& left = distances_to(destination);
  if (left[source] == unreachable) return std::nullopt;
  const std::uint64_t hash = Random(seed_ ^ Random(flow).next()).next();
  Route route;
  std::vector<Branch> branches{{source, 1, Time()}}, next;
  while (branches[0].node != destination) {
    next.clear();
    for (const Branch& branch : branches) {
      leave(branch.node, destination, left, hash);
      const double share = branch.share / static_cast<double>(next_.size());
      for (const LinkId id : next_) {
        const NetworkLink& link = graph_.link(id);
        const Time latency = branch.latency + link.latency;
        route.parts.push_back({id, share});
        const auto there = std::ranges::find(next, link.to, &Branch::node);
        if (there == next.end()) {
          next.push_back({link.to, share, latency});
        } else {
          there->share += share;
          there->latency = std::max(there->latency, latency);
        }
      }
    }
    branches.swap(next);
  }
  route.latency = branches[0].latency;
  return route;
}

}  // namespace orrery
