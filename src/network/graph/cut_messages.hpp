// Messages to which no route leads any more: who takes them over, and what is said where nobody does.
#pragma once

#include <span>

#include "base/units/bytes.hpp"
#include "base/units/time.hpp"
#include "events/event.hpp"
#include "network/transport.hpp"
#include "topology/graph/changes/link_changes.hpp"

namespace orrery::core {

class CutMessages {
 public:
  // Returns whether it takes over what is left of the message, and will see to `delivered`. The service is
  // that of the message, without facts and acknowledgement.
  [[nodiscard]] virtual bool take(const MessageService& service, int source, int destination, Bytes rest,
                                  const Event& delivered) = 0;

 protected:
  ~CutMessages() = default;
};

struct CutMessage {
  int source, destination;
  Bytes bytes;          // in all
  Time sent;            // when its sender wanted to send it
  bool is_led = false;  // its channel has to pass certain nodes
};

// Throws InputError, which says when the message was cut off and names the links that are to blame. It has
// the place of the failure that broke one of them last. `happened` are the changes until now.
[[noreturn]] void report_cut(const NetworkGraph& graph, std::span<const LinkChange> happened, Time now,
                             const CutMessage& message);

}  // namespace orrery::core
