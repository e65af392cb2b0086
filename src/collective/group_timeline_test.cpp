// The times that are worked out for classes of positions and for rounds of messages have to equal those of a
// simulation of every message of the group.
#include "collective/group_timeline.hpp"

#include <gtest/gtest.h>

#include "base/random.hpp"
#include "collective/planner.hpp"
#include "network/analytical/analytical_network.hpp"

namespace orrery::group_timeline_test {
namespace {

struct GroupCase {
  Topology topology;
  SystemConfig system;
  std::vector<SlowLinks> slow;
  Dialect dialect;
};

GroupCase random_case(Random& random) {
  GroupCase made;
  made.dialect = random.chance(50) ? native_dialect : astra_sim_1_dialect;
  for (int d = 0; d < 2; ++d) {
    Dimension dimension;
    dimension.block = random.pick<Block>({Block::ring, Block::switched, Block::fully_connected});
    dimension.size = random.pick<int>({2, 4, 8, 16});
    dimension.links = dimension.block == Block::ring ? 2 : dimension.size - 1;
    dimension.link_bandwidth = Bandwidth::from_gb_per_s(random.pick<double>({0.5, 7, 62}));
    dimension.link_latency_ns = random.pick<double>({0, 37.5, 500});
    made.topology.dimensions.push_back(dimension);
  }
  for (int i = random.between(0, 3); i > 0; --i) {
    SlowLinks slow{random.between(0, 1), {}, random.pick<double>({1.5, 2, 4})};
    for (int npu = 0; npu < made.topology.npus(); ++npu)
      if (random.chance(30)) slow.npus.push_back(npu);
    made.slow.push_back(slow);
  }
  made.system.chunks = 2;  // one for each tree
  made.system.endpoint_delay = Time::from_ns(random.pick<int>({0, 10}));
  made.system.rendezvous = random.chance(25);
  const auto choice = [&] {
    return AlgorithmChoice{
        random.pick<Algorithm>({Algorithm::ring, Algorithm::halving_doubling, Algorithm::double_binary_tree,
                                Algorithm::double_binary_tree})};
  };
  made.system.algorithms.fill({choice(), choice()});
  return made;
}

void expect_same(const PhaseTimeline& found, const PhaseTimeline& simulated, int members) {
  for (int y = 0; y < members; ++y) EXPECT_EQ(found.end_of(y), simulated.end_of(y)) << "position " << y;
  EXPECT_EQ(found.received.latency_sum, simulated.received.latency_sum);
  EXPECT_EQ(found.received.messages, simulated.received.messages);
  EXPECT_EQ(found.payload, simulated.payload);
  EXPECT_EQ(found.messages, simulated.messages);
}

TEST(GroupTimeline, ClassesAndRoundsGiveWhatEveryMessageGives) {
  for (std::uint64_t seed = 0; seed < 300 && !testing::Test::HasFailure(); ++seed) {
    SCOPED_TRACE(seed);
    Random random(seed);
    const GroupCase one = random_case(random);
    // Halves of a dimension are groups, too.
    const auto dimensions = random.chance(50)
                                ? logical_dimensions(one.topology)
                                : logical_dimensions(one.topology, {0, one.topology.dimensions[0].size / 2});
    const AnalyticalNetwork network(one.topology, one.dialect, one.slow);
    Planner planner(one.system, one.dialect, one.topology, dimensions, network);
    const auto kind = random.pick<CollectiveKind>({CollectiveKind::all_reduce, CollectiveKind::all_gather});
    const CollectivePlan plan = planner.plan(
        {kind, Bytes(static_cast<std::uint64_t>(random.between(100, 100'000))), ~DimensionSet(), false});
    PhaseTimelines timelines(one.system, one.dialect, network, network.clock(), 2);
    for (const ChunkPlan& chunk : plan.chunks) {
      for (const PhasePlan& phase : chunk.phases) {
        const LogicalDimension& group = phase.shape->group;
        for (int base = 0; base < one.topology.npus(); ++base) {
          if (group.position(base) != 0) continue;
          expect_same(timelines.of(*phase.shape, base),
                      simulated_group_timeline(*phase.shape, base, one.system, one.dialect, network,
                                               network.clock(), 2),
                      group.size);
        }
      }
    }
  }
}

}  // namespace
}  // namespace orrery::group_timeline_test
