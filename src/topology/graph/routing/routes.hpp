// Finds the routes of messages through a graph.
//
// A route has the fewest links of all ways whose inner nodes all forward. Where several links lead on along
// such ways, the routing chooses among them. Where some of these are striped, the flow is divided evenly
// among them.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <vector>

#include "topology/graph/network_graph.hpp"
#include "topology/graph/routing/pair_distances.hpp"
#include "topology/graph/routing/routing_kinds.hpp"

namespace orrery::core {

struct Route {
  struct Part {
    LinkId link;
    double share;  // share of the flow that goes over this link
    auto operator<=>(const Part&) const = default;
  };
  std::vector<Part> parts;  // each link once; from the source on
  Time latency;             // from one end to the other, where parts differ the longest
};

class Routes {
 public:
  // Keeps a reference to the graph, which must not change.
  explicit Routes(const NetworkGraph& graph, std::uint64_t seed = 0, Routing routing = nullptr)
      : graph_(graph), routing_(*(routing ? routing : usual_routing(graph))), seed_(seed), of_pair_(graph) {}
  const RoutingKind& routing() const { return routing_; }
  // Returns the routes of the same graph, seed and routing on which no link is broken.
  Routes whole() const { return Routes(graph_, seed_, &routing_); }

  // Returns the route of a flow, or none when no route leads there. Flows with the same ends and number go
  // the same way, if as much is under way. The ends must differ.
  std::optional<Route> find(NodeId source, NodeId destination, std::uint64_t flow);
  // Does the same for a flow that passes these nodes in their order. Adjacent nodes must differ.
  std::optional<Route> find_through(NodeId source, std::span<const NodeId> through, NodeId destination,
                                    std::uint64_t flow);
  // Says that so many bytes more, or fewer, are under way by such a route.
  void add_backlog(const Route& route, double bytes);
  // Returns the number of links of a shortest route, or `unreachable` where there is none.
  std::uint32_t hops(NodeId source, NodeId destination);
  // Says whether a link is broken. Routes that are found from now on avoid a broken link.
  void set_broken(LinkId link, bool broken);
  // Returns the broken links that would lead on from all nodes that a node reaches.
  std::vector<LinkId> cut_around(NodeId source) const;

  static constexpr std::uint16_t unreachable = 0xffff;

 private:
  // The number of links that remain to a destination, by node. Destinations that are reached from the same
  // nodes, such as the hosts of a switch, share them.
  using Distances = std::vector<std::uint16_t>;

  const Distances& distances_to(NodeId destination);
  // Returns the distances of at least the nodes on the shortest routes from a source. They are valid until
  // the next call.
  const Distances& distances_between(NodeId source, NodeId destination);
  std::optional<Route> listed(NodeId source, NodeId destination) const;
  Distances count_links(const std::vector<NodeId>& last) const;
  struct Branch {  // branch of a flow, at a node
    NodeId node;
    double share;
    Time latency;  // latency until there
  };
  // Works out the load of the least busy route from a node on, and the loads of all links on shortest routes
  // there.
  double weigh(NodeId node, NodeId destination, const Distances& left);
  // Chooses the links by which a flow leaves a node.
  void leave(NodeId node, NodeId destination, const Distances& left, std::uint64_t hash);
  bool leads_on(LinkId link, NodeId destination, const Distances& left) const;
  bool is_broken(LinkId link) const { return !broken_.empty() && broken_[link.index()]; }

  const NetworkGraph& graph_;
  const RoutingKind& routing_;
  std::uint64_t seed_;
  std::map<std::vector<NodeId>, Distances> distances_;  // by the nodes before the destination
  std::vector<const Distances*> of_destination_;
  PairDistances of_pair_;
  std::vector<std::uint8_t> pairs_to_;  // number of searches for a single source, by destination
  std::vector<LinkId> next_;            // links that were chosen
  std::vector<bool> broken_;            // by link; empty: none
  std::vector<double> backlog_;         // by link, bytes under way; empty: not counted
  // State of the search for the least busy route: loads by link and by node, and by node the search in which
  // it was last weighed.
  std::vector<double> loads_, loads_of_nodes_;
  std::vector<std::uint64_t> weighed_in_;
  std::uint64_t search_ = 0;
};

}  // namespace orrery::core
