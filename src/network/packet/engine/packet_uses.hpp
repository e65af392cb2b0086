// What the links and switches of a network of packets have done, for reports.
#pragma once

#include <vector>

#include "network/link_use.hpp"
#include "network/packet/engine/packet_network.hpp"
#include "network/switch_use.hpp"

namespace orrery {

// Returns the links that have sent something until now, the busiest first.
std::vector<LinkUse> link_uses(const PacketNetwork& network, Time now);
// Returns the nodes that have held packets of others, the fullest first.
std::vector<SwitchUse> switch_uses(const PacketNetwork& network);

}  // namespace orrery
