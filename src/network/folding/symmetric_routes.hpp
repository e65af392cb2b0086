// The routes of messages that all NPUs send at once, each to its peer, through a network in which they all
// are symmetric. Then NPU 0 stands for all of them, and one link for all those that look the same
// (docs/models/network-fluid.md, "Folding").
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "base/dialect.hpp"
#include "base/units/bytes.hpp"
#include "base/units/time.hpp"
#include "network/link_use.hpp"
#include "topology/logical_dimension.hpp"
#include "topology/topology.hpp"

namespace orrery::core {

// Every NPU sends to another NPU of its group: to the one at that distance ahead, or at the position that
// differs from its own in those bits.
struct PeerMessages {
  LogicalDimension group;
  bool exclusive_or;
  std::uint32_t amount;

  int receiver(int npu) const;
  auto operator<=>(const PeerMessages&) const = default;
};

struct SymmetricRoutes {
  struct Links {           // links that look the same
    std::string from, to;  // ends of one of them
    int dimension = 0;     // the innermost dimension whose messages pass them
    std::uint64_t count = 0;
    double bytes_per_ns = 0;            // of each
    std::vector<LinkEnds> listed = {};  // as LinkUse has them
  };
  struct Use {
    std::uint32_t links;
    std::uint32_t messages;  // each of these links is passed by so many messages of all NPUs
    double share;            // the sum of the shares of a message that pass it
  };
  struct Route {
    std::vector<Use> uses;
    Time latency;
    double bytes_per_ns = 0;  // of the link that limits a message by itself
  };

  std::vector<Links> links;
  bool shows_idle_links = false;  // a table of links also has those that have carried nothing
  std::map<int, Route> routes;    // from NPU 0, by destination
  // Returns how long a message from NPU 0 takes by itself. Null: it takes its bytes over the link that limits
  // it, and the latency of its route.
  std::function<Time(int destination, Bytes bytes)> alone;
};

// Finds the routes of all these messages. Returns none where NPUs are not symmetric, or where that would take
// long to find out. If the topology has a graph, its routing must not choose for every message anew.
// Durations are in whole picoseconds.
std::optional<SymmetricRoutes> find_symmetric_routes(const Topology& topology, const Dialect& dialect,
                                                     const std::vector<PeerMessages>& messages);

}  // namespace orrery::core
