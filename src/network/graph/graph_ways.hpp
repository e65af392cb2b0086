// The ways of messages through a graph, and what they have carried.
#pragma once

#include <cstdint>
#include <map>
#include <unordered_map>
#include <vector>

#include "base/time.hpp"
#include "network/link_use.hpp"
#include "network/transport.hpp"
#include "topology/graph/routes.hpp"
#include "topology/logical_dimension.hpp"
#include "topology/topology.hpp"

namespace orrery {

class GraphWays {
 public:
  struct Way {
    Route route;
    double bytes_per_ns = 0;  // of the link that limits a message by itself
    LinkLoad load;
  };

  // Keeps a reference to the topology, which has a graph.
  explicit GraphWays(const Topology& topology)
      : graph_(*topology.graph),
        dimensions_(logical_dimensions(topology)),
        routes_(graph_, topology.route_seed),
        dimension_of_link_(graph_.links(), static_cast<int>(dimensions_.size())) {}

  const NetworkGraph& graph() const { return graph_; }

  // Returns the number of the way between two NPUs, which must differ; messages of one channel between them
  // go the same way. Numbers count from 0, in the order of first use. Throws InputError where no way leads
  // there.
  std::uint32_t between(int source, int destination, Channel channel);
  const Way& operator[](std::uint32_t way) const { return ways_[way]; }
  // A message of that size goes this way.
  void count(std::uint32_t way, Bytes bytes) { ways_[way].load += {bytes, 1}; }
  // Returns the time of a message by itself: its bytes over the link that limits it, and the latency of its
  // way. Throws InputError when that is more than ten days.
  Time alone(std::uint32_t way, Bytes bytes) const;

  // Returns what every link has carried that has carried anything, the busiest first. A link belongs to the
  // innermost dimension whose messages passed it; a message is of the outermost one in which its ends differ.
  std::vector<LinkUse> links() const;

 private:
  struct Key {
    int source, destination;
    Channel channel;
    bool operator==(const Key&) const = default;
  };
  struct Hash {
    std::size_t operator()(const Key& key) const;
  };

  int carrying_dimension(int source, int destination) const;

  const NetworkGraph& graph_;
  std::vector<LogicalDimension> dimensions_;
  Routes routes_;
  std::unordered_map<Key, std::uint32_t, Hash> known_;
  std::map<std::vector<Route::Part>, std::uint32_t> by_links_;
  std::vector<Way> ways_;
  std::vector<int> dimension_of_link_;
};

}  // namespace orrery
