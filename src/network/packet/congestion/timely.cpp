// TIMELY: Mittal et al., "TIMELY: RTT-based Congestion Control for the Datacenter", SIGCOMM 2015. It acts
// once per round trip.
#include "network/packet/congestion/congestion_kinds.hpp"
#include "network/packet/congestion/rates.hpp"
#include "network/packet/flow_states.hpp"

namespace orrery::core {
namespace {

class Timely final : public CongestionControl {
 public:
  explicit Timely(const CongestionParts& parts) : settings_(parts.settings) {}

  void begin(Sender& sender) override { flows_.begin(sender); }

  void acknowledged(Sender& sender, const Acknowledgement& ack, Stamp) override {
    Flow& flow = flows_[sender];
    if (ack.sequence <= flow.round_end) return;
    if (flow.round_end > 0) react(sender, flow, ack.rtt);
    flow.rtt = ack.rtt;
    flow.round_end = std::max(flow.round_end, sender.sent);
  }

 private:
  struct Flow {
    std::uint64_t round_end = 0;  // acknowledgements beyond this sequence number begin a new round
    Stamp rtt = 0;                // the last one
    double difference = 0;        // of round trips, a moving average in ps
    int increases = 0;            // one after the other
  };

  void react(Sender& sender, Flow& flow, Stamp rtt) const {
    const TimelySettings& timely = settings_.timely;
    flow.difference = (1 - timely.gradient_weight) * flow.difference +
                      timely.gradient_weight * static_cast<double>(rtt - flow.rtt);
    const double gradient = flow.difference / static_cast<double>(timely.min_rtt_ps);
    double factor = 1;
    if (rtt > timely.high_ps)
      factor = 1 - timely.decrease * (1 - static_cast<double>(timely.high_ps) / static_cast<double>(rtt));
    else if (rtt >= timely.low_ps && gradient > 0)
      factor = 1 - timely.decrease * gradient;
    if (factor < 1) {
      flow.increases = 0;
      sender.rate = std::max(settings_.min_rate, scaled_rate(sender.rate, std::max(0.0, factor)));
      return;
    }
    constexpr int until_hyper = 5;
    ++flow.increases;
    sender.rate =
        std::min(sender.line_rate,
                 sender.rate + (flow.increases > until_hyper ? settings_.hyper : settings_.additive));
  }

  const CongestionSettings& settings_;
  StateOfFlows<Flow> flows_;
};

constexpr std::string_view timely_keys[] = {"least-rate", "increase"};

}  // namespace

const CongestionKind timely_control{
    .name = "timely", .header_bytes = 8, .keys = timely_keys, .make = make_control<Timely>};

}  // namespace orrery::core
