// Says why packets do not go on.
#pragma once

#include <string>
#include <vector>

#include "network/packet/flow_control/flow_control.hpp"
#include "network/packet/queue_pairs/queue_pairs.hpp"

namespace orrery::core {

struct StalledPackets {
  const NetworkGraph& graph;
  const PacketSettings& settings;
  const PacketLinks& links;
  const FlowControl& flow_control;
  const QueuePairs& pairs;
};

// Returns lines that name links which wait for one another for ever. There are none where no links do.
std::vector<std::string> explain_deadlock(const StalledPackets& network);
// Returns these lines. Where there are none, returns lines that say what flows which have not ended wait for.
std::vector<std::string> explain_stall(const StalledPackets& network);

}  // namespace orrery::core
