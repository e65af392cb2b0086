// A form of networks: a hypercube, in which NPUs are neighbours if their numbers differ in one bit.
#include <orrery/registry.hpp>

namespace {

class Hypercube : public orrery::NetworkBuilder {
 public:
  orrery::NetworkPlan build(const orrery::Parameters& keys) const override {
    const auto dimensions = static_cast<unsigned>(keys.integer("dimensions", 1, 20));
    const auto link = keys.map("link");
    const double bandwidth = link->bandwidth("bandwidth");
    const orrery::Time latency = link->time("latency");

    orrery::NetworkPlan plan;
    plan.npus_forward = true;
    const std::size_t npus = std::size_t{1} << dimensions;
    for (std::size_t npu = 0; npu < npus; ++npu) plan.add({});
    for (std::size_t npu = 0; npu < npus; ++npu)
      for (unsigned bit = 0; bit < dimensions; ++bit)
        if (const std::size_t neighbour = npu ^ std::size_t{1} << bit; npu < neighbour)
          plan.cables.push_back({.from = npu, .to = neighbour, .bandwidth = bandwidth, .latency = latency});
    plan.groups = std::vector<int>(dimensions, 2);
    return plan;
  }
};

}  // namespace

extern "C" void orrery_plugin(orrery::Registry& registry) {
  registry.add<Hypercube>("hypercube");
}
