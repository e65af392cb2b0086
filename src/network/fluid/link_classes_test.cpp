#include "network/fluid/link_classes.hpp"

#include <gtest/gtest.h>

#include <map>

#include "base/random.hpp"
#include "support/fair_rates.hpp"

namespace orrery::core::link_classes_test {
namespace {

Topology two_rings(int inner, int outer) {
  Topology topology;
  for (const int size : {inner, outer}) {
    Dimension& dimension = topology.dimensions.emplace_back();
    dimension.block = Block::ring;
    dimension.size = size;
  }
  return topology;
}

// Returns the capacity of a link: the speed of its dimension.
LinkClasses::Capacity speeds_of(const LinkMap& map, const std::vector<double>& speeds) {
  return [&map, speeds](Link link) { return speeds[static_cast<std::size_t>(map.dimension(link))]; };
}

TEST(LinkClasses, LinksOfOneFlowAreOneClass) {
  const LinkMap map(two_rings(8, 2));
  FlowProgress flows;
  LinkClasses classes(flows, speeds_of(map, {3, 5}));
  EXPECT_EQ(classes.add({0, 1, 2}), 0u);
  EXPECT_EQ(classes.size(), 1u);
  flows.start(0, 0, 30, 0);
  flows.settle(0);
  EXPECT_DOUBLE_EQ(flows.next_end(), 10);
}

TEST(LinkClasses, DimensionsAndHowOftenALinkIsUsedAreToldApart) {
  const LinkMap map(two_rings(8, 2));
  FlowProgress flows;
  LinkClasses classes(flows, speeds_of(map, {3, 5}));
  const Link outer = map.link(1, 0, 0);
  classes.add({0, 1, 1, outer});
  EXPECT_EQ(classes.size(), 3u);
  flows.start(0, 0, 30, 0);
  flows.settle(0);
  EXPECT_DOUBLE_EQ(flows.next_end(), 20);  // it passes the second link twice
}

TEST(LinkClasses, AFlowThatUsesSomeLinksOfAClassCutsIt) {
  const LinkMap map(two_rings(8, 2));
  FlowProgress flows;
  LinkClasses classes(flows, speeds_of(map, {3, 5}));
  classes.add({0, 1, 2});
  classes.add({2, 3});
  EXPECT_EQ(classes.size(), 3u);  // 0 and 1; 2; 3
}

// Classes give the rates that the links themselves give, also to flows that run when a class is cut.
TEST(LinkClasses, RatesAreThoseOfSingleLinks) {
  const LinkMap map(two_rings(6, 3));
  for (std::uint64_t seed = 0; seed < 300; ++seed) {
    Random random(seed);
    const std::vector<double> speeds{static_cast<double>(random.between(1, 9)),
                                     static_cast<double>(random.between(1, 9))};
    FlowProgress flows;
    LinkClasses classes(flows, speeds_of(map, speeds));
    const auto count = static_cast<std::uint32_t>(random.between(1, 8));
    std::vector<std::vector<ResourceUse>> by_link(count);
    for (std::uint32_t flow = 0; flow < count; ++flow) {
      std::vector<Link> links;
      std::map<Link, int> times;
      for (int i = random.between(1, 10); i > 0; --i) links.push_back(random.next() % map.size());
      for (const Link link : links) ++times[link];
      for (const auto& [link, n] : times)
        by_link[flow].push_back({static_cast<std::uint32_t>(link), static_cast<double>(n)});
      flows.start(classes.add(links), flow, 1e6, 0);
      flows.settle(0);
    }
    std::vector<double> capacities;
    for (Link link = 0; link < map.size(); ++link)
      capacities.push_back(speeds[static_cast<std::size_t>(map.dimension(link))]);
    std::vector<FairFlow> plain;
    for (std::uint32_t flow = 0; flow < count; ++flow) plain.push_back({100, by_link[flow]});
    const std::vector<double> expected = fair_rates(capacities, plain);
    for (std::uint32_t flow = 0; flow < count; ++flow)
      EXPECT_NEAR(flows.shares().rate(flow), expected[flow], expected[flow] * 1e-9) << "seed " << seed;
  }
}

}  // namespace
}  // namespace orrery::core::link_classes_test
