// Where no two messages share a link, all models of the network agree on a collective, and packets differ
// only by what cutting messages into them takes.
#include <gtest/gtest.h>

#include <fmt/format.h>

#include <map>

#include "study/compare/crosscheck.hpp"

namespace orrery::core::test::models_agree_test {
namespace {

// The same network as dimensions and as a graph. In a ring of dimensions a message has the links of both
// ways.
struct TwoNetworks {
  std::string name, dimensions, graph;
};

const TwoNetworks ring{"ring", "[ { topology: ring, size: 8, bandwidth: 12.5 GB/s, latency: 100 ns } ]",
                       "{ build: ring, size: 8, link: { bandwidth: 25 GB/s, latency: 100 ns } }"};
const TwoNetworks star{"switch", "[ { topology: switch, size: 8, bandwidth: 25 GB/s, latency: 100 ns } ]",
                       "{ build: switch, size: 8, link: { bandwidth: 25 GB/s, latency: 100 ns } }"};
const TwoNetworks all{"fully connected",
                      "[ { topology: fully-connected, size: 8, bandwidth: 25 GB/s, latency: 100 ns } ]",
                      "{ build: fully-connected, size: 8, link: { bandwidth: 25 GB/s, latency: 100 ns } }"};
const TwoNetworks torus{
    "torus",
    "[ { topology: ring, size: 4, bandwidth: 12.5 GB/s, latency: 100 ns }, { topology: ring, size: "
    "4, bandwidth: 12.5 GB/s, latency: 100 ns } ]",
    "{ build: torus, link: { bandwidth: 25 GB/s, latency: 100 ns }, dimensions: [ { size: 4 }, { "
    "size: 4 } ] }"};
// Between leaves a message is spread over all spines.
const TwoNetworks tree{
    "fat tree",
    "[ { topology: switch, size: 4, bandwidth: 25 GB/s, latency: 100 ns }, { topology: switch, "
    "size: 4, bandwidth: 25 GB/s, latency: 200 ns } ]",
    "{ build: fat-tree, link: { bandwidth: 25 GB/s, latency: 100 ns }, levels: [ { size: 4 }, { "
    "size: 4 } ] }\nrouting: spray"};

struct Case {
  const TwoNetworks& network;
  std::string collective, algorithm;
};

const std::vector<Case> cases{
    {ring, "all-reduce", "ring"},
    {ring, "all-gather", "ring"},
    {ring, "broadcast", "ring"},
    {star, "all-reduce", "ring"},
    {star, "all-reduce", "halving-doubling"},
    {star, "reduce-scatter", "halving-doubling"},
    {star, "all-to-all", "direct:1"},
    {star, "broadcast", "tree"},
    {star, "reduce", "tree"},
    {all, "all-reduce", "direct"},
    {all, "all-to-all", "direct"},
    {all, "all-reduce", "halving-doubling"},
    {all, "all-reduce", "double-binary-tree"},
    {all, "gather", "tree"},
    {torus, "all-reduce", "[ ring, ring ]"},
    {torus, "all-gather", "[ ring, ring ]"},
    {tree, "all-reduce", "[ ring, ring ]"},
    {tree, "all-reduce", "[ halving-doubling, halving-doubling ]"},
};

std::vector<CheckedRun> checked(const std::string& network, const Case& of) {
  Warnings warnings;
  const std::string text = fmt::format(
      "network: {}\nsystem: {{ collectives: {{ {}: {} }} }}\nworkload: {{ layers: [ {{ name: a, "
      "weight-gradient: {{ "
      "collective: {}, size: 8 MB }} }} ] }}\n",
      network, of.collective, of.algorithm, of.collective);
  return crosscheck(read_experiment(text, "e.yaml", {}, warnings, InputLog()), warnings,
                    [](std::size_t, std::size_t, std::string_view) {});
}

// Packets without headers, and acknowledgements of one byte.
const std::string packets =
    "\nnetwork-model: packet\npackets: { header: 0, acknowledgement: 1, window: none }";

TEST(Models, AgreeWhereNoMessagesMeet) {
  for (const Case& one : cases) {
    const std::string what = one.collective + " by " + one.algorithm + " on a " + one.network.name;
    std::map<std::string, Time> totals;
    for (const CheckedRun& run : checked(one.network.dimensions, one))
      if (run.why_not.empty() && run.model != "library") totals[std::string(run.model)] = run.total;
    for (const CheckedRun& run : checked(one.network.graph + packets, one))
      if (run.why_not.empty() && run.model != "library")
        totals[std::string(run.model) + " on a graph"] = run.total;
    EXPECT_EQ(totals.size(), 5u) << what;
    for (const auto& [model, total] : totals)
      EXPECT_NEAR(total.ns() / totals["fluid"].ns(), 1, 0.02) << what << ", " << model;
  }
}

}  // namespace
}  // namespace orrery::core::test::models_agree_test
