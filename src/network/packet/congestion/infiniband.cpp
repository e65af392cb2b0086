// InfiniBand's congestion control (InfiniBand Architecture, volume 1, annex A10). Switches mark packets where
// congestion has its root (FECN), and acknowledgements say so (BECN). Every mark moves a flow to a higher
// index of a table, and a timer moves it down again; the table says how long to wait between packets, in
// times of a packet.
//
// A subnet manager fills in the table. Here every `halving` entries halve the rate.
#include <algorithm>
#include <cmath>

#include "network/packet/congestion/congestion_kinds.hpp"
#include "network/packet/congestion/rates.hpp"
#include "network/packet/flow_states.hpp"

namespace orrery::core {
namespace {

class InfinibandControl final : public CongestionControl {
 public:
  explicit InfinibandControl(const CongestionParts& parts)
      : settings_(parts.settings), timers_(parts.timers) {}

  void begin(Sender& sender) override { flows_.begin(sender); }

  void acknowledged(Sender& sender, const Acknowledgement& ack, Stamp now) override {
    if (!ack.marked) return;
    Flow& flow = flows_[sender];
    if (flow.index == 0) timers_.set(sender, decrement, now + settings_.infiniband.timer_ps);
    flow.index = std::min(settings_.infiniband.limit, flow.index + settings_.infiniband.increase);
    set_rate(sender, flow);
  }

  void timer(Sender& sender, std::uint8_t, Stamp now) override {
    Flow& flow = flows_[sender];
    --flow.index;
    set_rate(sender, flow);
    if (flow.index > 0) timers_.set(sender, decrement, now + settings_.infiniband.timer_ps);
  }

  void end(Sender& sender) override { timers_.stop(sender, decrement); }

 private:
  static constexpr std::uint8_t decrement = 0;
  struct Flow {
    int index = 0;  // CCTI
  };

  void set_rate(Sender& sender, const Flow& flow) const {
    const double delay = std::exp2(flow.index / settings_.infiniband.halving) - 1;  // in times of a packet
    sender.rate = std::max<std::uint64_t>(1, scaled_rate(sender.line_rate, 1 / (1 + delay)));
  }

  const CongestionSettings& settings_;
  CongestionTimers& timers_;
  StateOfFlows<Flow> flows_;
};

}  // namespace

const CongestionKind infiniband_control{
    .name = "infiniband",
    .marks = {.rate = 100'000'000'000, .min_bytes = 64'000, .max_bytes = 64'000, .probability = 1},
    .make = make_control<InfinibandControl>};

}  // namespace orrery::core
