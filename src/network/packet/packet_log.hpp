// Follows a network of packets while it runs, and keeps what it sees. The network does the same with it and
// without, and packets cost the same.
#pragma once

#include "network/packet/packet_events.hpp"
#include "network/packet/packet_links.hpp"

namespace orrery {

class PacketNetwork;

class PacketLog {
 public:
  virtual ~PacketLog() = default;

  // The network has been made, and nothing has happened yet.
  virtual void begin(PacketNetwork& /*network*/) {}
  // Returns when it looks next, before all events of that time; PacketEvents::never: not any more.
  virtual Stamp next_look() const { return PacketEvents::never; }
  // That time has come.
  virtual void look(PacketNetwork& /*network*/) {}
};

}  // namespace orrery
