// A plug-in as users write them.
#include <orrery/registry.hpp>

namespace {

class Star : public orrery::NetworkBuilder {
 public:
  orrery::NetworkPlan build(const orrery::Parameters& keys) const override {
    orrery::NetworkPlan plan;
    const std::size_t middle = plan.add({.kind = orrery::NodeKind::network_switch, .stem = "middle"});
    for (auto left = keys.integer("size", 1, 1000); left > 0; --left)
      plan.cables.push_back({.from = plan.add({}),
                             .to = middle,
                             .bandwidth = keys.bandwidth("bandwidth"),
                             .latency = keys.time("latency")});
    return plan;
  }
};

}  // namespace

extern "C" void orrery_plugin(orrery::Registry& registry) {
  registry.add<Star>("star");
}
