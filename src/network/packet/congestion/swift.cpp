// Swift: Kumar et al., "Swift: Delay is Simple and Effective for Congestion Control in the Datacenter",
// SIGCOMM 2020. The window in packets, which may be less than one, follows the round trip: below its target
// it grows, above it shrinks, at most once per round trip. Flows with small windows have larger targets, so
// that many of them share a link fairly.
//
// Hosts take no time here, so there is one delay, that of the fabric. The window of the queue pair is the one
// of its line's rate, in proportion to the rate, so the rate stands for the window, and flows are paced.
#include <cmath>

#include "network/packet/congestion/congestion_kinds.hpp"
#include "network/packet/congestion/rates.hpp"
#include "network/packet/flow_states.hpp"

namespace orrery::core {
namespace {

class Swift final : public CongestionControl {
 public:
  explicit Swift(const CongestionParts& parts) : settings_(parts.settings), payload_(parts.payload) {}

  void begin(Sender& sender) override {
    Flow& flow = flows_.begin(sender);
    flow.largest = static_cast<double>(sender.line_rate) * static_cast<double>(sender.base_rtt) / 8e12 /
                   static_cast<double>(payload_);
    flow.window = flow.largest;
    flow.base_target = settings_.swift.base * static_cast<double>(sender.base_rtt);
  }

  void acknowledged(Sender& sender, const Acknowledgement& ack, Stamp now) override {
    Flow& flow = flows_[sender];
    const SwiftSettings& swift = settings_.swift;
    const double packets =
        static_cast<double>(ack.sequence - std::min(ack.sequence, flow.seen)) / static_cast<double>(payload_);
    flow.seen = std::max(flow.seen, ack.sequence);
    flow.rtt = ack.rtt;
    if (packets > 0) flow.timeouts = 0;
    const auto delay = static_cast<double>(ack.rtt);
    const double target = target_of(flow);
    if (delay < target) {
      flow.window += swift.increase * (flow.window >= 1 ? packets / flow.window : packets);
    } else if (now - flow.last_decrease >= ack.rtt) {
      const double factor = 1 - swift.decrease * (delay - target) / delay;
      flow.window *= std::max(factor, 1 - swift.max_decrease);
      flow.last_decrease = now;
    }
    apply(sender, flow);
  }

  void lost(Sender& sender, Stamp now) override { shrink(sender, flows_[sender], now); }

  void timed_out(Sender& sender, Stamp now) override {
    Flow& flow = flows_[sender];
    if (++flow.timeouts < settings_.swift.timeouts_until_least) return shrink(sender, flow, now);
    flow.window = settings_.swift.min_window;
    apply(sender, flow);
  }

 private:
  struct Flow {
    double window = 0, largest = 0;  // packets; the largest one keeps the line busy
    double base_target = 0;          // ps
    std::uint64_t seen = 0;          // bytes acknowledged
    Stamp last_decrease = 0;
    Stamp rtt = 0;     // the last one
    int timeouts = 0;  // one after the other
  };

  // The rate shrinks as much as it ever may, but only once in a round trip.
  void shrink(Sender& sender, Flow& flow, Stamp now) const {
    if (now - flow.last_decrease < flow.rtt) return;
    flow.window *= 1 - settings_.swift.max_decrease;
    flow.last_decrease = now;
    apply(sender, flow);
  }
  void apply(Sender& sender, Flow& flow) const {
    flow.window = std::clamp(flow.window, settings_.swift.min_window, flow.largest);
    const std::uint64_t rate = scaled_rate(sender.line_rate, flow.window / flow.largest);
    sender.rate = std::clamp(rate, std::min(settings_.min_rate, sender.line_rate), sender.line_rate);
  }

  // Flow scaling of section 3.5: a / sqrt(window) + b, between nothing and the whole range.
  double target_of(const Flow& flow) const {
    const SwiftSettings& swift = settings_.swift;
    const double range = swift.scaling_range * flow.base_target;
    const double least = 1 / std::sqrt(swift.scaling_least), most = 1 / std::sqrt(swift.scaling_most);
    const double a = range / (least - most);
    return flow.base_target + std::clamp(a / std::sqrt(flow.window) - a * most, 0.0, range);
  }

  const CongestionSettings& settings_;
  std::uint32_t payload_;
  StateOfFlows<Flow> flows_;
};

constexpr std::string_view swift_keys[] = {"least-rate"};

}  // namespace

const CongestionKind swift_control{
    .name = "swift", .header_bytes = 8, .keys = swift_keys, .make = make_control<Swift>};

}  // namespace orrery::core
