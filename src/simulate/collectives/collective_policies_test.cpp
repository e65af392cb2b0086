#include "simulate/collectives/collective_policies.hpp"

#include <gtest/gtest.h>

#include <optional>
#include <set>
#include <string>

#include "base/input/input_node.hpp"
#include "collective/library/network_library.hpp"
#include "program/graph_builder.hpp"
#include "simulate/collectives/fixed_time_collectives.hpp"
#include "support/one_collective.hpp"
#include "topology/files/any_network.hpp"

namespace orrery::core::collective_policies_test {
namespace {

constexpr std::uint64_t size = 1 << 20;
constexpr double bytes_per_second = 25e9, latency_ns = 500;

// Four NPUs at a switch, each with a link of 25 GB/s and 500 ns.
Machine switched() {
  return test::make_machine(
      {test::make_dimension(Block::switched, 4, 1, Bandwidth::from_gb_per_s(25), latency_ns)},
      {AlgorithmChoice{}}, native_dialect);
}

Machine with_library() {
  Machine machine = switched();
  machine.library =
      std::make_shared<const CollectiveLibrary>(library_on(machine.topology, {"nccl", {}, no_files()}));
  return machine;
}

Machine with_channels() {
  Machine machine = switched();
  machine.topology = read_graph_network(parse_yaml(
      "{ build: fat-tree, link: { bandwidth: 25 GB/s, latency: 500 ns }, levels: [ { size: 4 } ] }",
      "n.yaml"));
  machine.network.model = &fluid_model;
  machine.system.channels = true;
  return machine;
}

// Every rank all-reduces 1 MiB.
Program all_reduce(const Machine& machine, OperationIssue issue, std::optional<Time> takes = {}) {
  GraphBuilder graph({"layer"});
  CollectiveRequest request{CollectiveKind::all_reduce, Bytes(size), DimensionSet().set()};
  request.takes = takes;
  graph.wait_for(
      graph.after(graph.last(), {.kind = OperationKind::collective, .layer = 0, .collective = request}));
  Program program = test::on_all_ranks(graph.end(), machine.topology);
  program.issue = issue;
  return program;
}

struct Case {
  Machine machine;
  OperationIssue issue;
  const CollectivePolicy* policy;
};

std::vector<Case> cases() {
  using enum OperationIssue;
  return {{switched(), dataflow, &phases_policy},        {switched(), slots, &streams_policy},
          {with_library(), dataflow, &library_policy},   {with_library(), slots, &library_policy},
          {with_channels(), dataflow, &channels_policy}, {with_channels(), slots, &channels_policy}};
}

ExchangeCost explained(const Machine& machine, OperationIssue issue) {
  const Program program = all_reduce(machine, issue);
  const auto explainer = collective_policy_of(program, machine).explain(program, machine);
  return explainer->of(0, program.parts[0].graph.collectives()[0], -1);
}

TEST(CollectivePolicies, HaveNamesOfTheirOwn) {
  std::set<std::string_view> names;
  for (const CollectivePolicy* policy : collective_policies) names.insert(policy->name);
  EXPECT_EQ(names.size(), collective_policies.size());
  EXPECT_FALSE(names.contains(""));
}

TEST(CollectivePolicies, SayEverything) {
  for (const CollectivePolicy* policy : collective_policies)
    EXPECT_TRUE(policy->applies && policy->make && policy->survey && policy->explain) << policy->name;
}

TEST(CollectivePolicies, EachIsForSomePrograms) {
  std::set<const CollectivePolicy*> chosen;
  for (const Case& one : cases()) {
    const Program program = all_reduce(one.machine, one.issue);
    EXPECT_EQ(collective_policy_of(program, one.machine).name, one.policy->name);
    chosen.insert(&collective_policy_of(program, one.machine));
  }
  EXPECT_EQ(chosen.size(), collective_policies.size());
}

// All policies find the one collective, and the dimension that its members lie along.
TEST(CollectivePolicies, SurveyWhatIsUsed) {
  for (const Case& one : cases()) {
    const Program program = all_reduce(one.machine, one.issue);
    const CollectiveSurvey survey = one.policy->survey(program, one.machine);
    EXPECT_EQ(survey.collectives, 1) << one.policy->name;
    ASSERT_EQ(survey.uses.size(), 1) << one.policy->name;
    EXPECT_EQ(survey.uses[0].dimension.size, 4) << one.policy->name;
    EXPECT_TRUE(survey.complete) << one.policy->name;
  }
}

// In a ring of n members each sends a part of 1/n to its neighbour 2 (n - 1) times. A message passes two
// links, up and down, which its bytes pass at the same time.
void expect_ring(const ExchangeCost& cost) {
  constexpr double steps = 2 * 3, sent = steps / 4 * size;
  EXPECT_EQ(cost.algorithm, "ring");
  EXPECT_EQ(cost.chunks, 1);
  EXPECT_EQ(cost.phases, 1);
  EXPECT_EQ(cost.steps, steps);
  EXPECT_EQ(cost.sent_bytes, sent);
  ASSERT_TRUE(cost.links && cost.latency);
  EXPECT_NEAR(cost.links->count(), sent / bytes_per_second, 1e-9);
  EXPECT_NEAR(cost.latency->count(), steps * (2 * latency_ns + 10) * 1e-9, 1e-11)
      << "10 ns are the endpoint's";
}

TEST(CollectivePolicies, PhasesExplainTheirMessages) {
  const ExchangeCost cost = explained(switched(), OperationIssue::dataflow);
  expect_ring(cost);
  EXPECT_FALSE(cost.dimension) << "records name it";
}

TEST(CollectivePolicies, StreamsExplainTheirMessages) {
  const ExchangeCost cost = explained(switched(), OperationIssue::slots);
  expect_ring(cost);
  EXPECT_EQ(cost.dimension, 0);
}

TEST(CollectivePolicies, LibrariesExplainTheirClosedForm) {
  const Machine machine = with_library();
  for (const OperationIssue issue : {OperationIssue::dataflow, OperationIssue::slots}) {
    const ExchangeCost cost = explained(machine, issue);
    EXPECT_FALSE(cost.algorithm.empty());
    ASSERT_TRUE(cost.links && cost.latency);
    EXPECT_NEAR((*cost.links + *cost.latency).count(),
                machine.library->seconds(CollectiveKind::all_reduce, size, {4, 4}), 1e-12);
    EXPECT_TRUE(cost.link.ends_with("in a node")) << cost.link;
  }
}

TEST(CollectivePolicies, ChannelsAreNotExplained) {
  const ExchangeCost cost = explained(with_channels(), OperationIssue::dataflow);
  EXPECT_EQ(cost.algorithm, "");
  EXPECT_FALSE(cost.links || cost.latency);
}

// A library says what sends take on its machine; elsewhere the network does.
TEST(CollectivePolicies, MessagesAreExplained) {
  for (const Case& one : cases()) {
    const Program program = all_reduce(one.machine, one.issue);
    const ExchangeCost cost =
        one.policy->explain(program, one.machine)->of_message(RankId(0), RankId(1), Bytes(size));
    const double alone = one.policy == &library_policy ? one.machine.library->send_seconds(size, true)
                                                       : size / bytes_per_second + 2 * latency_ns * 1e-9;
    ASSERT_TRUE(cost.links && cost.latency) << one.policy->name;
    EXPECT_NEAR((*cost.links + *cost.latency).count(), alone, 1e-11) << one.policy->name;
    EXPECT_EQ(cost.sent_bytes, size) << one.policy->name;
  }
}

// A collective takes the time that its program says, under every policy that carries out the others.
TEST(CollectivePolicies, KnownTimesComeFirst) {
  const Time takes = Time::from_ns(5000);
  for (const Case& one : cases())
    for (const bool fold : {false, true}) {
      const Program program = all_reduce(one.machine, one.issue, takes);
      EXPECT_TRUE(has_fixed_time_collectives(program));
      const Recording recording = simulate(program, one.machine, plan_simulation(program, one.machine, fold));
      EXPECT_EQ(recording.end(), takes) << one.policy->name;
      EXPECT_EQ(recording.messages, 0) << one.policy->name;
    }
}

}  // namespace
}  // namespace orrery::core::collective_policies_test
