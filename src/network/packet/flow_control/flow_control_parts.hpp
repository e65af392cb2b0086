// The parts that a kind of flow control is made of.
#pragma once

#include "network/packet/links/packet_links.hpp"
#include "network/packet/settings/packet_settings.hpp"
#include "topology/graph/network_graph.hpp"

namespace orrery::core {

struct LinkChanges;

struct FlowControlParts {
  const NetworkGraph& graph;
  const LinkChanges* changes;  // of links; null: there are none
  const PacketSettings& settings;
  PacketLinks& links;
};

}  // namespace orrery::core
