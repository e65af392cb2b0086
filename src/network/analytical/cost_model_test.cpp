// The expected counts and prices are worked out by hand from docs/models/network-analytical.md, Cost of a
// network.
#include "network/analytical/cost_model.hpp"

#include <gtest/gtest.h>

namespace orrery::core::cost_model_test {
namespace {

Dimension dimension(Block block, int size, int links, double gib_per_s, Packaging packaging) {
  Dimension made;
  made.block = block;
  made.size = size;
  made.links = links;
  made.link_bandwidth = Bandwidth::from_gib_per_s(gib_per_s);
  made.packaging = packaging;
  return made;
}

struct Expected {
  std::string_view component;
  long long count, radix;
  double cost;
};

void expect_items(const Topology& topology, int of_dimension, const std::vector<Expected>& expected) {
  std::size_t i = 0;
  for (const CostItem& item : network_cost_items(topology)) {
    if (item.dimension != of_dimension) continue;
    ASSERT_LT(i, expected.size());
    EXPECT_EQ(item.component, expected[i].component);
    EXPECT_EQ(item.count, expected[i].count);
    EXPECT_EQ(item.radix, expected[i].radix);
    EXPECT_DOUBLE_EQ(item.cost, expected[i].cost);
    ++i;
  }
  EXPECT_EQ(i, expected.size());
}

// 4 * 3 * 2 = 24 NPUs.
Topology machine(Packaging packaging) {
  return {{dimension(Block::ring, 4, 5, 10, packaging),
           dimension(Block::fully_connected, 3, 5, 20, packaging),
           dimension(Block::switched, 2, 3, 30, packaging)}};
}

struct Price {
  Packaging packaging;
  double link, port, nic;
};
constexpr Price prices[] = {
    {Packaging::package, 4, 13, 0}, {Packaging::node, 4, 13, 0}, {Packaging::pod, 7.4, 23.7, 47.8}};

TEST(CostModel, RingsPayForHalfTheirLinks) {
  // (24 / 4) * 4 * (5 / 2) = 48 links of 10 GiB/s
  for (const Price& price : prices)
    expect_items(machine(price.packaging), 0, {{"link", 48, 1, price.link * 480}});
  expect_items(machine(Packaging::tile), 0, {{"link", 48, 1, 480}});
}

TEST(CostModel, FullConnectionsPayForPairs) {
  // (24 / 3) * (3 * 2 / 2) * (5 / 2) = 48 links of 20 GiB/s
  for (const Price& price : prices)
    expect_items(machine(price.packaging), 1, {{"link", 48, 1, price.link * 960}});
  expect_items(machine(Packaging::tile), 1, {{"link", 48, 1, 960}});
}

TEST(CostModel, ASwitchSpansAllDimensionsBelow) {
  // There is one switch for all 24 NPUs, with 24 * 3 = 72 ports of 30 GiB/s and as many links and NICs.
  for (const Price& price : prices) {
    expect_items(machine(price.packaging), 2,
                 {{"link", 72, 1, price.link * 2160},
                  {"switch", 1, 72, price.port * 2160},
                  {"nic", 72, 1, price.nic * 2160}});
  }
}

TEST(CostModel, AnInnerSwitchIsBoughtOncePerGroup) {
  const Topology topology{{dimension(Block::switched, 2, 3, 10, Packaging::pod),
                           dimension(Block::ring, 5, 2, 10, Packaging::pod)}};
  // 5 switches of 2 * 3 = 6 ports, 5 * 6 = 30 links and NICs
  expect_items(topology, 0, {{"link", 30, 1, 2220}, {"switch", 5, 6, 7110}, {"nic", 30, 1, 14340}});
}

TEST(CostModel, SumsAllItems) {
  // 4 * (480 + 960) + 4 * 2160 + 13 * 2160
  EXPECT_DOUBLE_EQ(network_cost(machine(Packaging::node)).value(), 42480);
}

}  // namespace
}  // namespace orrery::core::cost_model_test
