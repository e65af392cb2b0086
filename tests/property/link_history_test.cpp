// The bytes that links of dimensions carry over all intervals are those that they carry in the run, and never
// more than they can carry.
#include <gtest/gtest.h>

#include <map>
#include <numeric>
#include <string>

#include "base/random.hpp"
#include "network/flows/run_flows.hpp"
#include "network/network_models.hpp"

namespace orrery::core::test::link_history_property_test {
namespace {

Dimension random_dimension(Random& random) {
  Dimension dimension;
  dimension.name = "d";
  constexpr Block blocks[] = {Block::ring, Block::fully_connected, Block::switched};
  dimension.block = blocks[random.next() % 3];
  dimension.size = random.between(2, 3);
  dimension.links = min_links(dimension.block, dimension.size);
  dimension.link_bandwidth = Bandwidth::from_gb_per_s(random.between(1, 20));
  dimension.link_latency_ns = random.between(0, 2000);
  return dimension;
}

std::vector<Flow> random_flows(Random& random, int npus) {
  std::vector<Flow> flows;
  for (int i = 0; i < 30; ++i) {
    const int source = random.between(0, npus - 1);
    const int destination = (source + random.between(1, npus - 1)) % npus;
    Flow& flow = flows.emplace_back();
    flow.source = source;
    flow.destination = destination;
    flow.bytes = Bytes(static_cast<std::uint64_t>(random.between(1, 1'000'000)));
    flow.start = Time::from_ns(random.between(0, 100'000));
  }
  return flows;
}

void expect_history_of_loads(const FlowsResult& result) {
  ASSERT_FALSE(result.link_history.links.empty());
  const double interval = result.link_history.interval.ns();
  std::map<LinkEnds, double> over_time;
  for (const LinkSeries& link : result.link_history.links) {
    for (const double bytes : link.bytes) EXPECT_LE(bytes, link.bytes_per_ns * interval * (1 + 1e-6) + 1);
    over_time[{link.from, link.to}] = std::accumulate(link.bytes.begin(), link.bytes.end(), 0.0);
  }
  for (const LinkUse& use : result.links) {
    std::vector<LinkEnds> ends = use.listed;
    if (ends.empty()) ends.emplace_back(use.from, use.to);
    for (const LinkEnds& of : ends)
      EXPECT_NEAR(over_time[of], use.load.bytes.as_double(), 1) << of.first << " " << of.second;
  }
}

TEST(LinkHistory, AddsUpToTheLoadsOfLinks) {
  for (const NetworkModel model : {&fluid_model, &link_model})
    for (std::uint64_t seed = 0; seed < 60; ++seed) {
      SCOPED_TRACE(testing::Message() << model->name << ", seed " << seed);
      Random random(seed);
      Topology topology{{random_dimension(random)}};
      if (random.chance(50)) topology.dimensions.push_back(random_dimension(random));
      const std::vector<Flow> flows = random_flows(random, topology.npus());
      expect_history_of_loads(run_flows(flows, topology, {.model = model, .link_history = true}));
    }
}

}  // namespace
}  // namespace orrery::core::test::link_history_property_test
