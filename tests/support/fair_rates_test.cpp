#include "support/fair_rates.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "base/random.hpp"

namespace orrery::core::fair_rates_test {
namespace {

struct Flow {
  double most;
  std::vector<ResourceUse> uses;
};

std::vector<double> rates_of(const std::vector<double>& capacities, const std::vector<Flow>& flows) {
  std::vector<FairFlow> views;
  for (const Flow& flow : flows) views.push_back({flow.most, flow.uses});
  return fair_rates(capacities, views);
}

TEST(FairRates, AFlowAloneHasTheCapacityOrItsOwnRate) {
  EXPECT_EQ(rates_of({4}, {{10, {{0, 1}}}}), (std::vector<double>{4}));
  EXPECT_EQ(rates_of({4}, {{3, {{0, 1}}}}), (std::vector<double>{3}));
  EXPECT_EQ(rates_of({4}, {{10, {{0, 2}}}}), (std::vector<double>{2}));
  EXPECT_EQ(rates_of({}, {{10, {}}}), (std::vector<double>{10}));
}

// The textbook's example: a long flow over two links meets one flow on the first and two on the second.
TEST(FairRates, WhatALongFlowLeavesGoesToTheOthers) {
  const std::vector<Flow> flows{{99, {{0, 1}, {1, 1}}}, {99, {{0, 1}}}, {99, {{1, 1}}}, {99, {{1, 1}}}};
  EXPECT_EQ(rates_of({9, 6}, flows), (std::vector<double>{2, 7, 2, 2}));
}

TEST(FairRates, WhatASlowFlowLeavesIsShared) {
  EXPECT_EQ(rates_of({9}, {{1, {{0, 1}}}, {99, {{0, 1}}}, {99, {{0, 1}}}}), (std::vector<double>{1, 4, 4}));
}

// Both defining properties hold on random networks: no resource is overloaded, and every flow either has its
// own rate or passes a full resource on which no other flow is faster.
TEST(FairRates, EveryFlowHasABottleneck) {
  for (std::uint64_t seed = 0; seed < 500; ++seed) {
    Random random(seed);
    std::vector<double> capacities(static_cast<std::size_t>(random.between(1, 12)));
    for (double& capacity : capacities) capacity = random.between(1, 50);
    std::vector<Flow> flows(static_cast<std::size_t>(random.between(1, 20)));
    for (Flow& flow : flows) {
      flow.most = random.between(1, 40);
      for (std::uint32_t r = 0; r < capacities.size(); ++r)
        if (random.chance(30)) flow.uses.push_back({r, static_cast<double>(random.between(1, 3))});
    }
    const std::vector<double> rates = rates_of(capacities, flows);
    std::vector<double> load(capacities.size()), fastest(capacities.size());
    for (std::size_t f = 0; f < flows.size(); ++f) {
      for (const ResourceUse& use : flows[f].uses) {
        load[use.resource] += use.weight * rates[f];
        fastest[use.resource] = std::max(fastest[use.resource], rates[f]);
      }
    }
    for (std::size_t r = 0; r < capacities.size(); ++r)
      EXPECT_LE(load[r], capacities[r] * (1 + 1e-9)) << "seed " << seed;
    for (std::size_t f = 0; f < flows.size(); ++f) {
      const bool held = std::ranges::any_of(flows[f].uses, [&](const ResourceUse& use) {
        return load[use.resource] >= capacities[use.resource] * (1 - 1e-9) &&
               rates[f] >= fastest[use.resource] * (1 - 1e-9);
      });
      EXPECT_GT(rates[f], 0);
      EXPECT_TRUE(held || rates[f] == flows[f].most) << "seed " << seed << ", flow " << f;
    }
  }
}

}  // namespace
}  // namespace orrery::core::fair_rates_test
