// Transports in which the receiver says when its senders may send. Senders begin with a window, and from then
// on every packet needs a grant. A host grants packets as fast as the links to it carry them, and all flows
// that come to it take turns, so that they never bring more than it can take in.
//
// Both ends of a flow count packets from its beginning on, so that one of their messages makes up for others
// that were lost.
#pragma once

#include <deque>
#include <vector>

#include "network/packet/congestion/grant_rules.hpp"
#include "network/packet/flow_states.hpp"
#include "network/packet/links/packet_links.hpp"
#include "network/packet/queue_pairs/queue_pairs.hpp"
#include "network/packet/routes/packet_routes.hpp"

namespace orrery::core {

class PacketGrants {
 public:
  // Keeps references.
  PacketGrants(const GrantRules& rules, const PacketSettings& settings, PacketLinks& links,
               const RouteTable& routes, QueuePairs& pairs);

  // At the sender, a flow begins. It may send its window without a grant.
  void begin(Sender& sender);
  // At the sender, the flow has another message to send.
  void extend(QueuePair& pair, std::uint64_t bytes);
  // At the sender, a packet of data leaves.
  void send(Sender& sender, Packet& packet);
  // The sender has got a message from the receiver.
  void learn(Sender& sender, const Packet& packet);
  // The sender has got no news for too long, and so many packets count as lost.
  void time_out(QueuePair& pair, std::uint64_t lost_bytes);
  // Returns whether packets wait for nothing but grants.
  bool waits(const QueuePair& pair) const { return !pair.sender.has_credit && pair.sender.sent < pair.size; }

  // At the receiver, data, the header of trimmed data, or a request has come.
  void arrive(QueuePair& pair, const Packet& packet);
  // Returns how many packets the sender may send in all.
  std::uint32_t granted(const Sender& sender) { return flows_[sender].granted; }
  // The time has come for the next grant at a port.
  void pull(LinkId port);
  // Tells the sender how many packets it may send.
  void tell(QueuePair& pair, PacketKind kind);

 private:
  // Numbers of packets since the beginning.
  struct Flow {
    std::uint32_t window = 0;
    // At the sender: packets that it has to send, has sent, may send as it has been told, and may send
    // unasked: at the beginning, and for lost ones.
    std::uint32_t demand = 0, sent = 0, allowed = 0, unasked = 0;
    // At the receiver: packets that are to come as it has been told, have come, have come without their
    // payload, and have been granted.
    std::uint32_t expected = 0, arrived = 0, trimmed = 0, granted = 0;
    bool listed = false;  // the flow waits for its turn
  };
  struct Port {
    std::deque<std::uint32_t> turns;  // queue pairs that wait for grants
    Stamp next = 0;                   // no grant before this time
    bool planned = false;
  };

  static void look(Sender& sender, const Flow& flow) {
    sender.has_credit = static_cast<std::int32_t>(flow.allowed + flow.unasked - flow.sent) > 0;
  }
  std::uint32_t packets_of(std::uint64_t bytes) const {
    return static_cast<std::uint32_t>((bytes + settings_.sizes.payload - 1) / settings_.sizes.payload);
  }
  // Returns up to which packet the receiver may grant now: as many as are to come, and at most some windows
  // ahead.
  std::uint32_t grantable(const Flow& flow) const;
  // Returns whether something is to come that has not been granted.
  bool has_more(const QueuePair& pair);
  // Grants the next packets of a flow. Returns false where there is nothing to grant any more.
  [[nodiscard]] bool grant(QueuePair& pair, LinkId port);
  void plan(LinkId port);

  const GrantRules& rules_;
  const PacketSettings& settings_;
  PacketLinks& links_;
  const RouteTable& routes_;
  QueuePairs& pairs_;
  std::uint32_t data_bytes_;  // of a packet on the wire
  StateOfFlows<Flow> flows_;
  std::vector<Port> ports_;  // by link that leaves the receiver
};

}  // namespace orrery::core
