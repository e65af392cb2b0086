#include "collective/flow/tie_order_checker.hpp"

#include <gtest/gtest.h>

#include <deque>
#include <optional>

#include "collective/phase/ambiguous_event_order.hpp"
#include "collective/plan/planner.hpp"
#include "network/analytical/analytical_network.hpp"

namespace orrery::core::tie_order_checker_test {
namespace {

// Rings of four, 100 ns and a byte per nanosecond, 10 ns before each message.
class TieOrderCheckerTest : public testing::Test {
 protected:
  TieOrderCheckerTest() {
    Dimension ring;
    ring.size = 4;
    ring.link_bandwidth = Bandwidth::from_gb_per_s(0.5);
    ring.link_latency_ns = 100;
    topology.dimensions = {ring, ring};
    dimensions = logical_dimensions(topology);
    system.algorithms.fill({AlgorithmChoice{}, AlgorithmChoice{}});
    network.emplace(topology, astra_sim_1_dialect);
    planner.emplace(system, astra_sim_1_dialect, topology, dimensions, *network);
    watch_anew();
  }

  void watch_anew() {
    timelines.emplace(system, astra_sim_1_dialect, *network, clock, 2);
    watch.emplace(*timelines, system);
  }

  // An all-gather over both dimensions, the outer one first.
  std::uint32_t issue(std::int64_t at, std::uint64_t bytes, DimensionSet over = ~DimensionSet()) {
    const auto number = static_cast<std::uint32_t>(plans.size());
    plans.push_back(planner->plan({CollectiveKind::all_gather, Bytes(bytes), over, false}).chunks[0]);
    chunks.push_back({&plans.back(), 0, number, 1});
    watch->issued(Time::from_ns(at), number, chunks[number]);
    return number;
  }
  void move(std::int64_t at, std::uint32_t number, std::uint32_t phase, std::int64_t started) {
    watch->moves(Time::from_ns(at), number, chunks[number], phase, Time::from_ns(started));
  }
  // Messages take no time at their ends, so that nobody knows which of two was registered first.
  void no_endpoint_delay() {
    system.endpoint_delay = Time();
    watch_anew();
  }
  void slots(int count) {
    system.active_chunks = count;
    watch_anew();
  }

  Topology topology;
  std::vector<LogicalDimension> dimensions;
  SystemConfig system;
  std::optional<AnalyticalNetwork> network;
  std::optional<Planner> planner;
  const Clock clock{Clock::Mode::picoseconds};
  std::optional<PhaseTimelines> timelines;
  std::optional<TieOrderChecker> watch;
  std::deque<ChunkPlan> plans;
  std::vector<ChunkInfo> chunks;
};

TEST_F(TieOrderCheckerTest, DifferentInstantsAreOrdered) {
  slots(2);
  const auto a = issue(0, 100), b = issue(0, 300);
  move(700, a, 0, 0);
  move(701, b, 0, 0);
  EXPECT_NO_THROW(watch->end());
}

TEST_F(TieOrderCheckerTest, PhasesInStepKeepTheirOrder) {
  slots(2);
  const auto a = issue(0, 100), b = issue(0, 100);
  move(640, a, 0, 0);
  move(640, b, 0, 0);
  EXPECT_NO_THROW(watch->end());
}

// The longer message of b was sent before that of a.
TEST_F(TieOrderCheckerTest, PhasesThatDifferAreOrderedByTheirLastMessages) {
  slots(2);
  const auto a = issue(0, 100), b = issue(0, 300);
  move(1240, b, 0, 0);
  move(1240, a, 0, 600);
  EXPECT_NO_THROW(watch->end());
}

TEST_F(TieOrderCheckerTest, PhasesThatDifferAreNotOrderedWithoutEndpointDelay) {
  no_endpoint_delay();
  slots(2);
  const auto a = issue(0, 100), b = issue(0, 300);
  move(1200, b, 0, 0);
  move(1200, a, 0, 600);
  EXPECT_THROW(watch->end(), AmbiguousEventOrder);
}

TEST_F(TieOrderCheckerTest, MovesAreTooManyToTryAllTheirOrders) {
  no_endpoint_delay();
  slots(7);
  std::vector<std::uint32_t> chunks_of_one_size;
  for (int i = 0; i < 7; ++i) chunks_of_one_size.push_back(issue(0, 100, DimensionSet(1)));
  for (int i = 0; i < 7; ++i) move(640, chunks_of_one_size[static_cast<std::size_t>(i)], 0, i);
  EXPECT_THROW(watch->end(), AmbiguousEventOrder);
}

TEST_F(TieOrderCheckerTest, AnIssueAndAMoveIntoTheSameQueueAreNotOrdered) {
  const auto a = issue(0, 100);
  move(640, a, 0, 0);
  issue(640, 8, DimensionSet(1));
  try {
    watch->end();
    FAIL();
  } catch (const AmbiguousEventOrder& tie) {
    EXPECT_STREQ(
        tie.what(),
        "at 0.64 us chunks 0, 1 meet in a queue: they move on or are issued in the same instant, and which "
        "of them is first depends on the rank");
  }
}

// Whoever is first, the one that enters starts when the other has left: nobody else waits.
TEST_F(TieOrderCheckerTest, EnteringWhatAnotherLeavesIsFineWhereNobodyElseWaits) {
  const auto inside = issue(0, 100, DimensionSet(1)), outside = issue(0, 100);
  move(640, inside, 0, 0);
  move(640, outside, 0, 0);
  EXPECT_NO_THROW(watch->end());
}

TEST_F(TieOrderCheckerTest, ButNotWhereOneDoes) {
  const auto inside = issue(0, 100, DimensionSet(1)), outside = issue(0, 100);
  issue(0, 100, DimensionSet(1));
  chunks[outside].priority = 1;  // goes in front of who waits, if that one does still wait
  move(640, inside, 0, 0);
  move(640, outside, 0, 0);
  EXPECT_THROW(watch->end(), AmbiguousEventOrder);
}

TEST_F(TieOrderCheckerTest, WhatOnlyLeavesTheSameQueueMayDoSoInEitherOrder) {
  slots(2);
  const auto a = issue(0, 100, DimensionSet(1)), b = issue(0, 400, DimensionSet(1));
  issue(0, 100, DimensionSet(1));
  issue(0, 100, DimensionSet(1));
  move(1540, a, 0, 900);
  move(1540, b, 0, 0);
  EXPECT_NO_THROW(watch->end());
}

}  // namespace
}  // namespace orrery::core::tie_order_checker_test
