// Transports in which the receiver says when its senders may send: they begin with a window, and from then on
// every packet needs a grant. A host grants packets as fast as the links to it carry them, by turns among all
// flows that come to it, so that they never bring more than it can take in.
//
// Both ends of a flow count packets from its beginning on, so that what one message of them says makes good
// for others that were lost.
#pragma once

#include <deque>
#include <vector>

#include "network/packet/flow_states.hpp"
#include "network/packet/grants/grant_rules.hpp"
#include "network/packet/packet_links.hpp"
#include "network/packet/packet_ways.hpp"
#include "network/packet/queue_pairs.hpp"

namespace orrery {

class PacketGrants {
 public:
  // Keeps references.
  PacketGrants(const GrantRules& rules, const PacketSettings& settings, PacketLinks& links,
               const StoredWays& ways, QueuePairs& pairs);

  // The sender: a flow begins, which may send its window without a grant.
  void begin(Sender& sender);
  // It has another message to send.
  void extend(QueuePair& pair, std::uint64_t bytes);
  // A packet of data leaves.
  void send(Sender& sender, Packet& packet);
  // The receiver has said something.
  void learn(Sender& sender, const Packet& packet);
  // Nothing has been heard for too long, and so many packets count as lost.
  void time_out(QueuePair& pair, std::uint64_t lost_bytes);
  // Returns whether packets wait for grants alone.
  bool waits(const QueuePair& pair) const { return !pair.sender.has_credit && pair.sender.sent < pair.size; }

  // The receiver: data, what is left of it, or a request has come.
  void arrive(QueuePair& pair, const Packet& packet);
  // Returns how many packets the sender may send in all.
  std::uint32_t granted(const Sender& sender) { return flows_[sender].granted; }
  // The time has come for the next grant at a port.
  void pull(LinkId port);
  // Tells the sender how many packets it may send.
  void tell(QueuePair& pair, PacketKind kind);

 private:
  // Packets since the beginning.
  struct Flow {
    std::uint32_t window = 0;
    // The sender: what it has to send, has sent, may send as it has been told, and besides: at the beginning,
    // and for what got lost.
    std::uint32_t demand = 0, sent = 0, allowed = 0, unasked = 0;
    // The receiver: what is to come as it has been told, has come, has come without its payload, and has been
    // granted.
    std::uint32_t expected = 0, arrived = 0, trimmed = 0, granted = 0;
    bool listed = false;  // waits for its turn
  };
  struct Port {
    std::deque<std::uint32_t> turns;  // queue pairs that wait for grants
    Stamp next = 0;                   // not before this
    bool planned = false;
  };

  static void look(Sender& sender, const Flow& flow) {
    sender.has_credit = static_cast<std::int32_t>(flow.allowed + flow.unasked - flow.sent) > 0;
  }
  std::uint32_t packets_of(std::uint64_t bytes) const {
    return static_cast<std::uint32_t>((bytes + settings_.sizes.payload - 1) / settings_.sizes.payload);
  }
  // Returns up to where the receiver may grant now: as much as is to come, and some windows ahead at most.
  std::uint32_t grantable(const Flow& flow) const;
  // Returns whether something is to come that has not been granted.
  bool has_more(const QueuePair& pair);
  // Grants the next packets of a flow; false where there is nothing to grant any more.
  bool grant(QueuePair& pair, LinkId port);
  void plan(LinkId port);

  const GrantRules& rules_;
  const PacketSettings& settings_;
  PacketLinks& links_;
  const StoredWays& ways_;
  QueuePairs& pairs_;
  std::uint32_t data_bytes_;  // of a packet on the wire
  StateOfFlows<Flow> flows_;
  std::vector<Port> ports_;  // by link that leaves the receiver
};

}  // namespace orrery
