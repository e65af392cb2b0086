// HPCC: Li et al., "HPCC: High Precision Congestion Control", SIGCOMM 2019, with a rate in the place of the
// window, as in ns-3's back end.
#include "network/packet/congestion/congestion_kinds.hpp"
#include "network/packet/congestion/rates.hpp"
#include "network/packet/congestion/telemetry_encoding.hpp"
#include "network/packet/flow_states.hpp"

namespace orrery {
namespace {

class Hpcc final : public CongestionControl {
 public:
  explicit Hpcc(const CongestionParts& parts)
      : settings_(parts.settings), clock_(parts.clock), encoding_(parts.settings.hpcc) {}

  void begin(Sender& sender) override {
    Flow& flow = flows_.begin(sender);
    flow.whole.rate = sender.rate;
    for (Control& control : flow.by_hop) control.rate = sender.rate;
  }

  void acknowledged(Sender& sender, const Acknowledgement& ack, Stamp) override {
    if (!ack.telemetry) return;
    Flow& flow = flows_[sender];
    const bool new_round = ack.sequence > flow.round_end;
    if (!new_round && !settings_.hpcc.fast_reaction) return;
    if (flow.round_end == 0)
      flow.records = ack.telemetry->hops;
    else
      react(sender, flow, ack, new_round);
    if (new_round) flow.round_end = std::max(flow.round_end, sender.sent);
  }

 private:
  struct Control {
    double utilization = 1;
    std::uint64_t rate = 0;  // bit/s, of the last round
    int stage = 0;           // of additive increase
  };
  struct Flow {
    std::uint64_t round_end = 0;  // acknowledgements beyond this sequence number begin a new round
    std::array<HopTelemetry, most_hops> records;
    Control whole;
    std::array<Control, most_hops> by_hop;
  };

  // The utilization of a hop since the record before: what it sent, and what waits behind it.
  double utilization(const Sender& sender, const HopTelemetry& now, const HopTelemetry& before,
                     double tau_ns) const {
    const double duration = tau_ns * 1e-9;
    const auto line = static_cast<double>(now.rate);
    const double sent_rate = static_cast<double>(encoding_.sent(now, before)) * 8 / duration;
    const auto queue = static_cast<double>(std::min(encoding_.queue(now), encoding_.queue(before)));
    return sent_rate / line +
           queue * static_cast<double>(sender.line_rate) / line / static_cast<double>(sender.window);
  }

  // Returns the rate that the control asks for, and moves it on when a round has ended.
  std::uint64_t next_rate(Control& control, const Sender& sender, bool new_round) const {
    const double excess = control.utilization / settings_.hpcc.target;
    const bool by_factor = excess >= 1 || control.stage >= settings_.hpcc.stages;
    std::uint64_t rate =
        by_factor ? static_cast<std::uint64_t>(static_cast<double>(control.rate) / excess) : control.rate;
    rate = std::clamp(rate + settings_.additive, settings_.least_rate,
                      std::max(settings_.least_rate, sender.line_rate));
    if (new_round) {
      control.rate = rate;
      control.stage = by_factor ? 0 : control.stage + 1;
    }
    return rate;
  }

  void react(Sender& sender, Flow& flow, const Acknowledgement& ack, bool new_round) {
    const double rtt = static_cast<double>(sender.base_rtt) / 1000;
    double largest = 0, tau_of_largest = 0;
    std::uint64_t least_rate = sender.line_rate;
    bool any = false;
    for (std::size_t i = 0; i < ack.hops; ++i) {
      const HopTelemetry& hop = ack.telemetry->hops[i];
      Control& control = flow.by_hop[i];
      if (settings_.hpcc.skip_empty_queues && hop.queue == 0 && !new_round) {
        least_rate = std::min(least_rate, control.rate);
        continue;
      }
      any = true;
      const double tau = encoding_.ns_between(hop, flow.records[i]);
      const double u = utilization(sender, hop, flow.records[i], tau);
      flow.records[i] = hop;
      if (settings_.hpcc.rate_per_hop) {
        average(control, u, std::min(tau, rtt), rtt);
        least_rate = std::min(least_rate, next_rate(control, sender, new_round));
      } else if (u > largest) {
        largest = u;
        tau_of_largest = tau;
      }
    }
    if (!any) return;
    if (!settings_.hpcc.rate_per_hop) {
      average(flow.whole, largest, std::min(tau_of_largest, rtt), rtt);
      least_rate = next_rate(flow.whole, sender, new_round);
    }
    change_rate(sender, least_rate);
  }

  static void average(Control& control, double u, double tau, double rtt) {
    control.utilization = (control.utilization * (rtt - tau) + u * tau) / rtt;
  }

  // The packet that was sent last counts as if it had been sent at the new rate.
  void change_rate(Sender& sender, std::uint64_t rate) const {
    sender.next_send +=
        clock_.transmission(sender.last_bytes, rate) - clock_.transmission(sender.last_bytes, sender.rate);
    sender.rate = rate;
  }

  const CongestionSettings& settings_;
  const PacketClock& clock_;
  TelemetryEncoding encoding_;
  StateOfFlows<Flow> flows_;
};

}  // namespace

const CongestionKind hpcc_control{
    .name = "hpcc", .header_bytes = 42, .telemetry = true, .needs_window = true, .make = make_control<Hpcc>};

}  // namespace orrery
