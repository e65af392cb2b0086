// HPCC: Li et al., "HPCC: High Precision Congestion Control", SIGCOMM 2019, with a rate in the place of the
// window, as in ns-3's back end.
#include <cstdint>

#include "network/packet/congestion/congestion_kinds.hpp"
#include "network/packet/congestion/hpcc_rate.hpp"
#include "network/packet/congestion/switch_telemetry.hpp"
#include "network/packet/flow_states.hpp"
#include "network/packet/packet.hpp"
#include "network/packet/settings/congestion_settings.hpp"

namespace orrery::core {

namespace {

// Says how telemetry counts: exactly, or in the few bits that it has in HPCC's packets. There, time wraps
// after 2^24 ns, bytes are counted in units and wrap, too, and queues are counted in units.
class TelemetryEncoding {
 public:
  explicit TelemetryEncoding(const HpccSettings& settings)
      : quantized_(settings.quantized),
        sent_unit_(quantized_ ? 128 * settings.multiple : 1),
        queue_unit_(quantized_ ? 80 * settings.multiple : 1) {}

  HopTelemetry record(Stamp now, std::uint64_t sent, std::uint64_t queue, std::uint64_t rate) const {
    if (!quantized_) return {now, sent, queue, rate};
    return {now / 1000 & time_mask, sent / sent_unit_ & sent_mask, queue / queue_unit_ & queue_mask, rate};
  }

  double ns_between(const HopTelemetry& now, const HopTelemetry& before) const {
    if (!quantized_) return static_cast<double>(now.at - before.at) / 1000;
    return static_cast<double>((now.at - before.at) & time_mask);
  }
  std::uint64_t sent(const HopTelemetry& now, const HopTelemetry& before) const {
    const std::uint64_t units = now.sent - before.sent;
    return (quantized_ ? units & sent_mask : units) * sent_unit_;
  }
  std::uint64_t queue(const HopTelemetry& record) const { return record.queue * queue_unit_; }

 private:
  static constexpr std::int64_t time_mask = (1 << 24) - 1;
  static constexpr std::uint64_t sent_mask = (1 << 20) - 1, queue_mask = (1 << 17) - 1;

  bool quantized_;
  std::uint64_t sent_unit_, queue_unit_;  // bytes
};

// The records of the hops.
class HopRecords final : public SwitchTelemetry {
 public:
  explicit HopRecords(const TelemetryEncoding& encoding) : encoding_(encoding) {}

  void write(LinkId, const PacketPort& port, Packet& packet, Telemetry& into, Stamp now) override {
    if (packet.hops < max_hops)
      into.hops[packet.hops] = encoding_.record(now, port.bytes, port.queues.bytes(), port.rate);
    if (packet.hops <= max_hops) ++packet.hops;
  }

 private:
  const TelemetryEncoding& encoding_;
};

class Hpcc final : public CongestionControl {
 public:
  explicit Hpcc(const CongestionParts& parts)
      : settings_(parts.settings), clock_(parts.clock), encoding_(parts.settings.hpcc), records_(encoding_) {}

  SwitchTelemetry* telemetry() override { return &records_; }

  void begin(Sender& sender) override {
    Flow& flow = flows_.begin(sender);
    flow.whole.rate = sender.rate;
    for (HpccRate& control : flow.by_hop) control.rate = sender.rate;
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
  struct Flow {
    std::uint64_t round_end = 0;  // acknowledgements beyond this sequence number begin a new round
    std::array<HopTelemetry, max_hops> records;
    HpccRate whole;
    std::array<HpccRate, max_hops> by_hop;
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

  void react(Sender& sender, Flow& flow, const Acknowledgement& ack, bool new_round) {
    const double rtt = static_cast<double>(sender.base_rtt) / 1000;
    double largest = 0, tau_of_largest = 0;
    std::uint64_t min_rate = sender.line_rate;
    bool any = false;
    for (std::size_t i = 0; i < ack.hops; ++i) {
      const HopTelemetry& hop = ack.telemetry->hops[i];
      HpccRate& control = flow.by_hop[i];
      if (settings_.hpcc.skip_empty_queues && hop.queue == 0 && !new_round) {
        min_rate = std::min(min_rate, control.rate);
        continue;
      }
      // Acknowledgements that overtook one another bring a record that is not later, which says nothing.
      const double tau = encoding_.ns_between(hop, flow.records[i]);
      if (tau <= 0) continue;
      any = true;
      const double u = utilization(sender, hop, flow.records[i], tau);
      flow.records[i] = hop;
      if (settings_.hpcc.rate_per_hop) {
        average(control, u, std::min(tau, rtt), rtt);
        min_rate = std::min(min_rate, control.next(settings_, sender, new_round));
      } else if (u > largest) {
        largest = u;
        tau_of_largest = tau;
      }
    }
    if (!any) return;
    if (!settings_.hpcc.rate_per_hop) {
      average(flow.whole, largest, std::min(tau_of_largest, rtt), rtt);
      min_rate = flow.whole.next(settings_, sender, new_round);
    }
    change_rate(sender, min_rate, clock_);
  }

  static void average(HpccRate& control, double u, double tau, double rtt) {
    control.utilization = (control.utilization * (rtt - tau) + u * tau) / rtt;
  }

  const CongestionSettings& settings_;
  const PacketClock& clock_;
  TelemetryEncoding encoding_;
  HopRecords records_;
  StateOfFlows<Flow> flows_;
};

constexpr std::string_view hpcc_keys[] = {"least-rate", "increase", "utilization"};

}  // namespace

const CongestionKind hpcc_control{.name = "hpcc",
                                  .header_bytes = 42,
                                  .telemetry = true,
                                  .needs_window = true,
                                  .keys = hpcc_keys,
                                  .make = make_control<Hpcc>};

}  // namespace orrery::core
