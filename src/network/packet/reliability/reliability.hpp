// A reliability makes sure that all bytes of a flow arrive, once each, where packets get lost or overtake one
// another.
//
// The receiver says what it has got. The sender finds out from that what is missing and sends it again. Both
// ends of a flow are one QueuePair here, but each looks only at its own members and at the packets between
// them.
#pragma once

#include <memory>
#include <optional>
#include <string_view>

#include "network/packet/packet.hpp"
#include "network/packet/queue_pairs/queue_pair.hpp"

namespace orrery::core {

class Reliability {
 public:
  virtual ~Reliability() = default;

  // A flow begins.
  virtual void begin(const QueuePair& /*pair*/) {}

  // At the receiver, a packet of data has come. Moves `pair.expected` on, and returns what kind of packet
  // goes back in answer. None: no packet goes back.
  [[nodiscard]] virtual std::optional<PacketKind> receive(QueuePair& pair, const Packet& packet,
                                                          Stamp now) = 0;

  // At the sender, a packet of data leaves, for the first time or again. It may be given a number by which
  // its acknowledgement is known. This is called where the kind `tracks_packets`.
  virtual void send(QueuePair& /*pair*/, Packet& /*packet*/) {}
  // At the sender, such an answer has come back. Moves `acknowledged` on and notes what is to be sent again.
  // Returns whether it has found a loss that is the first one among packets sent since the loss before.
  [[nodiscard]] virtual bool take_answer(QueuePair& pair, const Packet& answer) = 0;
  // At the sender, nothing has been acknowledged for too long.
  virtual void time_out(QueuePair& pair) = 0;
};

struct ReliabilityParts {
  const ReliabilitySettings& settings;
  std::uint32_t payload;  // most bytes in a packet
  bool several_routes;    // packets of a flow may overtake one another
  bool told_of_losses;    // data that switches have no room for arrives without its payload
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

}  // namespace orrery::core
