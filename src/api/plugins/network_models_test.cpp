// Network models of one's own, on a star of eight NPUs.
#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

#include "orrery/experiment.hpp"

namespace orrery::core::test::plugin_models_test {
namespace {

namespace model = orrery::experimental;
using orrery::Document;
using orrery::Registry;
using Api = orrery::Experiment;

// A carrier whose functions a test gives.
struct Behaviour {
  std::function<void(model::NetworkRun& run, const model::NetworkMessage& message)> send;
  std::function<void(model::NetworkRun& run, std::uint64_t word)> wake =
      [](model::NetworkRun& run, std::uint64_t word) { run.deliver(word); };
};

class Carrier : public model::MessageCarrier {
 public:
  Carrier(model::NetworkRun& run, Behaviour behaviour) : run_(run), behaviour_(std::move(behaviour)) {}
  void send(const model::NetworkMessage& message) override { behaviour_.send(run_, message); }
  void wake(std::uint64_t word) override { behaviour_.wake(run_, word); }

 private:
  model::NetworkRun& run_;
  Behaviour behaviour_;
};

class Behaving : public model::NetworkModel {
 public:
  explicit Behaving(Behaviour behaviour) : behaviour_(std::move(behaviour)) {}
  std::unique_ptr<model::MessageCarrier> begin(const model::NetworkFacts&,
                                               model::NetworkRun& run) const override {
    return std::make_unique<Carrier>(run, behaviour_);
  }

