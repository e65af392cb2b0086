// A congestion control: a flow halves its rate once in a round trip in which packets were marked or lost, and
// otherwise adds a little to it with every acknowledgement.
#include <orrery/registry.hpp>

namespace {

class Flow : public orrery::CongestionFlow {
 public:
  explicit Flow(const orrery::FlowStart& flow)
      : step_(flow.line_rate / 256), round_trip_(flow.base_round_trip) {}

  double acknowledged(const orrery::FlowAcknowledgement& ack) override {
    if (ack.marked) return lost(ack.now, ack.rate);
    return ack.rate + step_;
  }
  double lost(orrery::Time now, double rate) override {
    if (now < quiet_until_) return rate;
    quiet_until_ = now + round_trip_;
    return rate / 2;
  }

 private:
  double step_;  // bytes per second
  orrery::Time round_trip_, quiet_until_;
};

class HalveAndAdd : public orrery::CongestionControl {
 public:
  bool needs_marks() const override { return true; }
  std::unique_ptr<orrery::CongestionFlow> begin(const orrery::FlowStart& flow) const override {
    return std::make_unique<Flow>(flow);
  }
};

}  // namespace

extern "C" void orrery_plugin(orrery::Registry& registry) {
  registry.add<HalveAndAdd>("halve-and-add");
}
