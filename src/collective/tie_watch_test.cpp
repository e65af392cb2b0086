#include "collective/tie_watch.hpp"

#include <gtest/gtest.h>

#include <deque>
#include <optional>

#include "collective/order_matters.hpp"
#include "collective/planner.hpp"
#include "network/analytical/analytical_network.hpp"

namespace orrery {
namespace {

// Rings of four, 100 ns and a byte per nanosecond, 10 ns before each message.
class TieWatchTest : public testing::Test {
 protected:
  TieWatchTest() {
    Dimension ring;
    ring.size = 4;
    ring.link_bandwidth = Bandwidth::from_gb_per_s(0.5);
    ring.link_latency_ns = 100;
    topology.dimensions = {ring, ring};
    dimensions = logical_dimensions(topology);
    system.algorithms.fill({AlgorithmChoice{}, AlgorithmChoice{}});
    network.emplace(topology, astra_sim_1_dialect);
    planner.emplace(system, astra_sim_1_dialect, topology, dimensions, *network);
    timelines.emplace(system, astra_sim_1_dialect, *network, network->clock(), 16, 2);
    watch.emplace(*timelines, system.endpoint_delay);
  }

  // An all-gather over both dimensions, the second one first.
  std::uint32_t issue(std::int64_t at, std::uint64_t bytes) {
    plans.push_back(
        planner->plan({CollectiveKind::all_gather, Bytes(bytes), ~DimensionSet(), false}).chunks[0]);
    const auto number = static_cast<std::uint32_t>(plans.size() - 1);
    watch->issued(Time::from_ns(at), number, plans[number]);
    return number;
  }
  void start(std::int64_t at, std::uint32_t number, std::uint32_t phase) {
    watch->starts(Time::from_ns(at), number, *plans[number].phases[phase].shape);
  }
  void move(std::int64_t at, std::uint32_t number, std::uint32_t phase, std::int64_t started) {
    watch->moves(Time::from_ns(at), number, plans[number], phase, Time::from_ns(started));
  }

  Topology topology;
  std::vector<LogicalDimension> dimensions;
  SystemConfig system;
  std::optional<AnalyticalNetwork> network;
  std::optional<Planner> planner;
  std::optional<PhaseTimelines> timelines;
  std::optional<TieWatch> watch;
  std::deque<ChunkPlan> plans;
};

TEST_F(TieWatchTest, DifferentInstantsAreOrdered) {
  const auto a = issue(0, 100), b = issue(0, 300);
  EXPECT_NO_THROW(move(700, a, 0, 0));
  EXPECT_NO_THROW(move(701, b, 0, 0));
}

TEST_F(TieWatchTest, PhasesInStepKeepTheirOrder) {
  const auto a = issue(0, 100), b = issue(0, 100);
  start(0, a, 0);
  start(0, b, 0);
  EXPECT_NO_THROW(move(640, a, 0, 0));
  EXPECT_NO_THROW(move(640, b, 0, 0));
}

// The longer last message has been sent first.
TEST_F(TieWatchTest, TheLastMessagesOrderWhatEndsTogether) {
  const auto a = issue(0, 100), b = issue(0, 300);
  EXPECT_NO_THROW(move(1240, b, 0, 0));
  EXPECT_NO_THROW(move(1240, a, 0, 600));
}

// A leaves the outer dimension for the inner one, which B leaves; their last messages left together.
TEST_F(TieWatchTest, EqualLastMessagesInDifferentDimensionsDoNot) {
  const auto a = issue(0, 400), b = issue(0, 100);
  EXPECT_NO_THROW(move(1540, a, 0, 0));
  EXPECT_THROW(move(1540, b, 1, 0), OrderMatters);
}

TEST_F(TieWatchTest, NorDoesAnythingOrderAnIssueAndAMove) {
  const auto a = issue(0, 100);
  move(640, a, 0, 0);
  try {
    plans.push_back(planner->plan({CollectiveKind::all_gather, Bytes(8), DimensionSet(1), false}).chunks[0]);
    watch->issued(Time::from_ns(640), 1, plans[1]);  // into the queue that a enters
    FAIL();
  } catch (const OrderMatters& tie) {
    EXPECT_STREQ(tie.what(),
                 "at 0.64 us chunks 0 and 1 share a queue and move on and are issued in the same instant");
  }
}

TEST_F(TieWatchTest, WhatOnlyLeavesTheSameQueueMayDoSoInEitherOrder) {
  const auto a = issue(0, 400), b = issue(0, 100);
  EXPECT_NO_THROW(move(1540, a, 1, 0));
  EXPECT_NO_THROW(move(1540, b, 1, 0));
}

}  // namespace
}  // namespace orrery