 private:
  Behaviour behaviour_;
};

// Messages pass one another.
const Behaviour alone{.send = [](model::NetworkRun& run, const model::NetworkMessage& message) {
  run.wake_at(run.now() + message.alone, message.number);
}};

Registry with(Behaviour behaviour) {
  Registry registry;
  registry.add<Behaving>("mine", std::move(behaviour));
  return registry;
}

Document star_of_eight(const std::string& collective) {
  Document document;
  document["network"] = {
      {"build", "switch"}, {"size", 8}, {"link", {{"bandwidth", "50 GB/s"}, {"latency", "1 us"}}}};
  document["network-model"] = "mine";
  document["system"] = {{"endpoint-delay", "0 ns"},
                        {"collectives", {{"all-reduce", "ring"}, {"all-to-all", "direct"}}}};
  document["workload"]["policy"] = "data";
  document["workload"]["layers"] = Document::List{
      {{"name", "layer"},
       {"weight-gradient", {{"compute", "1 us"}, {"collective", collective}, {"size", "1 MB"}}}}};
  return document;
}

// Returns the time of a run in picoseconds, or what is wrong with it.
std::string outcome(const Document& document, const Registry& registry, const std::string& chosen = {}) {
  const auto experiment = Api::from(document, {.network_model = chosen, .registry = registry});
  if (!experiment) return experiment.problems().front().text();
  const auto runs = experiment->simulate();
  if (!runs.ok()) return runs.problems().front().text();
  return std::to_string(runs[0].time().picoseconds());
}

// In a ring no two messages share a link, so that a model without contention agrees with flows.
TEST(PluginModels, WhereNothingMeetsMessagesTakeTheirTimesAlone) {
  const Document ring = star_of_eight("all-reduce");
  const std::string flows = outcome(ring, {}, "fluid");
  EXPECT_EQ(outcome(ring, with(alone)), flows);
  EXPECT_GT(std::stoll(flows), 1'000'000);
  // Options choose it by its name, too, whatever the experiment says.
  Document of_flows = ring;
  of_flows["network-model"] = "fluid";
  EXPECT_EQ(outcome(of_flows, with(alone), "mine"), flows);
}

TEST(PluginModels, EveryMessageOfEveryRankIsHandedOver) {
  std::vector<model::NetworkMessage> seen;
  model::NetworkFacts facts;
  struct Watching : Behaving {
    Watching(Behaviour behaviour, model::NetworkFacts& facts)
        : Behaving(std::move(behaviour)), facts_(facts) {}
    std::unique_ptr<model::MessageCarrier> begin(const model::NetworkFacts& network,
                                                 model::NetworkRun& run) const override {
      facts_ = network;
      return Behaving::begin(network, run);
    }
    model::NetworkFacts& facts_;
  };
  Registry registry;
  registry.add<Watching>("mine",
                         Behaviour{.send =
                                       [&](model::NetworkRun& run, const model::NetworkMessage& message) {
                                         seen.push_back(message);
                                         alone.send(run, message);
                                       }},
                         facts);
  EXPECT_EQ(outcome(star_of_eight("all-reduce"), registry).find_first_not_of("0123456789"),
            std::string::npos);
  EXPECT_EQ(facts.npus, 8u);
  EXPECT_EQ(facts.nodes, 9u);
  ASSERT_EQ(facts.links.size(), 16u);
  EXPECT_DOUBLE_EQ(facts.links[0].bandwidth, 50e9);
  EXPECT_EQ(facts.links[0].latency, orrery::Time::picoseconds(1'000'000));
  ASSERT_EQ(seen.size(), 8u * 2 * 7);  // a ring has seven steps of each half
  for (std::size_t i = 0; i < seen.size(); ++i) {
    EXPECT_EQ(seen[i].number, i);
    EXPECT_EQ(seen[i].bytes, 125'000u);
    ASSERT_EQ(seen[i].route.size(), 2u);
    EXPECT_EQ(facts.links[seen[i].route[0].link].from, seen[i].source);
    EXPECT_EQ(facts.links[seen[i].route[1].link].to, seen[i].destination);
    // Two links of 1 us, and 125 kB at 50 GB/s.
    EXPECT_EQ(seen[i].alone, orrery::Time::picoseconds(2'000'000 + 2'500'000));
  }
}

// An all-to-all of all pairs at once would need seven times what the links can carry.
TEST(PluginModels, ALinkThatCarriesMoreThanItCanEndsTheRun) {
  Document pairs = star_of_eight("all-to-all");
  const std::string told = outcome(pairs, with(alone));
  EXPECT_NE(told.find("the network model `mine` of a plug-in"), std::string::npos) << told;
  EXPECT_NE(told.find("has carried"), std::string::npos) << told;
}

TEST(PluginModels, WhatCannotBeIsRefused) {
  using Message = model::NetworkMessage;
  using Run = model::NetworkRun;
  const std::vector<std::pair<Behaviour, std::string>> cases{
      {{.send = [](Run& run, const Message& message) { run.deliver(message.number); }},
       "it delivers 125000 bytes from NPU 0 to NPU 1 4.500 us before the links of their route could"},
      {{.send = [](Run& run, const Message& message) { run.deliver(message.number + 1); }},
       "it delivers message 1, which is not under way"},
      {{.send = [](Run& run, const Message&) { run.wake_at({}, 0); }}, "it asks to be woken 1.000 us ago"},
      {{.send = [](Run&, const Message&) { throw std::runtime_error("no circuit"); }},
       "the network model `mine` of a plug-in says: no circuit"},
      {{.send = [](Run&, const Message&) {}},
       "the network model `mine` has not delivered message 0, 125000 bytes from NPU 0 to NPU 1"},
  };
  for (const auto& [behaviour, why] : cases) {
    const std::string told = outcome(star_of_eight("all-reduce"), with(behaviour));
    EXPECT_NE(told.find(why), std::string::npos) << told << "\n" << why;
  }
  struct Null : model::NetworkModel {
    std::unique_ptr<model::MessageCarrier> begin(const model::NetworkFacts&,
                                                 model::NetworkRun&) const override {
      return nullptr;
    }
  };
  Registry registry;
  registry.add<Null>("mine");
  EXPECT_NE(outcome(star_of_eight("all-reduce"), registry).find("it returned null"), std::string::npos);
}

TEST(PluginModels, AModelThatNeverStopsWaitingIsEndedSlow) {
  const Behaviour waits{
      .send = [](model::NetworkRun& run,
                 const model::NetworkMessage& message) { run.wake_at(run.now(), message.number); },
      .wake = [](model::NetworkRun& run, std::uint64_t word) { run.wake_at(run.now(), word); }};
  const std::string told = outcome(star_of_eight("all-reduce"), with(waits));
  EXPECT_NE(told.find("it was woken 10000000 times without delivering a message"), std::string::npos) << told;
}

TEST(PluginModels, WhatTheModelDoesNotKnowIsRefused) {
  const auto told = [](const std::string& key, const Document& value) {
    Document document = star_of_eight("all-reduce");
    document[key] = value;
    return outcome(document, with(alone));
  };
  const Document dimensions =
      Document::List{{{"topology", "ring"}, {"size", 8}, {"bandwidth", "50 GB/s"}, {"latency", "1 us"}}};
  EXPECT_NE(told("network", dimensions).find("describe the network by nodes and links"), std::string::npos);
  EXPECT_NE(told("link-history", true).find("leave `link-history` out"), std::string::npos);
  EXPECT_NE(told("packets", {{"payload", "1 kB"}}).find("knows nothing of packets"), std::string::npos);
  const Document failure = Document::List{{{"at", "1 us"}, {"node", "switch0"}}};
  EXPECT_NE(told("failures", failure).find("knows no links that change during a run"), std::string::npos);
  const std::string unknown = outcome(star_of_eight("all-reduce"), {});
  EXPECT_EQ(unknown.find("experiment.network-model: error: "), 0u) << unknown;
  EXPECT_NE(outcome(star_of_eight("all-reduce"), with(alone), "yours").find("`packet` or `mine`"),
            std::string::npos);
}

}  // namespace
}  // namespace orrery::core::test::plugin_models_test
