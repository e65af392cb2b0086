// A routing: of all links that lead on, messages take the one with the least to carry, and of equal ones the
// last.
#include <orrery/registry.hpp>

namespace {

class LastLink : public orrery::Routing {
 public:
  bool looks_at_loads() const override { return true; }

  std::size_t choose(const orrery::RoutingPoint& at) const override {
    std::size_t best = 0;
    for (std::size_t i = 1; i < at.links.size(); ++i)
      if (at.links[i].load <= at.links[best].load) best = i;
    return best;
  }
};

}  // namespace

extern "C" void orrery_plugin(orrery::Registry& registry) {
  registry.add<LastLink>("last-link");
}
