// Reliability: how a flow makes sure that all its bytes arrive, once each, where packets get lost or overtake
// one another.
//
// The receiver says what it has; the sender finds out from that what is missing and sends it again. Both ends
// of a flow are one QueuePair here, but each looks at its own members alone and at the packets between them.
#pragma once

#include <memory>
#include <optional>
#include <string_view>

#include "network/packet/packet.hpp"
#include "network/packet/queue_pair.hpp"

namespace orrery {

class Reliability {
 public:
  virtual ~Reliability() = default;

  // A flow begins.
  virtual void begin(const QueuePair& /*pair*/) {}

  // The receiver: a packet of data has come. Moves `pair.expected` on, and returns what kind of packet goes
  // back with it; none: nothing does.
  virtual std::optional<PacketKind> receive(QueuePair& pair, const Packet& packet, Stamp now) = 0;

  // The sender: a packet of data leaves, for the first time or again, and may be given a number by which its
  // acknowledgement is known. It is called where the kind `tracks_packets`.
  virtual void send(QueuePair& /*pair*/, Packet& /*packet*/) {}
  // The sender: such a packet has come back. Moves `acknowledged` on and notes what is to be sent again.
  // Returns whether it has found a loss, the first one among what has been sent since the one before.
  virtual bool take_answer(QueuePair& pair, const Packet& answer) = 0;
  // The sender: nothing has been acknowledged for too long.
  virtual void time_out(QueuePair& pair) = 0;
};

struct ReliabilityParts {
  const ReliabilitySettings& settings;
  std::uint32_t payload;  // bytes per packet, at most
  bool several_ways;      // packets of a flow may overtake one another
  bool told_of_losses;    // what switches have no room for arrives without its payload
};

template <class Kind>
std::unique_ptr<Reliability> make_reliability(const ReliabilityParts& parts) {
  return std::make_unique<Kind>(parts);
}

struct ReliabilityKind {
  std::string_view name;         // the word by which users choose it
  bool tracks_packets = false;   // it has to know of every packet that is sent
  bool takes_any_order = false;  // packets that overtake others need not be sent again
  std::unique_ptr<Reliability> (*make)(const ReliabilityParts& parts) = nullptr;
};

}  // namespace orrery
