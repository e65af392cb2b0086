// Interface of whatever brings the messages of programs from one simulated rank to another.
#pragma once

#include <cstdint>

#include "program/execution_graph.hpp"

namespace orrery {

class MessageCarrier {
 public:
  // Sends a message. The listener hears of `token` when it has arrived.
  virtual void send(std::uint32_t rank, std::uint32_t token, const MessageEnd& message) = 0;
  // Returns true if the message has arrived already. Otherwise the listener hears of `token` when it has.
  virtual bool receive(std::uint32_t rank, std::uint32_t token, const MessageEnd& message) = 0;

 protected:
  ~MessageCarrier() = default;
};

class MessageListener {
 public:
  virtual void message_completed(std::uint32_t rank, std::uint32_t token) = 0;

 protected:
  ~MessageListener() = default;
};

}  // namespace orrery
