#include "network/fluid/fair_shares.hpp"

#include <gtest/gtest.h>

#include <map>

#include "base/random.hpp"
#include "support/fair_rates.hpp"

namespace orrery::fair_shares_test {
namespace {

TEST(FairShares, FlowsOfALinkShareIt) {
  FairShares shares;
  const FairShares::Use link{shares.add_resource(12)};
  const std::uint32_t way = shares.add_way({&link, 1}), other = shares.add_way({&link, 1});
  shares.set_flows(way, 3);
  ASSERT_EQ(shares.settle().size(), 1u);
  EXPECT_EQ(shares.rate(way), 4);
  shares.set_flows(other, 1);
  EXPECT_EQ(shares.settle().size(), 2u);
  EXPECT_EQ(shares.rate(way), 3);
  EXPECT_EQ(shares.rate(other), 3);
  shares.set_flows(way, 0);
  EXPECT_EQ(shares.settle().size(), 1u);
  EXPECT_EQ(shares.rate(other), 12);
  EXPECT_EQ(shares.load(link.resource), 12);
}

TEST(FairShares, OnlyWhatCanChangeIsWorkedOut) {
  FairShares shares;
  const FairShares::Use slow{shares.add_resource(1)}, fast{shares.add_resource(10)};
  const FairShares::Use both[] = {slow, fast};
  const std::uint32_t held = shares.add_way(both), free = shares.add_way({&fast, 1});
  shares.set_flows(held, 1);
  shares.set_flows(free, 1);
  shares.settle();
  EXPECT_EQ(shares.rate(held), 1);
  EXPECT_EQ(shares.rate(free), 9);
  shares.set_flows(free, 2);
  const auto changed = shares.settle();
  ASSERT_EQ(changed.size(), 1u);
  EXPECT_EQ(changed[0], free);
  EXPECT_EQ(shares.rate(free), 4.5);
  EXPECT_TRUE(shares.settle().empty());
}

// Random ways over random resources come and go; every rate is what progressive filling of all flows gives.
class FairSharesProperty : public ::testing::TestWithParam<int> {};

TEST_P(FairSharesProperty, AreThoseOfAllFlowsTogether) {
  Random random(static_cast<std::uint64_t>(GetParam()));
  const int resources = random.between(1, 12), ways = random.between(1, 30);
  FairShares shares;
  std::vector<double> capacities;
  for (int i = 0; i < resources; ++i) {
    capacities.push_back(random.between(1, 8) * (random.chance(50) ? 1.0 : 12.5));
    shares.add_resource(capacities.back());
  }
  std::vector<std::vector<ResourceUse>> uses;
  for (int i = 0; i < ways; ++i) {
    std::map<std::uint32_t, double> of_way;
    for (int k = random.between(1, 5); k > 0; --k)
      of_way[static_cast<std::uint32_t>(random.between(0, resources - 1))] =
          random.chance(80) ? 1 : random.between(2, 4);
    std::vector<FairShares::Use> list;
    uses.emplace_back();
    for (const auto& [resource, weight] : of_way) {
      list.push_back({resource, weight});
      uses.back().push_back({resource, weight});
    }
    shares.add_way(list);
  }
  for (int step = 0; step < 40; ++step) {
    for (int changes = random.between(1, 3); changes > 0; --changes)
      shares.set_flows(static_cast<std::uint32_t>(random.between(0, ways - 1)),
                       static_cast<std::uint32_t>(random.chance(40) ? 0 : random.between(1, 3)));
    shares.settle();
    std::vector<FairFlow> flows;
    std::vector<std::uint32_t> way_of_flow;
    for (std::uint32_t way = 0; way < static_cast<std::uint32_t>(ways); ++way) {
      for (std::uint32_t i = 0; i < shares.flows(way); ++i) {
        flows.push_back({1e9, uses[way]});
        way_of_flow.push_back(way);
      }
    }
    const std::vector<double> rates = fair_rates(capacities, flows);
    for (std::size_t i = 0; i < flows.size(); ++i)
      ASSERT_NEAR(shares.rate(way_of_flow[i]), rates[i], 1e-11 * rates[i])
          << "step " << step << " flow " << i;
    for (std::uint32_t resource = 0; resource < static_cast<std::uint32_t>(resources); ++resource)
      ASSERT_LE(shares.load(resource), capacities[resource] * (1 + 1e-11));
  }
}

INSTANTIATE_TEST_SUITE_P(Seeds, FairSharesProperty, ::testing::Range(0, 200));

TEST(FairShares, ACapacityThatChangesIsSharedAnew) {
  FairShares shares;
  const FairShares::Use wide[] = {{shares.add_resource(10)}}, narrow[] = {{0}, {shares.add_resource(4)}};
  const std::uint32_t a = shares.add_way(wide), b = shares.add_way(narrow);
  shares.set_flows(a, 1);
  shares.set_flows(b, 1);
  shares.settle();
  EXPECT_EQ(shares.rate(a), 6);
  EXPECT_EQ(shares.rate(b), 4);
  shares.set_capacity(1, 1);
  EXPECT_EQ(shares.settle().size(), 2u);
  EXPECT_EQ(shares.rate(a), 9);
  EXPECT_EQ(shares.rate(b), 1);
  shares.set_capacity(1, 100);
  shares.set_capacity(0, 8);
  shares.settle();
  EXPECT_EQ(shares.rate(a), 4);
  EXPECT_EQ(shares.rate(b), 4);
}

}  // namespace
}  // namespace orrery::fair_shares_test
