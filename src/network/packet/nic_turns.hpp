// The turns of flows at the NICs of hosts: which of them sends next, and when a NIC has to look again.
#pragma once

#include <vector>

#include "network/packet/nic.hpp"
#include "network/packet/packet_links.hpp"
#include "network/packet/queue_pairs.hpp"

namespace orrery {

class NicTurns {
 public:
  // Keeps references.
  NicTurns(const PacketSettings& settings, PacketLinks& links, QueuePairs& pairs)
      : settings_(settings), links_(links), pairs_(pairs), nics_(links.ports().size()) {}

  // A flow has something to send at its port.
  void list(QueuePair& pair);
  // A flow sends there no more.
  void unlist(const QueuePair& pair, LinkId port);
  // Returns the flow whose turn it is, which then counts as served last; null: none may send. `held` are the
  // priorities that may not, a bit each.
  QueuePair* next(LinkId port, unsigned held);
  // Returns the lanes that have a flow which may send, a bit each.
  unsigned lanes(LinkId port) const;
  // Nothing can be sent now: the NIC looks again when the first of its flows may send, if that time is still
  // to come.
  void plan_wake(LinkId port);
  // A flow may send earlier than at the time for which its NIC may wait.
  void look_earlier(const QueuePair& pair);
  // The time has come that was planned with a number; false where another one has been planned since.
  bool wake(LinkId port, std::uint32_t number);

 private:
  void remove_finished(Nic& nic, std::size_t from, int& found);

  const PacketSettings& settings_;
  PacketLinks& links_;
  QueuePairs& pairs_;
  std::vector<Nic> nics_;  // by port
};

}  // namespace orrery
