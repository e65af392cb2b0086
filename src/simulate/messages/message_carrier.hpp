// Interface of whatever brings the messages of programs from one simulated rank to another.
#pragma once

#include <cstdint>

#include "program/execution_graph.hpp"

namespace orrery {

// Says whether a message that a rank wants to receive is there.
enum class Received : std::uint8_t {
  already,  // it has arrived
  later     // the listener hears of it when it has arrived
};

class MessageCarrier {
 public:
  // Sends a message. The listener hears of `token` when it has arrived.
  virtual void send(std::uint32_t rank, std::uint32_t token, const MessageEnd& message) = 0;
  // Takes the message if it has arrived. After `later` the listener hears of `token` when it has.
  [[nodiscard]] virtual Received receive(std::uint32_t rank, std::uint32_t token,
                                         const MessageEnd& message) = 0;

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
