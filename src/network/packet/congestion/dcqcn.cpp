// DCQCN: Zhu et al., "Congestion Control for Large-Scale RDMA Deployments", SIGCOMM 2015, with the timers of
// ns-3's back end and without a byte counter.
#include "network/packet/congestion/congestion_kinds.hpp"
#include "network/packet/congestion/rates.hpp"
#include "network/packet/flow_states.hpp"

namespace orrery::core {
namespace {

class Dcqcn final : public CongestionControl {
 public:
  explicit Dcqcn(const CongestionParts& parts) : settings_(parts.settings), timers_(parts.timers) {}

  void begin(Sender& sender) override { flows_.begin(sender); }

  void acknowledged(Sender& sender, const Acknowledgement& ack, Stamp now) override {
    if (!ack.marked) return;
    Flow& flow = flows_[sender];
    flow.marked_for_decrease = true;
    if (flow.controlled) {
      flow.marked_for_alpha = true;
      return;
    }
    flow.controlled = true;
    flow.target = sender.rate;
    timers_.set(sender, alpha, now + settings_.dcqcn.alpha_interval_ps);
    constexpr Stamp one_ns = 1000;  // by which ns-3's back end looks later for the first time
    timers_.set(sender, decrease, now + settings_.dcqcn.decrease_interval_ps + one_ns);
  }

  void timer(Sender& sender, std::uint8_t timer, Stamp now) override {
    Flow& flow = flows_[sender];
    if (timer == alpha) {
      timers_.set(sender, alpha, now + settings_.dcqcn.alpha_interval_ps);
      flow.alpha = (1 - settings_.gain) * flow.alpha + (flow.marked_for_alpha ? settings_.gain : 0);
      flow.marked_for_alpha = false;
    } else if (timer == decrease) {
      timers_.set(sender, decrease, now + settings_.dcqcn.decrease_interval_ps);
      if (flow.marked_for_decrease) decrease_rate(sender, flow, now);
    } else {
      timers_.set(sender, increase, now + settings_.dcqcn.increase_interval_ps);
      increase_rate(sender, flow);
    }
  }

  void end(Sender& sender) override {
    for (const std::uint8_t timer : {alpha, decrease, increase}) timers_.stop(sender, timer);
  }

 private:
  enum Timer : std::uint8_t { alpha, decrease, increase };
  struct Flow {
    double alpha = 1;
    std::uint64_t target = 0;                                    // bit/s
    int increases = 0;                                           // since the last decrease
    bool controlled = false;                                     // a mark has come
    bool marked_for_alpha = false, marked_for_decrease = false;  // since that was looked at
  };

  void decrease_rate(Sender& sender, Flow& flow, Stamp now) {
    if (settings_.dcqcn.clamp_target || flow.increases > 0) flow.target = sender.rate;
    sender.rate = std::max(settings_.min_rate, scaled_rate(sender.rate, 1 - flow.alpha / 2));
    flow.increases = 0;
    flow.marked_for_decrease = false;
    timers_.set(sender, increase, now + settings_.dcqcn.increase_interval_ps);
  }

  // Fast recovery halves the way to the target, which active and then hyper increase raise.
  void increase_rate(Sender& sender, Flow& flow) {
    const int steps = settings_.dcqcn.fast_recovery_steps;
    if (flow.increases >= steps) {
      flow.target += flow.increases == steps ? settings_.additive : settings_.hyper;
      flow.target = std::min(flow.target, sender.line_rate);
    }
    sender.rate = sender.rate / 2 + flow.target / 2;
    ++flow.increases;
  }

  const CongestionSettings& settings_;
  CongestionTimers& timers_;
  StateOfFlows<Flow> flows_;
};

constexpr std::string_view dcqcn_keys[] = {"least-rate", "increase", "gain"};

}  // namespace

const CongestionKind dcqcn_control{
    .name = "dcqcn",
    .recovers_slowly = true,
    .keys = dcqcn_keys,
    .marks = {.rate = 100'000'000'000, .min_bytes = 400'000, .max_bytes = 1'600'000, .probability = 0.2},
    .make = make_control<Dcqcn>};

}  // namespace orrery::core
