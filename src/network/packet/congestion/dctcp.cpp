// DCTCP: Alizadeh et al., "Data Center TCP", SIGCOMM 2010, with a rate in the place of the window, as in
// ns-3's back end.
#include "network/packet/congestion/congestion_kinds.hpp"
#include "network/packet/congestion/rates.hpp"
#include "network/packet/flow_states.hpp"

namespace orrery::core {
namespace {

class Dctcp final : public CongestionControl {
 public:
  explicit Dctcp(const CongestionParts& parts) : settings_(parts.settings), payload_(parts.payload) {}

  void begin(Sender& sender) override { flows_.begin(sender); }

  void acknowledged(Sender& sender, const Acknowledgement& ack, Stamp) override {
    Flow& flow = flows_[sender];
    if (ack.marked) ++flow.marks;
    const bool round_ends = ack.sequence > flow.round_end;
    if (round_ends) end_round(sender, flow, ack.sequence);
    if (flow.reduced && ack.sequence > flow.reduced_until) flow.reduced = false;
    if (ack.marked && !flow.reduced) {
      sender.rate = std::max(settings_.min_rate, scaled_rate(sender.rate, 1 - flow.alpha / 2));
      flow.reduced_until = sender.sent;
      flow.reduced = true;
    }
    if (round_ends && !flow.reduced)
      sender.rate = std::min(sender.line_rate, sender.rate + settings_.dctcp_additive);
  }

 private:
  struct Flow {
    double alpha = 1;
    std::uint64_t round_end = 0;  // acknowledgements beyond this sequence number begin a new round
    std::uint64_t packets = 0;    // of the round
    std::uint64_t marks = 0;
    bool reduced = false;  // once in the present window, which ends here:
    std::uint64_t reduced_until = 0;
  };

  void end_round(const Sender& sender, Flow& flow, std::uint64_t sequence) const {
    std::uint64_t under_way = sender.sent;
    if (flow.round_end > 0) {
      const double share = std::min(1.0, static_cast<double>(flow.marks) / static_cast<double>(flow.packets));
      flow.alpha = (1 - settings_.gain) * flow.alpha + settings_.gain * share;
      flow.marks = 0;
      under_way = sender.sent > sequence ? sender.sent - sequence : 0;
    }
    flow.round_end = sender.sent;
    flow.packets = under_way / payload_ + 1;
  }

  const CongestionSettings& settings_;
  std::uint32_t payload_;
  StateOfFlows<Flow> flows_;
};

constexpr std::string_view dctcp_keys[] = {"least-rate", "gain"};

}  // namespace

const CongestionKind dctcp_control{
    .name = "dctcp",
    .recovers_slowly = true,
    .keys = dctcp_keys,
    .marks = {.rate = 100'000'000'000, .min_bytes = 300'000, .max_bytes = 300'000, .probability = 1},
    .make = make_control<Dctcp>};

}  // namespace orrery::core
