// A message that a network of packets is to carry.
#pragma once

#include <cstdint>

#include "events/clock.hpp"
#include "network/transport.hpp"

namespace orrery::core {

struct PacketMessage {
  int source = 0, destination = 0;  // NPUs, which differ
  Channel channel;
  std::uint32_t stripe = 0;  // number of this stripe among those into which it is divided
  std::uint64_t bytes = 0;   // one at least
  int priority = 0;
  std::uint32_t number = 0;  // number by which the listener knows it
};

// A message, or one of its stripes, that its sender knows to have arrived.
struct AcknowledgedMessage {
  std::uint32_t number = 0;
  std::uint32_t queue_pair = 0;
  std::uint64_t bytes = 0, resent = 0;  // bytes in all, and bytes that were sent again
};

// The rest of a message, or of one of its stripes, that had not arrived when no route led to its destination
// any more.
struct RestOfMessage {
  std::uint32_t number = 0;
  int source = 0, destination = 0;
  Channel channel;
  std::uint64_t bytes = 0;
};

// A listener is told what became of messages.
class PacketListener {
 public:
  virtual void delivered(std::uint32_t message, Stamp at) = 0;
  // Tells now and then that the network is at work, and may throw to end that.
  virtual void works() {}
  virtual void acknowledged(const AcknowledgedMessage& message, Stamp at) = 0;
  // The network will not deliver the rest.
  virtual void cut(const RestOfMessage& rest, Stamp at) = 0;

 protected:
  ~PacketListener() = default;
};

}  // namespace orrery::core
