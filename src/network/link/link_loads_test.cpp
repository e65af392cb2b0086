#include "network/link/link_loads.hpp"

#include <gtest/gtest.h>

#include <map>

#include "base/random.hpp"

namespace orrery::core::link_loads_test {
namespace {

Topology random_topology(Random& random) {
  Topology topology;
  const int dimensions = random.between(1, 3);
  for (int d = 0; d < dimensions; ++d) {
    Dimension dimension;
    dimension.block = random.pick(std::vector<Block>{Block::ring, Block::fully_connected, Block::switched});
    dimension.size = random.between(dimension.block == Block::fully_connected ? 2 : 1, 7);
    dimension.links = min_links(dimension.block, dimension.size);
    dimension.link_bandwidth = Bandwidth::from_gb_per_s(1);
    topology.dimensions.push_back(dimension);
  }
  if (topology.npus() == 1) topology.dimensions[0].size = 2;
  return topology;
}

// Hop by hop, as LinkMap goes.
TEST(LinkLoads, AreWhatEveryHopAddsUpTo) {
  for (std::uint64_t seed = 0; seed < 500; ++seed) {
    Random random(seed);
    const Topology topology = random_topology(random);
    const LinkMap map(topology, random.chance(50));
    LinkLoads loads(map);
    std::map<Link, LinkLoad> expected;
    for (int i = random.between(1, 30); i > 0; --i) {
      const int source = random.between(0, topology.npus() - 1);
      const int other = random.between(0, topology.npus() - 2);
      const int destination = other < source ? other : other + 1;
      const LinkLoad load{Bytes(static_cast<std::uint64_t>(random.between(0, 1000))), 3};
      loads.add(source, destination, load);
      HopCursor cursor = map.cursor(source, destination);
      do expected[map.next_link(cursor)] += load;
      while (map.advance(cursor));
    }
    loads.settle();
    for (Link link = 0; link < map.size(); ++link)
      ASSERT_EQ(loads.of(link), expected[link]) << "seed " << seed << ", link " << link;
    std::uint64_t links = 0, messages = 0, expected_messages = 0;
    for (const LinkUse& use : loads.uses(LinkSpeeds(topology, {}))) {
      links += use.links;
      messages += use.load.messages * use.links;
    }
    for (const auto& [link, load] : expected) expected_messages += load.messages;
    EXPECT_EQ(links, map.size());
    EXPECT_EQ(messages, expected_messages);
  }
}

TEST(LinkLoads, OfManyPairsOnlyThoseThatCarrySomethingAreKept) {
  Dimension dimension;
  dimension.block = Block::fully_connected;
  dimension.size = 1 << 20;
  dimension.links = dimension.size - 1;
  dimension.link_bandwidth = Bandwidth::from_gb_per_s(2);
  const Topology topology{{dimension}};
  const LinkMap map(topology);
  LinkLoads loads(map);
  loads.add(0, 1, {Bytes(1000), 1});
  loads.add(5, 3, {Bytes(1000), 1});
  loads.settle();
  const std::vector<LinkUse> uses = loads.uses(LinkSpeeds(topology, {}));
  ASSERT_EQ(uses.size(), 2u);
  EXPECT_EQ(uses[0].links, 2u);
  EXPECT_EQ(uses[0].busy, Time::from_ns(500));
  EXPECT_EQ(uses[1].links, map.size() - 2);
  EXPECT_EQ(uses[1].to, "npu2");  // from 0: the lowest that carries nothing
}

}  // namespace
}  // namespace orrery::core::link_loads_test
