#include "simulate/folding/folding.hpp"

#include <gtest/gtest.h>

#include "simulate/collectives/collective_policies.hpp"
#include "support/whole_machine.hpp"

namespace orrery::core::folding_test {
namespace {

Dimension dimension(Block block, int size) {
  Dimension made;
  made.block = block;
  made.size = size;
  made.link_bandwidth = Bandwidth::from_gb_per_s(1);
  return made;
}

class FoldingTest : public testing::Test {
 protected:
  FoldingTest() { set(dimension(Block::ring, 8), dimension(Block::switched, 4)); }

  void set(const Dimension& inner, const Dimension& outer) {
    machine.topology.dimensions = {inner, outer};
    machine.system.algorithms.fill({AlgorithmChoice{}, AlgorithmChoice{}});
  }
  Program program(int collectives = 1) const {
    ExecutionGraph graph;
    Operation all_reduce{OperationKind::collective, Pass::forward, 0, 0, {}, {}, {}};
    all_reduce.collective = {CollectiveKind::all_reduce, Bytes(32'000), ~DimensionSet(), false};
    for (int i = 0; i < collectives; ++i) graph.add(all_reduce, {});
    return test::on_all_ranks(std::move(graph), machine.topology);
  }
  Folding folding(int collectives = 1, bool wanted = true) const {
    const Program made = program(collectives);
    return fold(made, machine, collective_policy_of(made, machine).survey(made, machine), wanted);
  }
  void slow_down(std::uint32_t rank, double factor) {
    machine.compute_slowdown.resize(static_cast<std::size_t>(machine.topology.npus()), 1.0);
    machine.compute_slowdown[rank] = factor;
  }

  Machine machine;
};

TEST_F(FoldingTest, EqualRanksAreOneClass) {
  EXPECT_TRUE(folding().folded);
  EXPECT_EQ(folding().classes.count(), 1u);
}

TEST_F(FoldingTest, AStragglerMakesFourClassesInTwoDimensions) {
  slow_down(9, 1.2);  // at (1, 1)
  const RankClasses classes = folding().classes;
  ASSERT_EQ(classes.count(), 4u);
  EXPECT_EQ(classes.size(classes.class_of(RankId(9))), 1u);
  EXPECT_EQ(classes.size(classes.class_of(RankId(8))), 7u);   // its ring
  EXPECT_EQ(classes.size(classes.class_of(RankId(1))), 3u);   // its switch
  EXPECT_EQ(classes.size(classes.class_of(RankId(0))), 21u);  // everyone else
}

TEST_F(FoldingTest, UnderABarrierOverTheMachineAStragglerIsOneOfTwoClasses) {
  machine.dialect = astra_sim_1_dialect;
  slow_down(9, 1.2);
  EXPECT_EQ(folding().classes.count(), 2u);
}

// Every position is a leaf of one tree and stands at some height in the other: of 2^k there are 2k kinds.
TEST_F(FoldingTest, TreesTellHeightsApart) {
  for (auto& choices : machine.system.algorithms) choices[0].algorithm = &double_binary_tree_algorithm;
  const RankClasses classes = folding().classes;
  EXPECT_EQ(classes.count(), 6u);
  EXPECT_EQ(classes.class_of(RankId(1)), classes.class_of(RankId(5)));
  EXPECT_NE(classes.class_of(RankId(1)), classes.class_of(RankId(3)));
  machine.dialect = astra_sim_1_dialect;
  EXPECT_EQ(folding().classes.count(), 1u);
}

TEST_F(FoldingTest, SlowLinksTellTheirRankAndItsPlaceInTheGroupApart) {
  machine.network.slow_links = {{1, {10}, 2.0}};  // the second of its switch, in column 2
  const RankClasses classes = folding().classes;
  EXPECT_EQ(classes.size(classes.class_of(RankId(10))), 1u);
  EXPECT_NE(classes.class_of(RankId(2)), classes.class_of(RankId(3)));  // whose switches differ
  EXPECT_EQ(classes.class_of(RankId(3)), classes.class_of(RankId(4)));
  EXPECT_NE(classes.class_of(RankId(2)), classes.class_of(RankId(18)));  // before and behind the slow one
}

TEST_F(FoldingTest, EquallySlowLinksTellNobodyApart) {
  machine.network.slow_links = {{1, {}, 2.0}};
  for (int npu = 0; npu < 32; ++npu) machine.network.slow_links[0].npus.push_back(npu);
  EXPECT_EQ(folding().classes.count(), 1u);
}

// All switches of a kind hold equal ranks, whoever stands where.
TEST_F(FoldingTest, ASwitchOfSlowLinksTellsItsMembersFromAllOthers) {
  machine.network.slow_links = {{1, {2, 10, 18, 26}, 2.0}};
  const RankClasses classes = folding().classes;
  EXPECT_EQ(classes.count(), 2u);
  EXPECT_EQ(classes.size(classes.class_of(RankId(10))), 4u);
}

TEST_F(FoldingTest, DifferentSpeedsEverywhereLeaveNothingToFold) {
  for (std::uint32_t rank = 0; rank < 32; ++rank) slow_down(rank, 1 + 0.01 * rank);
  EXPECT_TRUE(folding().classes.distinct());
}

// A phase is alone on the links of its dimension while that has one chunk at a time.
TEST_F(FoldingTest, FlowsOfPhasesThatNeverMeetAreFoldedByClasses) {
  machine.network.model = &fluid_model;
  slow_down(9, 1.2);
  EXPECT_EQ(folding().classes.count(), 4u);
  EXPECT_TRUE(folding().isolated);
  machine.network.slow_links = {{1, {10}, 2.0}};
  EXPECT_TRUE(folding().isolated);

  machine.system.active_chunks = 2;
  EXPECT_FALSE(folding().folded);
  EXPECT_EQ(folding().reason, "some ranks are slower, and messages may meet on links");
  machine.system.active_chunks = 1;
  machine.system.queues_per_dimension = 2;
  EXPECT_FALSE(folding().folded);
  machine.system.queues_per_dimension = 1;
  machine.network.link_history = true;
  EXPECT_FALSE(folding().folded);
  machine.network.link_history = false;
  for (auto& choices : machine.system.algorithms) choices[0].algorithm = &double_binary_tree_algorithm;
  EXPECT_FALSE(folding().folded);
}

TEST_F(FoldingTest, FlowsOfEqualRanksAreThoseOfOne) {
  machine.network.model = &fluid_model;
  EXPECT_TRUE(folding().routes);
  EXPECT_FALSE(folding().isolated);
}

TEST_F(FoldingTest, SaysWhyNot) {
  machine.system.shared_bus = SharedBusConfig{};
  EXPECT_NE(folding().reason.find("memory bus"), std::string::npos);
  EXPECT_TRUE(folding().classes.distinct());
  machine.system.shared_bus.reset();

  machine.dialect = astra_sim_1_dialect;
  machine.system.dimension_order = DimensionOrder::themis;
  EXPECT_TRUE(folding(1).folded);
  EXPECT_NE(folding(2).reason.find("Themis"), std::string::npos);
  machine.dialect = native_dialect;
  EXPECT_TRUE(folding(2).folded);

  machine.topology.dimensions[0].hbm_scale = 1;
  EXPECT_TRUE(folding(2).folded);
  machine.dialect = astra_sim_1_dialect;
  machine.system.dimension_order = DimensionOrder::ascending;
  EXPECT_NE(folding(2).reason.find("HBM"), std::string::npos);

  EXPECT_EQ(folding(1, false).reason, "it was turned off");
}

}  // namespace
}  // namespace orrery::core::folding_test
