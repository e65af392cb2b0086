// Go-back-N, as adapters of RoCE do it: the receiver takes only what is next in order, and when something is
// missing the sender goes back there.
#include "network/packet/reliability/reliability_kinds.hpp"

namespace orrery::core {
namespace {

class GoBackN final : public Reliability {
 public:
  explicit GoBackN(const ReliabilityParts& parts) : rules_(parts.settings) {}

  std::optional<PacketKind> receive(QueuePair& pair, const Packet& packet, Stamp now) override {
    if (packet.sequence == pair.expected) {
      pair.expected += packet.payload;
      if (pair.expected >= rules_.ack_interval || pair.expected % rules_.chunk == 0) return PacketKind::ack;
    } else if (packet.sequence > pair.expected) {
      if (now >= pair.next_nack || pair.nacked != pair.expected) {
        pair.next_nack = now + rules_.nack_gap_ps;
        pair.nacked = pair.expected;
        if (rules_.back_to_chunk) pair.expected = pair.expected / rules_.chunk * rules_.chunk;
        return PacketKind::nack;
      }
    } else if (rules_.timeouts) {  // the acknowledgement was lost
      return PacketKind::ack;
    }
    return std::nullopt;
  }

  bool take_answer(QueuePair& pair, const Packet& answer) override {
    Sender& sender = pair.sender;
    const std::uint64_t until =
        rules_.back_to_chunk ? answer.sequence / rules_.chunk * rules_.chunk : answer.sequence;
    if (until > sender.acknowledged) {
      sender.acknowledged = until;
      sender.sent = std::max(sender.sent, until);
    }
    if (answer.kind != PacketKind::nack) return false;
    go_back(pair);
    return true;
  }

  void time_out(QueuePair& pair) override { go_back(pair); }

 private:
  static void go_back(QueuePair& pair) {
    pair.sender.sent = pair.sender.acknowledged;
    pair.find_message_end();
  }

  const ReliabilitySettings& rules_;
};

}  // namespace

const ReliabilityKind go_back_n_reliability{.name = "go-back-n", .make = make_reliability<GoBackN>};

}  // namespace orrery::core
