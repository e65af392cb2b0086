#include "network/fluid/rates/max_min_rates.hpp"

#include <gtest/gtest.h>

#include <map>

#include "base/random.hpp"
#include "support/fair_rates.hpp"

namespace orrery::core::max_min_rates_test {
namespace {

TEST(MaxMinRates, FlowsOfALinkShareIt) {
  MaxMinRates shares;
  const MaxMinRates::Use link{shares.add_resource(12)};
  const std::uint32_t route = shares.add_route({&link, 1}), other = shares.add_route({&link, 1});
  shares.set_flows(route, 3);
  const auto changes = shares.settle();
  ASSERT_EQ(changes.routes.size(), 1u);
  EXPECT_EQ(changes.routes[0], route);
  ASSERT_EQ(changes.paces.size(), 1u);
  EXPECT_EQ(changes.paces[0], shares.pace(route));
  EXPECT_EQ(shares.rate(route), 4);
  shares.set_flows(other, 1);
  shares.settle();
  EXPECT_EQ(shares.pace(route), shares.pace(other));
  EXPECT_EQ(shares.rate(route), 3);
  EXPECT_EQ(shares.rate(other), 3);
  shares.set_flows(route, 0);
  shares.settle();
  EXPECT_EQ(shares.rate(route), 0);
  EXPECT_EQ(shares.rate(other), 12);
  EXPECT_EQ(shares.load(link.resource), 12);
}

TEST(MaxMinRates, OnlyWhatCanChangeIsWorkedOut) {
  MaxMinRates shares;
  const MaxMinRates::Use slow{shares.add_resource(1)}, fast{shares.add_resource(10)};
  const MaxMinRates::Use both[] = {slow, fast};
  const std::uint32_t held = shares.add_route(both), free = shares.add_route({&fast, 1});
  shares.set_flows(held, 1);
  shares.set_flows(free, 1);
  shares.settle();
  EXPECT_EQ(shares.rate(held), 1);
  EXPECT_EQ(shares.rate(free), 9);
  shares.set_flows(free, 2);
  const std::uint64_t levels = shares.levels_found();
  const auto changes = shares.settle();
  EXPECT_TRUE(changes.routes.empty());
  ASSERT_EQ(changes.paces.size(), 1u);
  EXPECT_EQ(changes.paces[0], shares.pace(free));
  EXPECT_EQ(shares.rate(free), 4.5);
  EXPECT_EQ(shares.levels_found(), levels + 1);
  EXPECT_TRUE(shares.settle().paces.empty());
}

// Flows of a slow link end one after another, so that each of the others puts a little more on a wide link
// that is far from full at first.
TEST(MaxMinRates, AWideLinkIsFoundWhenLevelsFillItLittleByLittle) {
  MaxMinRates shares;
  constexpr std::uint32_t flows = 200;
  const MaxMinRates::Use wide{shares.add_resource(90)};
  std::vector<std::uint32_t> crossing, alone;
  for (int link = 0; link < 10; ++link) {
    const MaxMinRates::Use slow{shares.add_resource(10)};
    const MaxMinRates::Use both[] = {slow, wide};
    crossing.push_back(shares.add_route(both));
    alone.push_back(shares.add_route({&slow, 1}));
    shares.set_flows(crossing.back(), 1);
    shares.set_flows(alone.back(), flows);
  }
  for (std::uint32_t left = flows; left-- > 0;) {
    for (const std::uint32_t route : alone) shares.set_flows(route, left);
    shares.settle();
    ASSERT_DOUBLE_EQ(shares.rate(crossing[0]), left == 0 ? 9 : 10.0 / (left + 1)) << left;
  }
  for (const std::uint32_t route : alone) shares.set_flows(route, 1);
  shares.settle();
  EXPECT_EQ(shares.rate(crossing[0]), 5);
  EXPECT_EQ(shares.load(wide.resource), 50);
}

// Random routes over random resources come and go; every rate is what progressive filling of all flows gives.
class FairSharesProperty : public ::testing::TestWithParam<int> {};

TEST_P(FairSharesProperty, AreThoseOfAllFlowsTogether) {
  Random random(static_cast<std::uint64_t>(GetParam()));
  const int resources = random.between(1, 12), routes = random.between(1, 30);
  MaxMinRates shares;
  std::vector<double> capacities;
  for (int i = 0; i < resources; ++i) {
    capacities.push_back(random.between(1, 8) * (random.chance(50) ? 1.0 : 12.5));
    shares.add_resource(capacities.back());
  }
  std::vector<std::vector<ResourceUse>> uses;
  for (int i = 0; i < routes; ++i) {
    std::map<std::uint32_t, double> of_route;
    for (int k = random.between(1, 5); k > 0; --k)
      of_route[static_cast<std::uint32_t>(random.between(0, resources - 1))] =
          random.chance(80) ? 1 : random.between(2, 4);
    std::vector<MaxMinRates::Use> list;
    uses.emplace_back();
    for (const auto& [resource, weight] : of_route) {
      list.push_back({resource, weight});
      uses.back().push_back({resource, weight});
    }
    shares.add_route(list);
  }
  for (int step = 0; step < 40; ++step) {
    for (int changes = random.between(1, 3); changes > 0; --changes)
      shares.set_flows(static_cast<std::uint32_t>(random.between(0, routes - 1)),
                       static_cast<std::uint32_t>(random.chance(40) ? 0 : random.between(1, 3)));
    shares.settle();
    std::vector<FairFlow> flows;
    std::vector<std::uint32_t> route_of_flow;
    for (std::uint32_t route = 0; route < static_cast<std::uint32_t>(routes); ++route) {
      for (std::uint32_t i = 0; i < shares.flows(route); ++i) {
        flows.push_back({1e9, uses[route]});
        route_of_flow.push_back(route);
      }
    }
    const std::vector<double> rates = fair_rates(capacities, flows);
    for (std::size_t i = 0; i < flows.size(); ++i)
      ASSERT_NEAR(shares.rate(route_of_flow[i]), rates[i], 1e-11 * rates[i])
          << "step " << step << " flow " << i;
    for (std::uint32_t resource = 0; resource < static_cast<std::uint32_t>(resources); ++resource)
      ASSERT_LE(shares.load(resource), capacities[resource] * (1 + 1e-11));
  }
}

INSTANTIATE_TEST_SUITE_P(Seeds, FairSharesProperty, ::testing::Range(0, 200));

// Hosts below leaves and spines, each link of which is a resource, and flows between random hosts.
class Tree {
 public:
  Tree(int leaves, int hosts_of_leaf, int spines, Random& random)
      : leaves_(leaves), hosts_of_leaf_(hosts_of_leaf), spines_(spines), random_(random) {
    for (int i = 0; i < 2 * leaves * (hosts_of_leaf + spines); ++i) {
      capacities_.push_back(50);
      shares_.add_resource(50);
    }
  }

