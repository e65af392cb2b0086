#include "collective/timelines/phase_timeline.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "collective/plan/planner.hpp"
#include "network/analytical/analytical_network.hpp"

namespace orrery::core::phase_timeline_test {
namespace {

using enum CollectiveKind;

// A byte per nanosecond, 100 ns of latency per hop, 10 ns before each message.
class PhaseTimelineTest : public testing::Test {
 protected:
  PhaseTimeline timeline(CollectiveKind kind, Algorithm algorithm, int members, std::uint64_t bytes,
                         int base = 0, const std::vector<SlowLinks>& slow = {}) {
    Dimension inner;
    inner.block = block;
    inner.size = members;
    inner.links = block == Block::ring ? 2 : 1;
    inner.link_bandwidth =
        Bandwidth::from_gb_per_s(block == Block::ring ? 0.5 : 1);  // a ring uses both links
    inner.link_latency_ns = 100;
    Dimension outer = inner;
    outer.size = 2;
    topology.dimensions = {inner, outer};
    system.algorithms.fill({AlgorithmChoice{algorithm, window}, AlgorithmChoice{}});
    const auto dimensions = logical_dimensions(topology);
    const AnalyticalNetwork network(topology, dialect, slow);
    Planner planner(system, dialect, topology, dimensions, network);
    const CollectivePlan plan = planner.plan({kind, Bytes(bytes), DimensionSet(1), false});
    PhaseTimelines timelines(system, dialect, network, network.clock(), 2);
    latest_of_all = timelines.latest_of_all_groups(*plan.chunks[0].phases[0].shape);
    any_depends_on_order = timelines.depends_on_order(*plan.chunks[0].phases[0].shape);
    return timelines.of(*plan.chunks[0].phases[0].shape, base);
  }

  Block block = Block::ring;
  Dialect dialect = astra_sim_1_dialect;
  int window = 0;
  Topology topology;
  SystemConfig system;
  Stamp latest_of_all = 0;
  bool any_depends_on_order = false;
};

constexpr Stamp ns = 1000;

TEST_F(PhaseTimelineTest, AddsUpTheMessagesOfARing) {
  const PhaseTimeline ring = timeline(all_gather, &ring_algorithm, 4, 200);
  EXPECT_EQ(ring.ends, std::vector<Stamp>{(3 * (10 + 100 + 200) + 10) * ns});
  EXPECT_EQ(ring.messages, 12u);
  EXPECT_EQ(ring.payload, (std::vector{Bytes(600), Bytes()}));
  EXPECT_EQ(ring.received.latency_sum, Time::from_ns(900));
}

TEST_F(PhaseTimelineTest, ReductionsCount) {
  // Shares of 1 MB: three times 2 ns, cut.
  const PhaseTimeline ring = timeline(reduce_scatter, &ring_algorithm, 3, 3'000'000);
  EXPECT_EQ(ring.ends[0], (2 * (10 + 100 + 1'000'000) + 10 + 2 * 6) * ns);
}

// A million members take no longer to work out than four.
TEST_F(PhaseTimelineTest, LongRingsAreNotWalked) {
  constexpr int n = 1'000'000;
  EXPECT_EQ(timeline(all_reduce, &ring_algorithm, n, 2 * n).ends[0],
            (2 * (n - 1) * (10 + 100 + 2ll) + 10) * ns);
  const std::int64_t rounds = std::int64_t{n} * (n - 1) / 2;
  EXPECT_EQ(timeline(all_to_all, &ring_algorithm, n, 2 * n).ends[0], (rounds * 112 + 10) * ns);
}

TEST_F(PhaseTimelineTest, MembersOfATreeEndAtDifferentTimes) {
  block = Block::switched;
  const PhaseTimeline tree = timeline(all_reduce, &double_binary_tree_algorithm, 4, 300);
  EXPECT_EQ(tree.end_of(0), tree.end_of(2));  // the leaves
  EXPECT_EQ(tree.ends.size(), 3u);
  EXPECT_LT(*std::min_element(tree.ends.begin(), tree.ends.end()), tree.latest);
  EXPECT_EQ(tree.latest, latest_of_all);
  EXPECT_EQ(tree.messages, 6u);  // up and down each of three links
}

TEST_F(PhaseTimelineTest, AGroupWithSlowLinksHasItsOwn) {
  const std::vector<SlowLinks> slow{{0, {5}, 3.0}};  // the second member of the second group
  const PhaseTimeline usual = timeline(all_gather, &ring_algorithm, 4, 200, 0, slow);
  const PhaseTimeline slowed = timeline(all_gather, &ring_algorithm, 4, 200, 4, slow);
  EXPECT_EQ(usual.ends, std::vector<Stamp>{940 * ns});
  // Messages to and from 5 take 700 ns. 4 passes on its second one at 320 and its third at 630; 5 has the
  // latter at 1020, passes it on at 1030, and 6 has it at 1730.
  EXPECT_EQ(slowed.ends[2], 1740 * ns);
  EXPECT_EQ(slowed.latest, 1740 * ns);
  EXPECT_EQ(latest_of_all, 1740 * ns);
}

// In a ring of four with two peers at a time, a peer that is two hops away is twice as far. If latency is all
// that counts, what is sent to the third peer arrives when the message for the second half is ready. Then
// ASTRA-sim 1.0's order of events decides, while natively an arrival in the same instant counts.
TEST_F(PhaseTimelineTest, SeesThatAGateOpensInTheInstantInWhichAMessageIsReady) {
  window = 2;
  EXPECT_TRUE(timeline(all_reduce, &direct_algorithm, 4, 3).depends_on_order);
  EXPECT_FALSE(timeline(all_reduce, &direct_algorithm, 4, 800).depends_on_order);
  dialect = native_dialect;
  EXPECT_FALSE(timeline(all_reduce, &direct_algorithm, 4, 3).depends_on_order);
}

// If a member of the second group is slow, such an instant occurs in that group only.
TEST_F(PhaseTimelineTest, LooksForSuchAnInstantInAllGroups) {
  window = 2;
  const std::vector<SlowLinks> slow{{0, {5}, 2.0}};
  EXPECT_FALSE(timeline(all_reduce, &direct_algorithm, 4, 80, 0, slow).depends_on_order);
  EXPECT_TRUE(timeline(all_reduce, &direct_algorithm, 4, 80, 4, slow).depends_on_order);
  EXPECT_TRUE(any_depends_on_order);
}

}  // namespace
}  // namespace orrery::core::phase_timeline_test
