// The expected plans follow from docs/models/collectives.md, Priority to Queues and directions.
#include "collective/plan/planner.hpp"

#include <gtest/gtest.h>

#include <numeric>
#include <ostream>

namespace orrery::core::planner_test {
namespace {

using enum CollectiveKind;

struct InstantNetwork final : ContentionFreeNetwork {
  Stamp duration(int, int, Bytes) const override { return 0; }
  Route route(int, int) const override { return {0, 1, 1}; }
  int carrying_dimension(int, int) const override { return 0; }
  bool is_uniform(const LogicalDimension&) const override { return true; }
  bool has_slow_links(const LogicalDimension&) const override { return false; }
  GroupKinds kinds_of_groups(const LogicalDimension&) const override { return GroupKinds(true); }
};

constexpr AlgorithmChoice ring{&ring_algorithm}, direct{&direct_algorithm},
    halving{&halving_doubling_algorithm}, tree{&double_binary_tree_algorithm},
    one_ring{&ring_algorithm, 0, true};

// A machine of rings and what its planner is to do; change `system` before the first plan.
class PlannerTest : public testing::Test {
 protected:
  void machine(std::initializer_list<int> sizes) {
    topology.dimensions.clear();
    for (int size : sizes) {
      topology.dimensions.emplace_back();
      topology.dimensions.back().size = size;
      topology.dimensions.back().link_bandwidth = Bandwidth::from_gib_per_s(50);
    }
    dimensions = logical_dimensions(topology);
    use(std::vector(sizes.size(), ring));
  }
  void use(const std::vector<AlgorithmChoice>& choices) { system.algorithms.fill(choices); }

  CollectivePlan plan(CollectiveKind kind, std::uint64_t size, unsigned long long involved = 0x3ff) {
    if (!planner) planner.emplace(system, dialect, topology, dimensions, network);
    return planner->plan({kind, Bytes(size), DimensionSet(involved), false});
  }
  std::vector<std::uint64_t> chunk_sizes(CollectiveKind kind, std::uint64_t size) {
    std::vector<std::uint64_t> sizes;
    for (const ChunkPlan& chunk : plan(kind, size).chunks) sizes.push_back(chunk.bytes.count());
    return sizes;
  }

