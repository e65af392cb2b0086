// Keeps the routes of messages through a graph, and the loads that they have carried.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <unordered_map>
#include <vector>

#include "base/units/time.hpp"
#include "network/link_use.hpp"
#include "network/transport.hpp"
#include "topology/graph/routing/found_routes.hpp"
#include "topology/logical_dimension.hpp"
#include "topology/topology.hpp"

namespace orrery::core {

class GraphRoutes {
 public:
  struct KnownRoute {
    Route route;
    double bytes_per_ns = 0;  // of the link that limits a message by itself
    LinkLoad load;
  };

  // Keeps a reference to the topology, which has a graph.
  explicit GraphRoutes(const Topology& topology)
      : topology_(topology),
        graph_(*topology.graph),
        dimensions_(logical_dimensions(topology)),
        routes_(graph_, topology.route_seed, topology.routing),
        dimension_of_link_(graph_.links(), static_cast<int>(dimensions_.size())) {
    if (FoundRoutes::can_remember(routes_.routing()))
      found_ = topology.graph.found_routes(routes_.routing(), topology.route_seed);
  }

  const Topology& topology() const { return topology_; }
  const NetworkGraph& graph() const { return graph_; }

  // Returns the number of the route between two NPUs, which must differ. Messages of one channel between them
  // go the same way, unless the routing is by message. Numbers count from 0, in the order of first use. None
  // means that no route leads there.
  std::optional<std::uint32_t> find(int source, int destination, Channel channel);
  // Throws InputError where no route leads there.
  std::uint32_t between(int source, int destination, Channel channel);
  // Makes routes of a channel between two NPUs pass these nodes from now on. Returns the latency of such a
  // route. Where links that have broken leave none, this is the latency of one without them: whoever carries
  // a message of the channel knows since when it is cut off, and reports that. Throws InputError where not
  // even such a route leads there.
  Time lead(Channel channel, int source, int destination, std::vector<NodeId> through);
  // Must be called before the bandwidths of links change, because what has been carried was carried at the
  // present ones. `left` is as in links().
  void end_bandwidths(std::span<const double> left);
  // Sets the share of its bandwidth that a link has from now on; with 0 it is broken. links_changed() has to
  // follow, because channels then may have other ways.
  void set_share(LinkId link, double share);
  void links_changed();
  double bytes_per_ns(LinkId link) const {
    return graph_.link(link).bandwidth.bytes_per_ns() * (shares_.empty() ? 1 : shares_[link.index()]);
  }
  const Routes& routes() const { return routes_; }
  const KnownRoute& operator[](std::uint32_t route_number) const { return known_routes_[route_number]; }
  // Returns the innermost dimension whose messages pass the link.
  int dimension_of(LinkId link) const { return dimension_of_link_[link.index()]; }
  // Counts a message of that size, which goes this way.
  void count(std::uint32_t route_number, Bytes bytes) { known_routes_[route_number].load += {bytes, 1}; }
  // Counts messages of that size, which go the route of channel 0.
  void count(int source, int destination, Bytes bytes, std::uint64_t messages) {
    known_routes_[between(source, destination, {})].load += LinkLoad{bytes, 1} * messages;
  }
  // Says that so many bytes more, or fewer, are under way, for routings that look at it.
  void add_backlog(std::uint32_t route_number, double bytes) {
    routes_.add_backlog(known_routes_[route_number].route, bytes);
  }
  // Says that so many bytes of a message go another route after all.
  void move(std::uint32_t from, std::uint32_t to, Bytes bytes);
  // Says that so many bytes that were counted do not go this way after all.
  void take_back(std::uint32_t route_number, Bytes bytes) { known_routes_[route_number].load -= {bytes, 0}; }
  // Returns whether lead() has said what messages of the channel pass.
  bool is_led(int source, int destination, Channel channel) const {
    return through_.contains({source, destination, channel});
  }
  // Returns the time of a message by itself: its bytes over the link that limits it, and the latency of its
  // route. Throws InputError when that is more than ten days.
  Time alone(std::uint32_t route_number, Bytes bytes) const;

  std::size_t size() const { return known_routes_.size(); }

  // Returns what every link has carried that has carried anything, the busiest first. A link belongs to the
  // innermost dimension whose messages passed it. A message belongs to the outermost dimension in which its
  // ends differ. `left` has the bytes by way that have been counted and are still to be carried; if it is
  // empty, there are none.
  std::vector<LinkUse> links(std::span<const double> left = {}) const;

 private:
  struct Key {
    int source, destination;
    Channel channel;
    bool operator==(const Key&) const = default;
  };
  struct Hash {
    std::size_t operator()(const Key& key) const;
  };

  std::optional<Route> route_between(int source, int destination, Channel channel, std::uint64_t flow);
  [[noreturn]] void throw_no_route(int source, int destination) const;
  int carrying_dimension(int source, int destination) const;
  double slowest(const Route& route) const;
  std::uint32_t number_of(Route route, int dimension);
  std::vector<double> bytes_of_links(std::span<const double> left) const;

  const Topology& topology_;
  const NetworkGraph& graph_;
  std::vector<LogicalDimension> dimensions_;
  Routes routes_;
  std::shared_ptr<FoundRoutes> found_;  // by all simulations of the graph; null: nothing is shared
  std::unordered_map<Key, std::uint32_t, Hash> known_;
  std::map<std::vector<Route::Part>, std::uint32_t> by_links_;
  std::unordered_map<Key, std::vector<NodeId>, Hash> through_;  // nodes to pass
  // Number of messages that have looked for a route of their own.
  std::uint64_t messages_ = 0;
  std::vector<KnownRoute> known_routes_;
  std::vector<int> dimension_of_link_;
  std::vector<double> shares_;  // by link; empty: all links are whole
  struct Carried {              // by a link, and for how long that kept it busy
    double bytes = 0, ns = 0;
  };
  std::vector<Carried> carried_;  // until bandwidths last changed, by link; empty: they never did
};

}  // namespace orrery::core
