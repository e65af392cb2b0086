#include "topology/graph/routing/routes.hpp"

#include <algorithm>
#include <cassert>
#include <limits>

#include "base/random.hpp"

namespace orrery::core {

const Routes::Distances& Routes::distances_to(NodeId destination) {
  if (of_destination_.empty()) of_destination_.resize(graph_.nodes());
  const Distances*& known = of_destination_[destination.index()];
  if (known) return *known;
  std::vector<NodeId> last;
  for (const LinkId link : graph_.links_to(destination))
    if (!is_broken(link)) last.push_back(graph_.link(link).from);
  std::ranges::sort(last);
  last.erase(std::unique(last.begin(), last.end()), last.end());
  const auto [found, is_new] = distances_.try_emplace(last);
  if (is_new) found->second = count_links(last);
  known = &found->second;
  return *known;
}

const Routes::Distances& Routes::distances_between(NodeId source, NodeId destination) {
  constexpr std::uint8_t few = 16;  // for which a table of all distances does not pay
  pairs_to_.resize(graph_.nodes());
  if (pairs_to_[destination.index()] == few) return distances_to(destination);
  ++pairs_to_[destination.index()];
  return of_pair_.between(source, destination, broken_);
}

// Breadth first, against the direction of the links. Only nodes that forward have others behind them.
Routes::Distances Routes::count_links(const std::vector<NodeId>& last) const {
  Distances left(graph_.nodes(), unreachable);
  for (const NodeId node : last) left[node.index()] = 1;
  std::vector<NodeId> queue = last;
  for (std::size_t i = 0; i < queue.size(); ++i) {
    const NodeId node = queue[i];
    if (!graph_.node(node).forwards || left[node.index()] + 1 == unreachable) continue;
    for (const LinkId link : graph_.links_to(node)) {
      const NodeId before = graph_.link(link).from;
      if (left[before.index()] != unreachable || is_broken(link)) continue;
      left[before.index()] = static_cast<std::uint16_t>(left[node.index()] + 1);
      queue.push_back(before);
    }
  }
  return left;
}

std::uint32_t Routes::hops(NodeId source, NodeId destination) {
  return distances_to(destination)[source.index()];
}

void Routes::set_broken(LinkId link, bool broken) {
  if (is_broken(link) == broken) return;
  broken_.resize(graph_.links());
  broken_[link.index()] = broken;
  distances_.clear();
  of_destination_.clear();
}

std::vector<LinkId> Routes::cut_around(NodeId source) const {
  std::vector<bool> reached(graph_.nodes());
  std::vector<NodeId> queue{source};
  reached[source.index()] = true;
  std::vector<LinkId> broken;
  for (std::size_t i = 0; i < queue.size(); ++i) {
    if (queue[i] != source && !graph_.node(queue[i]).forwards) continue;
    for (const LinkId link : graph_.links_from(queue[i])) {
      const NodeId to = graph_.link(link).to;
      if (is_broken(link)) {
        broken.push_back(link);
      } else if (!reached[to.index()]) {
        reached[to.index()] = true;
        queue.push_back(to);
      }
    }
  }
  std::erase_if(broken, [&](LinkId link) { return reached[graph_.link(link).to.index()]; });
  return broken;
}

bool Routes::leads_on(LinkId link, NodeId destination, const Distances& left) const {
  if (is_broken(link)) return false;
  const NetworkLink& of = graph_.link(link);
  if (left[of.from.index()] == 1) return of.to == destination;
  return left[of.to.index()] + 1 == left[of.from.index()] && graph_.node(of.to).forwards;
}

void Routes::leave(NodeId node, NodeId destination, const Distances& left, std::uint64_t hash) {
  next_.clear();
  bool striped = false;
  for (const LinkId link : graph_.links_from(node)) {
    if (!leads_on(link, destination, left)) continue;
    const bool stripe = graph_.link(link).striped;
    if (stripe && !striped) next_.clear();
    if (stripe || !striped) next_.push_back(link);
    striped = striped || stripe;
  }
  if (!striped) routing_.choose({graph_, hash, loads_, routing_}, next_);
}

double Routes::weigh(NodeId node, NodeId destination, const Distances& left) {
  if (node == destination) return 0;
  if (weighed_in_[node.index()] == search_) return loads_of_nodes_[node.index()];
  double least = std::numeric_limits<double>::infinity();
  for (const LinkId link : graph_.links_from(node)) {
    if (!leads_on(link, destination, left)) continue;
    const double here = backlog_[link.index()] / graph_.link(link).bandwidth.bytes_per_ns();
    loads_[link.index()] = here + weigh(graph_.link(link).to, destination, left);
    least = std::min(least, loads_[link.index()]);
  }
  weighed_in_[node.index()] = search_;
  return loads_of_nodes_[node.index()] = least;
}

void Routes::add_backlog(const Route& route, double bytes) {
  backlog_.resize(graph_.links());
  for (const Route::Part& part : route.parts)
    backlog_[part.link.index()] = std::max(0.0, backlog_[part.link.index()] + part.share * bytes);
}

std::optional<Route> Routes::listed(NodeId source, NodeId destination) const {
  const std::vector<LinkId>* const listed_route = graph_.listed_route(source, destination);
  if (!listed_route || std::ranges::any_of(*listed_route, [&](LinkId link) { return is_broken(link); }))
    return std::nullopt;
  Route route;
  for (const LinkId link : *listed_route) {
    route.parts.push_back({link, 1});
    route.latency += graph_.link(link).latency;
  }
  return route;
}

// All branches of a flow are equally many links away from the destination.
std::optional<Route> Routes::find(NodeId source, NodeId destination, std::uint64_t flow) {
  assert(source != destination);
  if (routing_.by_table)
    if (std::optional<Route> listed_route = listed(source, destination)) return listed_route;
  const Distances& left = distances_between(source, destination);
  if (left[source.index()] == unreachable) return std::nullopt;
  if (routing_.by_load) {
    backlog_.resize(graph_.links());
    loads_.resize(graph_.links());
    loads_of_nodes_.resize(graph_.nodes());
    weighed_in_.resize(graph_.nodes());
    ++search_;
    weigh(source, destination, left);
  }
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

std::optional<Route> Routes::find_through(NodeId source, std::span<const NodeId> through, NodeId destination,
                                          std::uint64_t flow) {
  Route route;
  const auto go_on = [&](NodeId to) {
    const std::optional<Route> part = find(source, to, flow);
    if (!part) return false;
    route.parts.insert(route.parts.end(), part->parts.begin(), part->parts.end());
    route.latency += part->latency;
    source = to;
    return true;
  };
  for (const NodeId node : through)
    if (!go_on(node)) return std::nullopt;
  if (!go_on(destination)) return std::nullopt;
  return route;
}

}  // namespace orrery::core
