// Network models of plug-ins.
#include <utility>

#include "api/plugins/extensions.hpp"
#include "network/graph/foreign_network_model.hpp"

namespace orrery::core {
namespace {

namespace plugin = orrery::experimental;

plugin::NetworkFacts facts_of(const NetworkGraph& graph) {
  plugin::NetworkFacts facts;
  facts.npus = static_cast<std::size_t>(graph.npus());
  facts.nodes = graph.nodes();
  facts.links.reserve(graph.links());
  for (std::uint32_t number = 0; number < graph.links(); ++number) {
    const NetworkLink& link = graph.link(LinkId(number));
    facts.links.push_back({link.from.index(), link.to.index(), link.bandwidth.bytes_per_ns() * 1e9,
                           orrery::Time::picoseconds(link.latency.ps())});
  }
  return facts;
}

// This is the run as a plug-in sees it, and hands its messages to the plug-in. It hands words on as they are.
class CarrierOfPlugin final : public ForeignCarrier, private plugin::NetworkRun {
 public:
  CarrierOfPlugin(std::string what, const plugin::NetworkModel& model, const NetworkGraph& graph,
                  ForeignRun& run)
      : what_(std::move(what)), run_(run), facts_(facts_of(graph)) {
    call([&] { carrier_ = model.begin(facts_, *this); });
    if (!carrier_) throw InputError({what_ + " of a plug-in"}, "it carries no messages: it returned null");
  }

  void send(const ForeignMessage& message) override {
    handed_.number = message.number;
    handed_.source = static_cast<std::size_t>(message.source);
    handed_.destination = static_cast<std::size_t>(message.destination);
    handed_.bytes = message.bytes.count();
    handed_.alone = orrery::Time::picoseconds(message.alone.ps());
    handed_.route.clear();
    for (const Route::Part& part : message.route.parts)
      handed_.route.push_back({part.link.index(), part.share});
    call([&] { carrier_->send(handed_); });
  }
  void wake(std::uint64_t word) override {
    call([&] { carrier_->wake(word); });
  }

 private:
  orrery::Time now() const override { return orrery::Time::picoseconds(run_.now().ps()); }
  void deliver(std::uint64_t message) override { run_.deliver(message); }
  void wake_at(orrery::Time when, std::uint64_t word) override {
    run_.wake_at(Time::from_ps(when.picoseconds()), word);
  }
  template <class Call>
  void call(const Call& call) const {
    call_plugin(what_, {what_ + " of a plug-in"}, call);
  }

  std::string what_;
  ForeignRun& run_;
  plugin::NetworkFacts facts_;
  plugin::NetworkMessage handed_;  // one for all messages, as its route takes memory
  std::unique_ptr<plugin::MessageCarrier> carrier_;
};

}  // namespace

void add_foreign_network_models(const Registry& registry, Extensions& extensions) {
  for (const auto& [name, model] : registry.network_models()) {
    const std::string what = "the network model `" + name + "`";
    const auto begin = [what, model = model](const NetworkGraph& graph, ForeignRun& run) {
      return std::make_unique<CarrierOfPlugin>(what, *model, graph, run);
    };
    extensions.add(name, ForeignNetworkModelEntry(std::make_shared<const ForeignNetworkModel>(name, begin)));
  }
}

}  // namespace orrery::core
