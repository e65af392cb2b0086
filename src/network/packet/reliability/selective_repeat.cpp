// Selective repeat: the receiver keeps what comes out of order, and its acknowledgements name the packet that
// they answer. The sender sends again what is missing and nothing else. Lossy RoCE (Mittal et al.,
// "Revisiting Network Support for RDMA", SIGCOMM 2018) and TCP with selective acknowledgements (RFC 6675)
// both do so: what has arrived or is lost does not count as under way, so that the window bounds the rest.
#include "network/packet/flow_states.hpp"
#include "network/packet/reliability/byte_ranges.hpp"
#include "network/packet/reliability/reliability_kinds.hpp"
#include "network/packet/reliability/scoreboard.hpp"

namespace orrery::core {
namespace {

class SelectiveRepeat final : public Reliability {
 public:
  explicit SelectiveRepeat(const ReliabilityParts& parts)
      : rules_(parts.settings),
        several_routes_(parts.several_routes),
        told_of_losses_(parts.told_of_losses) {}

  void begin(const QueuePair& pair) override { flows_.begin(pair.sender); }

  std::optional<PacketKind> receive(QueuePair& pair, const Packet& packet, Stamp) override {
    take_in_any_order(flows_[pair.sender].ahead, pair.expected, packet.sequence, packet.payload);
    return PacketKind::ack;
  }

  void send(QueuePair& pair, Packet& packet) override {
    Flow& flow = flows_[pair.sender];
    packet.transmission = flow.sent.send(packet.sequence, packet.payload, packet.sent);
    pair.urgent = false;
    note(pair, flow);
  }

  bool take_answer(QueuePair& pair, const Packet& answer) override {
    Sender& sender = pair.sender;
    Flow& flow = flows_[sender];
    sender.acknowledged = std::max(sender.acknowledged, answer.sequence);
    flow.sent.acknowledge(sender.acknowledged);
    const bool any_lost = find_losses(pair, flow, answer);
    note(pair, flow);
    if (sender.acknowledged < flow.recovered) return false;
    sender.recovering = any_lost;
    if (!any_lost) return false;
    flow.recovered = sender.sent;
    pair.urgent = true;
    return true;
  }

  void time_out(QueuePair& pair) override {
    Flow& flow = flows_[pair.sender];
    flow.sent.lose_all();
    flow.recovered = pair.sender.sent;
    pair.sender.recovering = false;
    note(pair, flow);
  }

 private:
  struct Flow {
    ByteRanges ahead;             // of the receiver
    Scoreboard sent;              // of the sender
    std::uint64_t recovered = 0;  // until all before this is acknowledged, losses belong to the last one
  };

  // Where switches tell what they lose, the order of arrivals says nothing, because packets usually take
  // several routes.
  bool find_losses(const QueuePair& pair, Flow& flow, const Packet& answer) const {
    if (answer.kind == PacketKind::nack) return flow.sent.lose(answer.transmission);
    if (answer.payload > 0) flow.sent.arrive(answer.sequence + answer.payload);
    if (told_of_losses_ || !pair.may_lack_packets()) {
      flow.sent.forget_known();
      return false;
    }
    return flow.sent.find_losses(answer.transmission, answer.sent, rules_.reordering,
                                 several_routes_ ? pair.sender.base_rtt : 0);
  }

  static void note(QueuePair& pair, Flow& flow) {
    pair.sender.gone = flow.sent.gone();
    const Scoreboard::Piece* const lost = flow.sent.first_lost();
    pair.again = lost ? QueuePair::Piece{lost->first, lost->bytes} : QueuePair::Piece{};
  }

  const ReliabilitySettings& rules_;
  bool several_routes_, told_of_losses_;
  StateOfFlows<Flow> flows_;
};

}  // namespace

const ReliabilityKind selective_repeat_reliability{.name = "selective-repeat",
                                                   .tracks_packets = true,
                                                   .takes_any_order = true,
                                                   .make = make_reliability<SelectiveRepeat>};

}  // namespace orrery::core
