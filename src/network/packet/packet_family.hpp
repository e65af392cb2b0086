// A family of the model `packet`: networks of one kind that are simulated packet by packet, or in still
// smaller parts.
#pragma once

#include <memory>
#include <string_view>

#include "network/network_model.hpp"

namespace orrery::core {

struct PacketFamily {
  // Returns whether the family is for a topology.
  bool (*carries)(const Topology& topology);
  std::unique_ptr<Transport> (*make)(const TransportMachine& machine, EventLoop& loop);
  std::string_view beyond_coarser = {};  // as in NetworkModelKind
  bool has_settings = false;  // users may set what packets do (packet_settings.hpp), and give them priorities
  // Throws InputError where a topology that the family is for cannot be carried. Null: it always can.
  void (*check)(const Topology& topology, const Dialect& dialect) = nullptr;
};

// Switches and NICs of a graph (packet_network.hpp).
extern const PacketFamily graph_packets;
// Flits, in routers with virtual channels (flits/).
extern const PacketFamily flit_packets;

}  // namespace orrery::core
