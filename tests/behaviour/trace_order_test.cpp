// Ranks that end in the same instant are listed in the order of their events, whether all of them were
// simulated or one for all.
#include <gtest/gtest.h>

#include "support/trace_runs.hpp"

namespace orrery::core::test::trace_order_test {
namespace {

TEST(TraceOrder, IsTheSameWhereOneRankStandsForAll) {
  TraceMachine machine = switched_machine({5, 4}, &tree_algorithm);
  for (Dimension& dimension : machine.topology.dimensions) dimension.block = Block::ring;
  machine.system.algorithms.fill({AlgorithmChoice{}, AlgorithmChoice{}});
  machine.system.chunks = 1;
  machine.system.all_reduce_shape = AllReduceShape::local_bandwidth_aware;
  TracedCollective step;
  step.type = chakra::CommType::all_reduce;
  step.bytes = 1 << 20;
  step.compute_us = 10;
  const std::vector<RankTrace> traces(20, trace_of({step, step, step}));
  const Recording folded = simulate_traces(traces, machine);
  EXPECT_EQ(folded.simulated, "one rank was simulated message by message, 20 do the same");
  machine.fold = false;
  const Recording every = simulate_traces(traces, machine);
  EXPECT_EQ(folded.finish_order, every.finish_order);
  EXPECT_EQ(folded.finish_of(RankId(0)), every.finish_of(RankId(0)));
  EXPECT_EQ(folded.messages, every.messages);
  EXPECT_LT(folded.events * 10, every.events);
  std::vector<RankId> by_number;
  for (const RankId rank : first_ids<RankId>(20)) by_number.push_back(rank);
  EXPECT_NE(every.finish_order, by_number);  // else this would say nothing
}

}  // namespace
}  // namespace orrery::core::test::trace_order_test
