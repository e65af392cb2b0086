// The part of a network that some flows can feel: the nodes on their ways, with all ports of those that pass
// packets on, because ports share a buffer. A trial in it costs what its flows cost, however large the
// network is.
#pragma once

#include <map>
#include <vector>

#include "network/packet/steady/steady_route.hpp"
#include "topology/topology.hpp"

namespace orrery {

class TrialNetwork {
 public:
  TrialNetwork(const Topology& topology, const std::vector<const SteadyRoute*>& routes);

  const Topology& topology() const { return topology_; }
  // Returns the routes in their order, with the numbers that the part gives nodes and links.
  const std::vector<SteadyRoute>& routes() const { return routes_; }

 private:
  void add_nodes(const NetworkGraph& whole, const std::vector<const SteadyRoute*>& routes);
  void add_links(const NetworkGraph& whole);
  SteadyRoute translated(const SteadyRoute& route) const;

  NetworkGraph part_;
  std::map<NodeId, NodeId> nodes_;  // numbers in the part by those in the whole
  std::map<LinkId, LinkId> links_;
  Topology topology_;
  std::vector<SteadyRoute> routes_;
};

}  // namespace orrery
