// TCP without selective acknowledgements: RFC 5681, and RFC 6582 ("NewReno") for several losses in a window.
// Acknowledgements that say the same as the one before tell that a packet is missing and others have arrived.
#include "network/packet/flow_states.hpp"
#include "network/packet/reliability/byte_ranges.hpp"
#include "network/packet/reliability/reliability_kinds.hpp"

namespace orrery::core {
namespace {

class DuplicateAcks final : public Reliability {
 public:
  explicit DuplicateAcks(const ReliabilityParts& parts) : rules_(parts.settings), payload_(parts.payload) {}

  void begin(const QueuePair& pair) override { flows_.begin(pair.sender); }

  std::optional<PacketKind> receive(QueuePair& pair, const Packet& packet, Stamp) override {
    take_in_any_order(flows_[pair.sender].ahead, pair.expected, packet.sequence, packet.payload);
    return PacketKind::ack;
  }

  void send(QueuePair& pair, Packet&) override {
    if (pair.again.bytes == 0) return;
    pair.again = {};
    pair.urgent = false;
  }

  bool take_answer(QueuePair& pair, const Packet& answer) override {
    Sender& sender = pair.sender;
    Flow& flow = flows_[sender];
    if (answer.sequence > sender.acknowledged) {
      advance(pair, flow, answer.sequence);
      return false;
    }
    if (answer.sequence < sender.acknowledged || pair.unacknowledged() == 0) return false;
    if (!pair.may_lack_packets()) return false;  // packets have overtaken one another
    ++flow.duplicates;
    if (sender.recovering) {
      set_gone(pair, sender.gone + payload_);
      return false;
    }
    if (flow.duplicates != rules_.reordering || sender.acknowledged < flow.recovered) return false;
    flow.recovered = sender.sent;
    sender.recovering = true;
    set_gone(pair, std::uint64_t{rules_.reordering} * payload_);
    send_first_again(pair);
    return true;
  }

  void time_out(QueuePair& pair) override {
    Sender& sender = pair.sender;
    Flow& flow = flows_[sender];
    flow.recovered = std::max(flow.recovered, sender.sent);
    flow.duplicates = 0;
    sender.recovering = false;
    sender.gone = 0;
    sender.sent = sender.acknowledged;
    pair.again = {};
    pair.urgent = false;
    pair.find_message_end();
  }

 private:
  struct Flow {
    ByteRanges ahead;              // of the receiver
    std::uint32_t duplicates = 0;  // acknowledgements, one after the other
    std::uint64_t recovered = 0;  // when all before this is acknowledged, nothing of the last loss is missing
  };

  // New bytes are acknowledged: all that were missing, or the first of them only, and then the next packet is
  // missing, too (RFC 6582, section 3.2, step 3).
  void advance(QueuePair& pair, Flow& flow, std::uint64_t until) const {
    Sender& sender = pair.sender;
    const std::uint64_t bytes = until - sender.acknowledged;
    sender.acknowledged = until;
    sender.sent = std::max(sender.sent, until);
    flow.duplicates = 0;
    if (!sender.recovering) return;
    if (until >= flow.recovered) {
      sender.recovering = false;
      sender.gone = 0;
      pair.again = {};
      pair.urgent = false;
      return;
    }
    set_gone(pair, sender.gone - std::min(sender.gone, bytes) + (bytes >= payload_ ? payload_ : 0));
    send_first_again(pair);
  }

  // Sets the bytes that have left the network as duplicates tell, by which RFC 5681 makes the window larger.
  static void set_gone(QueuePair& pair, std::uint64_t bytes) {
    pair.sender.gone = std::min(bytes, pair.unacknowledged());
  }

  void send_first_again(QueuePair& pair) const {
    pair.again = {pair.sender.acknowledged,
                  static_cast<std::uint32_t>(std::min<std::uint64_t>(payload_, pair.unacknowledged()))};
    pair.urgent = true;
  }

  const ReliabilitySettings& rules_;
  std::uint32_t payload_;
  StateOfFlows<Flow> flows_;
};

}  // namespace

const ReliabilityKind duplicate_acks_reliability{.name = "duplicate-acks",
                                                 .tracks_packets = true,
                                                 .takes_any_order = true,
                                                 .make = make_reliability<DuplicateAcks>};

}  // namespace orrery::core
