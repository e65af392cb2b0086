// Switches write telemetry into packets of data, for a congestion control.
#pragma once

#include "network/packet/packet.hpp"
#include "network/packet/port.hpp"

namespace orrery::core {

class SwitchTelemetry {
 public:
  // Called when a packet of data leaves a switch by a port, and makes room for the next packet behind it.
  virtual void write(LinkId id, const PacketPort& port, Packet& packet, Telemetry& into, Stamp now) = 0;

 protected:
  ~SwitchTelemetry() = default;
};

}  // namespace orrery::core