  // Adds a route between random hosts, by a random spine if their leaves differ.
  std::uint32_t add_route() {
    const int hosts = leaves_ * hosts_of_leaf_, from = random_.between(0, hosts - 1);
    const int to = (from + random_.between(1, hosts - 1)) % hosts;
    std::vector<ResourceUse> uses{{number(from), 1}, {number(hosts + to), 1}};
    const int leaf = from / hosts_of_leaf_, other = to / hosts_of_leaf_;
    const int spine = random_.between(0, spines_ - 1);
    if (leaf != other) {
      uses.push_back({number(2 * hosts + leaf * spines_ + spine), 1});
      uses.push_back({number(2 * hosts + (leaves_ + other) * spines_ + spine), 1});
    }
    std::vector<MaxMinRates::Use> list;
    for (const ResourceUse& use : uses) list.push_back({use.resource, use.weight});
    uses_.push_back(std::move(uses));
    return shares_.add_route(list);
  }

  MaxMinRates& shares() { return shares_; }

  void expect_fair() {
    std::vector<FairFlow> flows;
    std::vector<std::uint32_t> routes;
    for (std::uint32_t route = 0; route < uses_.size(); ++route)
      for (std::uint32_t i = 0; i < shares_.flows(route); ++i) {
        flows.push_back({1e9, uses_[route]});
        routes.push_back(route);
      }
    const std::vector<double> rates = fair_rates(capacities_, flows);
    for (std::size_t i = 0; i < flows.size(); ++i)
      ASSERT_NEAR(shares_.rate(routes[i]), rates[i], 1e-10 * rates[i]) << "flow " << i;
    for (std::uint32_t resource = 0; resource < capacities_.size(); ++resource)
      ASSERT_LE(shares_.load(resource), capacities_[resource] * (1 + 1e-10));
  }

