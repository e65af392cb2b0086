// Ways of messages that all NPUs send at once, each to its peer, through a network in which they all fare
// alike. Then NPU 0 stands for all of them, and one link for all those that look the same
// (docs/models/network-fluid.md, "Folding").
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "base/bytes.hpp"
#include "base/dialect.hpp"
#include "base/time.hpp"
#include "network/link_use.hpp"
#include "topology/logical_dimension.hpp"
#include "topology/topology.hpp"

namespace orrery {

// Every NPU sends to another one of its group: to the one at that distance ahead, or at the position that
// differs from its own in those bits.
struct PeerMessages {
  LogicalDimension group;
  bool exclusive_or;
  std::uint32_t amount;

  int receiver(int npu) const;
  auto operator<=>(const PeerMessages&) const = default;
};

struct FoldedWays {
  struct Links {           // that look the same
    std::string from, to;  // ends of one of them
    int dimension = 0;     // the innermost one whose messages pass them
    std::uint64_t count = 0;
    double bytes_per_ns = 0;            // of each
    std::vector<LinkEnds> listed = {};  // as LinkUse has them
  };
  struct Use {
    std::uint32_t links;
    std::uint32_t messages;  // so many of all NPUs pass each of these links
    double share;            // that much of a message passes it in sum
  };
  struct Way {
    std::vector<Use> uses;
    Time latency;
    double bytes_per_ns = 0;  // of the link that limits a message by itself
  };

  std::vector<Links> links;
  bool shows_idle_links = false;  // a table of links has those that have carried nothing, too
  std::map<int, Way> ways;        // from NPU 0, by destination
  // Returns how long a message from NPU 0 takes by itself; null: its bytes over the link that limits it, and
  // the latency of its way.
  std::function<Time(int destination, Bytes bytes)> alone;
};

// Finds the ways of all these messages. Returns none where NPUs do not fare alike, or where that would take
// long to find out. The routing of a topology with a graph does not choose for every message anew. Durations
// are in whole picoseconds.
std::optional<FoldedWays> find_folded_ways(const Topology& topology, const Dialect& dialect,
                                           const std::vector<PeerMessages>& messages);

}  // namespace orrery
