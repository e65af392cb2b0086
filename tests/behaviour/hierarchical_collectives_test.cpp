// Collectives first within boxes and then among them, against the bytes of the busiest links.
#include <gtest/gtest.h>

#include <fmt/format.h>

#include "study/experiment/experiment.hpp"
#include "study/run/run.hpp"

namespace orrery::core::test::hierarchical_collectives_test {
namespace {

constexpr double mib = 1 << 20, size = 64 * mib, nvlinks = 450, nic = 50;

// 32 GPUs in boxes of eight, two below each leaf; links have no latency.
double nanoseconds(const std::string& kind, const std::string& algorithms) {
  Warnings warnings;
  const Experiment experiment = read_experiment(
      fmt::format(
          "network:\n"
          "  build: rail-optimized\n"
          "  inside: {{ build: nvlink, size: 8, switches: 4, links: 18, link: {{ bandwidth: 25 GB/s, "
          "latency: 0 ns }},\n"
          "            nics: {{ count: 8, link: {{ bandwidth: 64 GB/s, latency: 0 ns }} }} }}\n"
          "  link: {{ bandwidth: 50 GB/s, latency: 0 ns }}\n"
          "  levels: [ {{ size: 2 }}, {{ size: 2 }} ]\n"
          "routing: spray\n"
          "system: {{ endpoint-delay: 0 ns, collectives: {{ {0}: {1} }} }}\n"
          "workload: {{ layers: [ {{ name: a, weight-gradient: {{ collective: {0}, size: 64 MiB }} }} ] }}\n",
          kind, algorithms),
      "e.yaml", {}, warnings, InputLog());
  return carry_out(experiment.runs.at(0), warnings).recording.end().ns();
}

// A message goes by NVLink to the GPU of the right rail, then along the rail.
TEST(HierarchicalCollectives, AllToAllGoesByTheRailsPeer) {
  EXPECT_NEAR(nanoseconds("all-to-all", "[ direct, { algorithm: direct, span: rest } ]"),
              size * 7 / 8 / nvlinks + size * 3 / 4 / nic, 100);
}

// Reduce-scatter in the box, a ring along each rail for an eighth, all-gather in the box.
TEST(HierarchicalCollectives, AllReduceSendsAnEighthByEachNic) {
  EXPECT_NEAR(nanoseconds("all-reduce", "[ direct, { algorithm: ring, span: rest } ]"),
              2 * size * 7 / 8 / nvlinks + 2 * size / 8 * 3 / 4 / nic, 100);
}

// 8 NPUs in two dimensions, of which each step's collectives use one.
Time of_policy(const std::string& policy, const std::string& algorithm) {
  Warnings warnings;
  const Experiment experiment = read_experiment(
      fmt::format(
          "network: [ {{ name: x, topology: switch, size: 4, bandwidth: 100 GB/s, latency: 500 ns }},\n"
          "           {{ name: y, topology: switch, size: 2, bandwidth: 10 GB/s, latency: 500 ns }} ]\n"
          "system: {{ collectives: {{ all-reduce: {} }} }}\n"
          "workload: {{ policy: {}, layers: [ {{ name: a, forward: {{ collective: all-gather, size: 1 MiB "
          "}}, "
          "weight-gradient: {{ collective: all-reduce, size: 64 MiB }} }} ] }}\n",
          algorithm, policy),
      "e.yaml", {}, warnings, InputLog());
  return carry_out(experiment.runs.at(0), warnings).recording.end();
}

// An algorithm over the machine ran among the NPUs of other groups too, or not at all.
TEST(HierarchicalCollectives, SpansOfTheMachineHonourGroups) {
  for (const std::string policy : {"hybrid-data-model", "hybrid-model-data"})
    EXPECT_EQ(of_policy(policy, "{ algorithm: ring, span: machine }"), of_policy(policy, "ring")) << policy;
}

}  // namespace
}  // namespace orrery::core::test::hierarchical_collectives_test