  void set_capacity(std::uint32_t resource, double capacity) {
    capacities_[resource] = capacity;
    shares_.set_capacity(resource, capacity);
  }
  std::uint32_t split(std::uint32_t resource) {
    capacities_.push_back(capacities_[resource]);
    for (std::vector<ResourceUse>& uses : uses_)
      for (std::size_t i = uses.size(); i-- > 0;)
        if (uses[i].resource == resource)
          uses.push_back({number(static_cast<int>(capacities_.size()) - 1), uses[i].weight});
    return shares_.split(resource);
  }
  std::size_t resources() const { return capacities_.size(); }

 private:
  static std::uint32_t number(int i) { return static_cast<std::uint32_t>(i); }

  int leaves_, hosts_of_leaf_, spines_;
  Random& random_;
  MaxMinRates shares_;
  std::vector<double> capacities_;
  std::vector<std::vector<ResourceUse>> uses_;
};

class FairSharesOfTree : public ::testing::TestWithParam<int> {};

TEST_P(FairSharesOfTree, AreThoseOfAllFlowsTogether) {
  Random random(static_cast<std::uint64_t>(GetParam()));
  Tree tree(random.between(2, 6), random.between(2, 6), random.between(1, 4), random);
  const auto resource = [&] {
    return static_cast<std::uint32_t>(random.between(0, static_cast<int>(tree.resources()) - 1));
  };
  std::vector<std::uint32_t> routes;
  const int together = random.chance(50) ? 200 : 0;
  for (int i = 0; i < 300; ++i) routes.push_back(tree.add_route());
  for (int i = 0; i < together; ++i)
    tree.shares().set_flows(routes[static_cast<std::size_t>(i)],
                            static_cast<std::uint32_t>(random.between(1, 2)));
  for (int step = 0; step < 60; ++step) {
    for (int changes = random.between(1, 4); changes > 0; --changes)
      tree.shares().set_flows(routes[static_cast<std::size_t>(random.between(0, 299))],
                              static_cast<std::uint32_t>(random.chance(50) ? 0 : random.between(1, 3)));
    if (random.chance(10)) tree.set_capacity(resource(), random.between(1, 9) * 12.5);
    if (random.chance(5)) tree.split(resource());
    tree.shares().settle();
    ASSERT_NO_FATAL_FAILURE(tree.expect_fair()) << "step " << step;
  }
}

INSTANTIATE_TEST_SUITE_P(Seeds, FairSharesOfTree, ::testing::Range(0, 40));

// Levels are worked out for links, so ten times as many flows on each cost nothing, where once each flow's
// rate was worked out several times.
TEST(MaxMinRates, WorkGrowsWithLinksNotWithTheFlowsOnThem) {
  for (const int flows : {2'000, 20'000}) {
    Random random(1);
    Tree tree(8, 8, 8, random);
    std::vector<std::uint32_t> routes;
    for (int i = 0; i < flows; ++i) {
      routes.push_back(tree.add_route());
      tree.shares().set_flows(routes.back(), 1);
    }
    tree.shares().settle();
    const std::uint64_t before = tree.shares().levels_found();
    constexpr std::size_t ends = 200;
    for (std::size_t i = 0; i < ends; ++i) {
      tree.shares().set_flows(routes[i], 0);
      tree.shares().settle();
    }
    EXPECT_LT(tree.shares().levels_found() - before, ends * tree.resources()) << flows;
    tree.expect_fair();
  }
}

TEST(MaxMinRates, ACapacityThatChangesIsSharedAnew) {
  MaxMinRates shares;
  const MaxMinRates::Use wide[] = {{shares.add_resource(10)}}, narrow[] = {{0}, {shares.add_resource(4)}};
  const std::uint32_t a = shares.add_route(wide), b = shares.add_route(narrow);
  shares.set_flows(a, 1);
  shares.set_flows(b, 1);
  shares.settle();
  EXPECT_EQ(shares.rate(a), 6);
  EXPECT_EQ(shares.rate(b), 4);
  shares.set_capacity(1, 1);
  shares.settle();
  EXPECT_EQ(shares.rate(a), 9);
  EXPECT_EQ(shares.rate(b), 1);
  shares.set_capacity(1, 100);
  shares.set_capacity(0, 8);
  shares.settle();
  EXPECT_EQ(shares.rate(a), 4);
  EXPECT_EQ(shares.rate(b), 4);
}

}  // namespace
}  // namespace orrery::core::max_min_rates_test
