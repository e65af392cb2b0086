// The turns of flows at the NICs of hosts: it decides which flow sends next, and when a NIC has to look
// again.
#pragma once

#include <cstdint>
#include <vector>

#include "events/clock.hpp"
#include "network/packet/links/packet_links.hpp"
#include "network/packet/queue_pairs/queue_pairs.hpp"

namespace orrery::core {

// The NIC at the port of a host: the flows that send there take turns.
struct Nic {
  std::vector<std::uint32_t> flows;  // queue pairs, in the order in which they came
  std::size_t last = 0;              // place of the flow that was served last
  Stamp wakes_at = 0;                // if `wakes`: when to send what was not due before
  bool wakes = false;
  std::uint32_t wake = 0;  // number of the last setting of the timer
};

class NicScheduler {
 public:
  // Keeps references.
  NicScheduler(const PacketSettings& settings, PacketLinks& links, QueuePairs& pairs)
      : settings_(settings), links_(links), pairs_(pairs), nics_(links.ports().size()) {}

  // A flow has something to send at its port.
  void list(QueuePair& pair);
  // A flow sends there no more.
  void unlist(const QueuePair& pair, LinkId port);
  // Returns the flow whose turn it is, which then counts as served last. Null: no flow may send. `held` has a
  // bit for each priority that may not send.
  QueuePair* next(LinkId port, unsigned held);
  // Returns the lanes that have a flow which may send, a bit each.
  unsigned lanes(LinkId port) const;
  // Nothing can be sent now. The NIC looks again when the first of its flows may send, if that time is still
  // to come.
  void plan_wake(LinkId port);
  // A flow may send earlier than the time for which its NIC may be waiting.
  void look_earlier(const QueuePair& pair);
  // The time that was planned with this number has come. Returns false where another time has been planned
  // since.
  [[nodiscard]] bool wake(LinkId port, std::uint32_t number);

 private:
  void remove_finished(Nic& nic, std::size_t from, int& found);

  const PacketSettings& settings_;
  PacketLinks& links_;
  QueuePairs& pairs_;
  std::vector<Nic> nics_;  // by port
};

}  // namespace orrery::core
