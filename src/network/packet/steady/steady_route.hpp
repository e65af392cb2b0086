// The route of flows that run at the rates which packets would have.
#pragma once

#include <vector>

#include "network/packet/routes/packet_routes.hpp"

namespace orrery::core {

struct SteadyRoute {
  PacketRoutes links;
  PairFacts facts;
  int source = 0, destination = 0;
  int priority = 0;
  std::uint32_t number = 0;  // among the routes of flows
  Stamp latency = 0;         // ps, from the first byte of a full packet's sending to its arrival
};

}  // namespace orrery::core
