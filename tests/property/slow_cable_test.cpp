// Tests on random networks that one slow cable costs a collective no more than if all cables were as slow:
// partners wait for each other, so ranks that are ahead do not take the ports of those that are behind.
// docs/models/collectives.md, "Partners", has the rule. ORRERY_TEST_LONG=1 tries many more.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <string>

#include "collective/algorithms/algorithms.hpp"
#include "study/experiment/experiment.hpp"
#include "study/run/run.hpp"
#include "support/random_graph_run.hpp"

namespace orrery::core::test::slow_cable_test {
namespace {

constexpr double rounding = 1.000'001;

Recording recording_of(const RunSpec& spec) {
  Warnings warnings;
  return carry_out(spec, warnings).recording;
}

Bandwidth half(Bandwidth bandwidth) {
  return Bandwidth::from_gb_per_s(bandwidth.bytes_per_ns() / 2);
}

// Gives the run an algorithm that all its groups can carry out.
void choose_algorithm(RunSpec& spec, Random& random) {
  const auto is_power_of_two = [](const Dimension& dimension) {
    return (dimension.size & (dimension.size - 1)) == 0;
  };
  std::vector<AlgorithmChoice> choices{{&ring_algorithm}, {&direct_algorithm}};
  if (std::ranges::all_of(spec.topology->dimensions, is_power_of_two))
    choices.insert(choices.end(), 2, {&halving_doubling_algorithm});
  const AlgorithmChoice choice = random.pick(choices);
  for (const CollectiveKind kind :
       {CollectiveKind::all_reduce, CollectiveKind::reduce_scatter, CollectiveKind::all_gather})
    spec.system.edit().algorithms[static_cast<std::size_t>(kind)].assign(spec.topology->dimensions.size(),
                                                                         choice);
}

// Says whether a link is the given one or the other direction of its cable.
bool is_of_cable(const NetworkGraph& graph, LinkId one, LinkId id) {
  return id == one || id == graph.reverse(one);
}

struct Costs {
  int runs = 0, above = 0, much_above = 0;
  double worst = 0;
};

Costs costs_of(std::uint64_t first, std::uint64_t count) {
  Costs costs;
  for (std::uint64_t seed = first; seed < first + count; ++seed) {
    RandomGraphRun run = random_graph_run(seed, GraphWorkload::one_collective);
    Random random(seed);
    choose_algorithm(run.spec, random);
    const Recording whole = recording_of(run.spec);
    if (whole.links.empty()) continue;
    const NetworkGraph& graph = *run.spec.topology->graph;
    const LinkId one = used_link(graph, whole.links, random);
    const RunSpec all_slow =
        with_links(run.spec, [](LinkId, LinkProperties& link) { link.bandwidth = half(link.bandwidth); });
    const RunSpec one_slow = with_links(run.spec, [&](LinkId id, LinkProperties& link) {
      if (is_of_cable(graph, one, id)) link.bandwidth = half(link.bandwidth);
    });
    const double ratio = recording_of(one_slow).end().ns() / recording_of(all_slow).end().ns();
    ++costs.runs;
    costs.above += ratio > rounding;
    costs.much_above += ratio > 1.01;
    EXPECT_LT(ratio, 1.1) << "seed " << seed << "\n" << run.text;
    costs.worst = std::max(costs.worst, ratio);
  }
  return costs;
}

std::uint64_t seeds(std::uint64_t usual) {
  return std::getenv("ORRERY_TEST_LONG") ? 20 * usual : usual;
}

// On links between switches, where messages of different pairs meet, one that is early may still be in the
// way of another (Graham's anomalies).
TEST(SlowCable, CostsNoMoreThanIfAllWereSlow) {
  const Costs costs = costs_of(0, seeds(200));
  EXPECT_GT(costs.runs, 150);
  EXPECT_LE(costs.above, costs.runs / 200);
  EXPECT_LE(costs.much_above, costs.runs / 500);
}

TEST(SlowCable, CostsNoMoreThanIfAllWereSlowInAThousandRunsSlow) {
  const Costs costs = costs_of(1000, seeds(1000));
  EXPECT_GT(costs.runs, 800);
  EXPECT_LE(costs.above, costs.runs / 200);
  EXPECT_LE(costs.much_above, costs.runs / 500);
}

// The NPU with the slow port is not ready for the next step of the others.
TEST(SlowCable, CostsAsMuchAsASlowSwitchBetweenFour) {
  const auto time_with = [](const std::string& failure) {
    Warnings warnings;
    const std::string text =
        "network: { build: switch, size: 4, link: { bandwidth: 50 GB/s, latency: 500 ns } }\n"
        "workload: { layers: [ { name: g, weight-gradient: { collective: all-reduce, size: 256 MB } } ] }\n"
        "system: { chunks: 1, collectives: { all-reduce: halving-doubling } }\nfailures: " +
        failure + "\n";
    return recording_of(read_experiment(text, "four.yaml", {}, warnings, InputLog()).runs.at(0)).end().us() /
           1000;
  };
  const double all = time_with("{ node: switch0, bandwidth: 50% }");
  EXPECT_NEAR(all, 15.36, 0.01);
  EXPECT_NEAR(time_with("{ link: npu0-switch0, bandwidth: 50% }"), all, 0.001);
}

}  // namespace
}  // namespace orrery::core::test::slow_cable_test
