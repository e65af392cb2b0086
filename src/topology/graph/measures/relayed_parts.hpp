// Finds out where the messages go that NPUs pass on because no route leads to their destinations.
#pragma once

#include <cstddef>
#include <cstdint>
#include <set>
#include <utility>
#include <vector>

#include "topology/graph/changes/link_changes.hpp"
#include "topology/graph/network_graph.hpp"

namespace orrery::core {

using NpuPair = std::pair<NodeId, NodeId>;  // a sender and a receiver, which differ

// Returns between which NPUs parts of messages go, if NPUs pass messages on where these are cut off
// (Relaying::where_cut), and nobody acknowledges them: from a sender to an NPU that passes the message on,
// and from there to the receiver. `messages` may be sent at any time, so that they meet every state of the
// links from then on. The seed is that by which the NPUs are chosen.
std::set<NpuPair> relayed_parts(const NetworkGraph& graph, const LinkChanges& changes, std::uint64_t seed,
                                std::vector<NpuPair> messages);

// Returns how many times links change, which are as many states to look at, besides the first one.
std::size_t times_of_changes(const LinkChanges& changes);

}  // namespace orrery::core
