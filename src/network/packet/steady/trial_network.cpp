#include "network/packet/steady/trial_network.hpp"

#include <set>
#include <utility>

namespace orrery {

TrialNetwork::TrialNetwork(const Topology& topology, const std::vector<const SteadyRoute*>& routes) {
  const NetworkGraph& whole = *topology.graph;
  add_nodes(whole, routes);
  add_links(whole);
  for (const SteadyRoute* route : routes) routes_.push_back(translated(*route));
  topology_.routing = topology.routing;
  topology_.graph = std::make_shared<const NetworkGraph>(std::move(part_));
}

// Nodes keep their order, in which NPUs are the first.
void TrialNetwork::add_nodes(const NetworkGraph& whole, const std::vector<const SteadyRoute*>& routes) {
  std::set<NodeId> on_routes;
  for (const SteadyRoute* route : routes)
    for (const auto* links : {&route->links.data, &route->links.acks})
      for (const LinkId link : *links) {
        on_routes.insert(whole.link(link).from);
        on_routes.insert(whole.link(link).to);
      }
  std::set<NodeId> all = on_routes;
  for (const NodeId node : on_routes)
    if (whole.node(node).forwards)
      for (const LinkId link : whole.links_from(node)) all.insert(whole.link(link).to);
  for (const NodeId node : all) nodes_[node] = part_.add(whole.node(node));
}

void TrialNetwork::add_links(const NetworkGraph& whole) {
  for (const auto& [node, in_part] : nodes_)
    for (const LinkId link : whole.links_from(node)) {
      const NodeId to = whole.link(link).to;
      const LinkId back = whole.reverse(link);
      if (!nodes_.contains(to) || links_.contains(link)) continue;
      links_[link] = part_.join(in_part, nodes_.at(to), whole.link(link));
      links_[back] = part_.reverse(links_[link]);
    }
}

SteadyRoute TrialNetwork::translated(const SteadyRoute& route) const {
  SteadyRoute in_part = route;
  in_part.source = static_cast<int>(nodes_.at(NodeId(route.source)).value());
  in_part.destination = static_cast<int>(nodes_.at(NodeId(route.destination)).value());
  for (LinkId& link : in_part.links.data) link = links_.at(link);
  for (LinkId& link : in_part.links.acks) link = links_.at(link);
  return in_part;
}

}  // namespace orrery