  Dialect dialect = astra_sim_1_dialect;
  SystemConfig system;
  Topology topology;
  std::vector<LogicalDimension> dimensions;
  InstantNetwork network;
  std::optional<Planner> planner;
};

struct Phase {
  CollectiveKind kind;
  int dimension;
  std::uint64_t input;
  bool operator==(const Phase&) const = default;
  friend std::ostream& operator<<(std::ostream& out, const Phase& phase) {
    return out << name_of(phase.kind) << " in " << phase.dimension << " of " << phase.input;
  }
};
using Phases = std::vector<Phase>;

Phases phases(const ChunkPlan& chunk) {
  Phases result;
  for (const PhasePlan& phase : chunk.phases)
    result.push_back({phase.kind, phase.dimension, phase.input.count()});
  return result;
}
Phases phases(const CollectivePlan& plan) {
  EXPECT_EQ(plan.chunks.size(), 1u);
  return phases(plan.chunks.at(0));
}

std::vector<int> order(const ChunkPlan& chunk) {
  std::vector<int> result;
  for (const PhasePlan& phase : chunk.phases) result.push_back(phase.dimension);
  return result;
}

TEST_F(PlannerTest, NativeChunksAreAsManyAsAskedForAndDifferByAByteAtMost) {
  dialect = native_dialect;
  machine({4});
  system.chunks = 4;
  EXPECT_EQ(chunk_sizes(all_reduce, 1600), (std::vector<std::uint64_t>{400, 400, 400, 400}));
  EXPECT_EQ(chunk_sizes(all_reduce, 11), (std::vector<std::uint64_t>{3, 3, 3, 2}));
  EXPECT_EQ(chunk_sizes(all_reduce, 7), (std::vector<std::uint64_t>{2, 2, 2, 1}));
  EXPECT_EQ(chunk_sizes(all_reduce, 3), (std::vector<std::uint64_t>{1, 1, 1}));
  EXPECT_TRUE(chunk_sizes(all_reduce, 0).empty());
  for (std::uint64_t size = 1; size < 300; ++size) {
    const std::vector<std::uint64_t> sizes = chunk_sizes(all_gather, size);
    EXPECT_EQ(sizes.size(), std::min<std::uint64_t>(4, size));
    EXPECT_EQ(std::accumulate(sizes.begin(), sizes.end(), std::uint64_t{0}), size);
    EXPECT_LE(sizes.front() - sizes.back(), 1u);
  }
}

TEST_F(PlannerTest, NativeReductionsCostNothing) {
  dialect = native_dialect;
  machine({4});
  EXPECT_TRUE(plan(all_reduce, 1 << 30).chunks[0].phases[0].shape->reductions.empty());
}

// Chunks begin in turn in the three dimensions that take part, whatever lies between them.
TEST_F(PlannerTest, NativeRoundRobinIgnoresIdleDimensions) {
  dialect = native_dialect;
  machine({1, 2, 1, 4, 2, 8});
  system.dimension_order = DimensionOrder::round_robin;
  system.chunks = 4;
  const CollectivePlan made = plan(reduce_scatter, 1600, 0b011111);
  EXPECT_EQ(order(made.chunks[0]), (std::vector{1, 3, 4}));
  EXPECT_EQ(order(made.chunks[1]), (std::vector{3, 4, 1}));
  EXPECT_EQ(order(made.chunks[2]), (std::vector{4, 1, 3}));
  EXPECT_EQ(order(made.chunks[3]), (std::vector{1, 3, 4}));
}

TEST_F(PlannerTest, ReduceScattersGoOutAndShrink) {
  machine({2, 4, 2});
  EXPECT_EQ(phases(plan(reduce_scatter, 1600)),
            (Phases{{reduce_scatter, 0, 1600}, {reduce_scatter, 1, 800}, {reduce_scatter, 2, 200}}));
}

TEST_F(PlannerTest, AllGathersComeInAndGrow) {
  machine({2, 4, 2});
  EXPECT_EQ(phases(plan(all_gather, 100)),
            (Phases{{all_gather, 2, 100}, {all_gather, 1, 200}, {all_gather, 0, 800}}));
}

TEST_F(PlannerTest, AllToAllsKeepTheirSize) {
  machine({2, 4, 2});
  EXPECT_EQ(phases(plan(all_to_all, 1600)),
            (Phases{{all_to_all, 0, 1600}, {all_to_all, 1, 1600}, {all_to_all, 2, 1600}}));
}

TEST_F(PlannerTest, AllReducesScatterReduceAndGather) {
  machine({2, 4, 2});
  EXPECT_EQ(phases(plan(all_reduce, 1600)), (Phases{{reduce_scatter, 0, 1600},
                                                    {reduce_scatter, 1, 800},
                                                    {all_reduce, 2, 200},
                                                    {all_gather, 1, 200},
                                                    {all_gather, 0, 800}}));
}

TEST_F(PlannerTest, BaselineAllReducesInEveryDimension) {
  machine({2, 4, 2});
  system.all_reduce_shape = AllReduceShape::baseline;
  EXPECT_EQ(phases(plan(all_reduce, 1600)),
            (Phases{{all_reduce, 0, 1600}, {all_reduce, 1, 1600}, {all_reduce, 2, 1600}}));
}

TEST_F(PlannerTest, ThemisScattersInTheLastDimensionToo) {
  machine({2, 4, 2});
  system.dimension_order = DimensionOrder::themis;
  EXPECT_EQ(phases(plan(all_reduce, 1600)), (Phases{{reduce_scatter, 0, 1600},
                                                    {reduce_scatter, 1, 800},
                                                    {reduce_scatter, 2, 200},
                                                    {all_gather, 2, 100},
                                                    {all_gather, 1, 200},
                                                    {all_gather, 0, 800}}));
}

TEST_F(PlannerTest, ThemisWithBaselineAllReducesInItsOrder) {
  machine({2, 4});
  system.dimension_order = DimensionOrder::themis;
  system.all_reduce_shape = AllReduceShape::baseline;
  EXPECT_EQ(phases(plan(all_reduce, 1600)), (Phases{{all_reduce, 0, 1600}, {all_reduce, 1, 1600}}));
}

TEST_F(PlannerTest, RemaindersOfAScatterAreNotGathered) {
  machine({8, 2});
  EXPECT_EQ(phases(plan(all_reduce, 1000003)),
            (Phases{{reduce_scatter, 0, 1000003}, {all_reduce, 1, 125000}, {all_gather, 0, 125000}}));
}

TEST_F(PlannerTest, TreesDoNotChangeTheSize) {
  machine({2, 4, 2});
  use({ring, tree, ring});
  EXPECT_EQ(phases(plan(all_reduce, 1600)), (Phases{{reduce_scatter, 0, 1600},
                                                    {reduce_scatter, 1, 800},
                                                    {all_reduce, 2, 800},
                                                    {all_gather, 1, 800},
                                                    {all_gather, 0, 800}}));
}

TEST_F(PlannerTest, LeavesOutDimensionsThatDoNotTakePart) {
  machine({2, 1, 4, 2});
  EXPECT_EQ(phases(plan(all_reduce, 800, 0b0111)),
            (Phases{{reduce_scatter, 0, 800}, {all_reduce, 2, 400}, {all_gather, 0, 400}}));
  EXPECT_EQ(phases(plan(all_reduce, 800, 0b1000)), (Phases{{all_reduce, 3, 800}}));
}

TEST_F(PlannerTest, LeavesOutDimensionsWithoutAnAlgorithm) {
  machine({2, 4, 2});
  use({ring, ring});
  EXPECT_EQ(phases(plan(all_reduce, 800)),
            (Phases{{reduce_scatter, 0, 800}, {all_reduce, 1, 400}, {all_gather, 0, 400}}));
}

TEST_F(PlannerTest, OneAlgorithmForTheWholeMachineEndsTheList) {
  machine({2, 4, 2});
  use({ring, one_ring, ring});
  const CollectivePlan made = plan(all_gather, 100);
  EXPECT_EQ(phases(made), (Phases{{all_gather, 1, 100}, {all_gather, 0, 1600}}));
  EXPECT_EQ(made.chunks[0].phases[0].shape->group, (LogicalDimension{1, 16, -1}));
}

TEST_F(PlannerTest, HalvesOfASplitDimensionShareItsAlgorithm) {
  machine({2, 8});
  dimensions = logical_dimensions(topology, DimensionSplit{1, 4});
  use({ring, direct});
  const CollectivePlan made = plan(reduce_scatter, 1600);
  EXPECT_EQ(phases(made),
            (Phases{{reduce_scatter, 0, 1600}, {reduce_scatter, 1, 800}, {reduce_scatter, 2, 200}}));
  EXPECT_EQ(std::get<ExchangeSchedule>(made.chunks[0].phases[1].shape->schedule).in_flight, 3u);
  EXPECT_EQ(made.chunks[0].phases[2].shape->group, (LogicalDimension{8, 2, 1}));
}

TEST_F(PlannerTest, RoundRobinRotatesFromChunkToChunkAndCollectiveToCollective) {
  machine({2, 4, 2});
  system.dimension_order = DimensionOrder::round_robin;
  system.chunks = 2;
  const CollectivePlan first = plan(reduce_scatter, 1600);
  EXPECT_EQ(order(first.chunks[0]), (std::vector{0, 1, 2}));
  EXPECT_EQ(order(first.chunks[1]), (std::vector{1, 2, 0}));
  const CollectivePlan second = plan(all_gather, 100);  // 2, 1, 0 rotated by two, then by none
  EXPECT_EQ(order(second.chunks[0]), (std::vector{0, 2, 1}));
  EXPECT_EQ(order(second.chunks[1]), (std::vector{2, 1, 0}));
}

TEST_F(PlannerTest, InactiveCollectivesTakeARotationAndAPriority) {
  machine({2, 4, 1});
  system.dimension_order = DimensionOrder::round_robin;
  EXPECT_TRUE(plan(all_reduce, 1600, 0b100).chunks.empty());
  EXPECT_TRUE(plan(all_reduce, 1600, 0).chunks.empty());
  const CollectivePlan next = plan(all_to_all, 1600);
  EXPECT_EQ(order(next.chunks.at(0)), (std::vector{0, 1}));  // 2, 0, 1 without the dimension of one NPU
  EXPECT_EQ(next.priority, 2);
}

TEST_F(PlannerTest, CutsIntoChunksAndARemainder) {
  machine({2});
  system.chunks = 4;
  EXPECT_EQ(chunk_sizes(all_reduce, 1600), (std::vector<std::uint64_t>{400, 400, 400, 400}));
  EXPECT_EQ(chunk_sizes(all_reduce, 10), (std::vector<std::uint64_t>{2, 2, 2, 2, 2}));
  EXPECT_EQ(chunk_sizes(all_reduce, 11), (std::vector<std::uint64_t>{2, 2, 2, 2, 2, 1}));
  EXPECT_EQ(chunk_sizes(all_reduce, 3), (std::vector<std::uint64_t>{1, 1, 1}));  // fewer bytes than chunks
  EXPECT_TRUE(chunk_sizes(all_reduce, 0).empty());
  // 2^33 + 3 bytes: sizes are not cut to 32 bits
  EXPECT_EQ(chunk_sizes(all_reduce, 8589934595),
            (std::vector<std::uint64_t>{2147483648, 2147483648, 2147483648, 2147483648, 3}));
}

TEST_F(PlannerTest, ThemisNeverExceedsTheRest) {
  machine({2, 4});
  system.chunks = 4;
  system.dimension_order = DimensionOrder::themis;
  EXPECT_EQ(chunk_sizes(reduce_scatter, 11), (std::vector<std::uint64_t>{2, 2, 2, 2, 2, 1}));
}

TEST_F(PlannerTest, ThemisDoesNotOrderAllToAlls) {
  machine({2, 4});
  system.dimension_order = DimensionOrder::themis;
  EXPECT_EQ(order(plan(reduce_scatter, 1 << 20).chunks[0]), (std::vector{0, 1}));
  // Loads 1/2 and 1/2 * 3/4: the next goes the other way, all-to-alls do not.
  EXPECT_EQ(order(plan(all_to_all, 1 << 20).chunks[0]), (std::vector{0, 1}));
  EXPECT_EQ(order(plan(reduce_scatter, 1 << 20).chunks[0]), (std::vector{1, 0}));
  planner->reset_loads();
  EXPECT_EQ(order(plan(reduce_scatter, 1 << 20).chunks[0]), (std::vector{0, 1}));
}

TEST_F(PlannerTest, PrioritiesRiseUnderLifoAndFallUnderFifo) {
  machine({2});
  for (int expected : {0, 1, 2}) EXPECT_EQ(plan(all_reduce, 8).priority, expected);
  planner.reset();
  system.issue_order = IssueOrder::fifo;
  for (int expected : {0, -1, -2}) EXPECT_EQ(plan(all_reduce, 8).priority, expected);
}

TEST_F(PlannerTest, UrgentCollectivesTakeNoNumber) {
  machine({2});
  EXPECT_EQ(plan(all_reduce, 8).priority, 0);
  EXPECT_EQ(planner->plan({all_to_all, Bytes(8), DimensionSet(1), true}).priority, 100'000'000);
  EXPECT_EQ(plan(all_reduce, 8).priority, 1);
}

// Queue and whether it runs backward, of the first phase of every chunk.
std::vector<std::pair<int, bool>> queues(const CollectivePlan& plan) {
  std::vector<std::pair<int, bool>> result;
  for (const ChunkPlan& chunk : plan.chunks) {
    const auto& schedule = std::get<ExchangeSchedule>(chunk.phases[0].shape->schedule);
    result.emplace_back(chunk.phases[0].queue, schedule.steps[0].amount != 1);
  }
  return result;
}

TEST_F(PlannerTest, QueuesTakeTurnsAndTheUpperHalfRunsBackward) {
  using Queues = std::vector<std::pair<int, bool>>;
  const Queues expected[] = {{{0, false}, {0, false}, {0, false}, {0, false}},
                             {{0, false}, {1, true}, {0, false}, {1, true}},
                             {{0, false}, {1, true}, {2, true}, {0, false}},
                             {{0, false}, {1, false}, {2, true}, {3, true}}};
  system.chunks = 4;
  for (int count = 1; count <= 4; ++count) {
    planner.reset();
    machine({4});
    system.queues_per_dimension = count;
    EXPECT_EQ(queues(plan(all_reduce, 1600)), expected[count - 1]) << count << " queues";
  }
}

TEST_F(PlannerTest, AllKindsShareADimensionsQueuePointer) {
  machine({4, 2});
  system.queues_per_dimension = 3;
  EXPECT_EQ(plan(all_reduce, 800).chunks[0].phases[2].queue, 1);  // in dimension 0 the second phase
  EXPECT_EQ(plan(all_to_all, 800).chunks[0].phases[0].queue, 2);
  EXPECT_EQ(plan(reduce_scatter, 800).chunks[0].phases[0].queue, 0);  // around
  EXPECT_EQ(plan(all_gather, 800).chunks[0].phases[0].queue, 0);      // dimension 1: after 0, 1 and 2
}

bool has_root_at_0(const PhasePlan& phase) {
  return std::get<TreeSchedule>(phase.shape->schedule).node(0).parent == TreeSchedule::none;
}

TEST_F(PlannerTest, TreesAlternatePerListAndDimension) {
  machine({4, 4});
  use({tree, tree});
  const auto first = plan(all_reduce, 800), second = plan(all_reduce, 800),
             scatter = plan(reduce_scatter, 800);
  EXPECT_FALSE(has_root_at_0(first.chunks[0].phases[0]));  // scatter and gather take one each
  EXPECT_TRUE(has_root_at_0(first.chunks[0].phases[2]));
  EXPECT_FALSE(has_root_at_0(first.chunks[0].phases[1]));  // dimension 1 counts for itself
  EXPECT_TRUE(has_root_at_0(second.chunks[0].phases[1]));
  EXPECT_FALSE(has_root_at_0(scatter.chunks[0].phases[0]));  // another list
}

TEST_F(PlannerTest, ReductionsCostThreeMemoryPassesOfTheMessage) {
  machine({4});
  // Shares of 1.2 MB: 3 * floor(1200000 / 500000) ns
  const CollectivePlan made = plan(reduce_scatter, 4'800'000);
  const PhaseShape& shape = *made.chunks[0].phases[0].shape;
  const auto& exchange = std::get<ExchangeSchedule>(shape.schedule);
  EXPECT_FALSE(shape.reduces(exchange, 0));
  EXPECT_TRUE(shape.reduces(exchange, 3));
  EXPECT_EQ(shape.reduction(1), Time::from_ns(6));
  EXPECT_EQ(plan(reduce_scatter, 4 * 499'999).chunks[0].phases[0].shape->reduction(1), Time());
}

TEST_F(PlannerTest, RefusesListsThatDoNotFit) {
  const auto expect_error = [&](const std::string& word) {
    planner.reset();
    try {
      plan(all_reduce, 800);
      ADD_FAILURE() << "accepted, expected " << word;
    } catch (const InputError& error) {
      EXPECT_NE(std::string(error.what()).find(word), std::string::npos) << error.what();
    }
  };
  machine({2, 6});
  use({ring, ring, ring});
  expect_error("names 3 algorithms but the network has 2");
  use({ring, halving});
  expect_error("power of two");
  use({ring, tree});
  expect_error("power of two");
  system.dimension_order = DimensionOrder::themis;
  use({ring});
  expect_error("Themis");
  use({ring, one_ring});
  expect_error("Themis");
}

TEST_F(PlannerTest, RefusesWhatAnAlgorithmCannotDo) {
  machine({4});
  use({halving});
  EXPECT_NO_THROW(plan(all_reduce, 800));
  EXPECT_THROW(plan(all_to_all, 800), InputError);
}

TEST_F(PlannerTest, RefusesGathersBeyondAllMeasure) {
  machine({64, 64});
  EXPECT_NO_THROW(plan(all_gather, std::uint64_t{1} << 41));  // 2^53
  EXPECT_THROW(plan(all_gather, (std::uint64_t{1} << 41) + 1), InputError);
}

// A list that ends in an algorithm for the rest has one phase for all dimensions from there on.
TEST_F(PlannerTest, JoinsTheRestOfTheDimensions) {
  machine({4, 2, 3});
  AlgorithmChoice rest = direct;
  rest.joins_rest = true;
  use({ring, rest});
  const ChunkPlan chunk = plan(CollectiveKind::all_gather, 100).chunks.at(0);
  ASSERT_EQ(chunk.phases.size(), 2U);
  EXPECT_EQ(chunk.phases[0].shape->group, (LogicalDimension{4, 6, -1}));
  EXPECT_EQ(chunk.phases[1].shape->group, (LogicalDimension{1, 4, 0}));
}

// Communicators of a part of the machine were left out by an algorithm that spans all of it, or had all its
// NPUs.
TEST_F(PlannerTest, SpansTheCommunicatorAlone) {
  for (const bool whole : {true, false}) {
    machine({4, 2, 3});
    dimensions.erase(dimensions.begin());
    AlgorithmChoice choice = ring;
    (whole ? choice.whole_machine : choice.joins_rest) = true;
    use({choice});
    planner.reset();
    const ChunkPlan chunk = plan(CollectiveKind::all_gather, 100).chunks.at(0);
    ASSERT_EQ(chunk.phases.size(), 1U);
    EXPECT_EQ(chunk.phases[0].shape->group, (LogicalDimension{4, 6, -1}));
  }
}

// A collective in some dimensions ran among all NPUs or among none.
TEST_F(PlannerTest, SpansTheDimensionsThatACollectiveUses) {
  const auto groups = [&](const Dialect& rules, unsigned long long involved) {
    machine({4, 2, 3});
    dialect = rules;
    use({one_ring});
    planner.reset();
    const CollectivePlan made = plan(CollectiveKind::all_reduce, 24, involved);
    std::vector<LogicalDimension> found;
    for (const PhasePlan& phase : made.chunks.at(0).phases) found.push_back(phase.shape->group);
    return found;
  };
  using Groups = std::vector<LogicalDimension>;
  EXPECT_EQ(groups(native_dialect, 0b111), (Groups{{1, 24, -1}}));
  EXPECT_EQ(groups(native_dialect, 0b011), (Groups{{1, 8, -1}}));
  EXPECT_EQ(groups(native_dialect, 0b110), (Groups{{4, 6, -1}}));
  EXPECT_EQ(groups(native_dialect, 0b010), (Groups{{4, 2, 1}}));
  EXPECT_THROW(groups(native_dialect, 0b101), InputError);
  EXPECT_EQ(groups(astra_sim_1_dialect, 0b001), (Groups{{1, 24, -1}}));
}

TEST_F(PlannerTest, FindsTheRootInSpansOfTheMachine) {
  machine({4, 2, 3});
  dialect = native_dialect;
  use({AlgorithmChoice{&tree_algorithm, 0, true}});
  Planner planned(system, dialect, topology, dimensions, network);
  const auto root = [&](unsigned long long involved) {
    const CollectivePlan made = planned.plan({.kind = CollectiveKind::broadcast,
                                              .size = Bytes(8),
                                              .dimensions = DimensionSet(involved),
                                              .root = 3 + 4 * (1 + 2 * 2)});
    return made.chunks.at(0).phases.at(0).shape->root;
  };
  EXPECT_EQ(root(0b111), 23U);
  EXPECT_EQ(root(0b110), 5U);
  EXPECT_EQ(root(0b100), 2U);
}

TEST_F(PlannerTest, JoinsNoDimensionsWithOthersBetween) {
  machine({4, 2, 3});
  dimensions.erase(dimensions.begin() + 1);
  use({one_ring});
  EXPECT_THROW(plan(CollectiveKind::all_gather, 100), InputError);
}

TEST_F(PlannerTest, RunsWhatJoinsDimensionsInAllOrNone) {
  machine({4, 2, 3});
  AlgorithmChoice rest = direct;
  rest.joins_rest = true;
  use({ring, rest});
  EXPECT_EQ(plan(CollectiveKind::all_gather, 100, 1).chunks.at(0).phases.size(), 1U);
  EXPECT_THROW(plan(CollectiveKind::all_gather, 100, 3), InputError);
}

}  // namespace
}  // namespace orrery::core::planner_test
