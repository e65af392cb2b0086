#include "network/packet/packet_ways.hpp"

#include "network/packet/ns3_ways.hpp"
#include "network/packet/packet_settings.hpp"
#include "network/packet/routed_ways.hpp"

namespace orrery {

std::unique_ptr<WayChoice> make_way_choice(const Topology& topology, const PacketSettings& settings) {
  if (settings.ns3_ways) return std::make_unique<Ns3Ways>(*topology.graph, settings);
  return std::make_unique<RoutedWays>(topology, settings);
}

}  // namespace orrery
