// A message that a network of packets is to carry.
#pragma once

#include <cstdint>

#include "events/clock.hpp"
#include "network/transport.hpp"

namespace orrery {

struct PacketMessage {
  int source = 0, destination = 0;  // NPUs, which differ
  Channel channel;
  std::uint32_t stripe = 0;  // of those into which it is divided
  std::uint64_t bytes = 0;   // one at least
  int priority = 0;
  std::uint32_t number = 0;  // by which the listener knows it
};

// Is told what became of messages.
class PacketListener {
 public:
  virtual void delivered(std::uint32_t message, Stamp at) = 0;
  virtual void acknowledged(std::uint32_t message, Stamp at) = 0;

 protected:
  ~PacketListener() = default;
};

}  // namespace orrery
