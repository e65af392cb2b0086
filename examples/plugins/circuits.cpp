// A network model: each message reserves all links of its route for itself, as in a network that switches
// circuits, and waits until they are free. Messages take their turns in the order in which they are sent.
#include <orrery/registry.hpp>

#include <algorithm>

namespace {

namespace model = orrery::experimental;

class Circuits : public model::MessageCarrier {
 public:
  Circuits(const model::NetworkFacts& network, model::NetworkRun& run)
      : run_(run), free_from_(network.links.size()) {}

  void send(const model::NetworkMessage& message) override {
    orrery::Time start = run_.now();
    for (const model::RoutePart& part : message.route) start = std::max(start, free_from_[part.link]);
    const orrery::Time end = start + message.alone;
    for (const model::RoutePart& part : message.route) free_from_[part.link] = end;
    run_.wake_at(end, message.number);
  }
  void wake(std::uint64_t message) override { run_.deliver(message); }

 private:
  model::NetworkRun& run_;
  std::vector<orrery::Time> free_from_;  // by link
};

class CircuitSwitching : public model::NetworkModel {
 public:
  std::unique_ptr<model::MessageCarrier> begin(const model::NetworkFacts& network,
                                               model::NetworkRun& run) const override {
    return std::make_unique<Circuits>(network, run);
  }
};

}  // namespace

extern "C" void orrery_plugin(orrery::Registry& registry) {
  registry.add<CircuitSwitching>("circuits");
}
