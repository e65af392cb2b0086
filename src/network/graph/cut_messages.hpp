// Takes over messages to which no way leads any more.
#pragma once

#include "base/bytes.hpp"
#include "events/event.hpp"
#include "network/transport.hpp"

namespace orrery {

class CutMessages {
 public:
  // Returns whether it takes over what is left of the message, and will see to `delivered`.
  virtual bool take(Channel channel, int source, int destination, Bytes rest, const Event& delivered) = 0;

 protected:
  ~CutMessages() = default;
};

}  // namespace orrery
