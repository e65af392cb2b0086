// Collectives whose messages queue for links or share them, against times worked out by hand.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <vector>

#include "report/network/link_report.hpp"
#include "report/statistics/statistics.hpp"
#include "support/one_collective.hpp"

namespace orrery::core::test::link_model_test {
namespace {

constexpr double latency_ns = 10;

// A message takes a nanosecond per byte, on all the links it uses together.
Dimension unit(Block block, int size) {
  const int links = min_links(block, size);
  const int used = block == Block::ring ? 2 : 1;
  return make_dimension(block, size, links, Bandwidth::from_gb_per_s(1.0 / used), latency_ns);
}

Machine machine(std::vector<Dimension> dimensions, Algorithm algorithm, NetworkModel model,
                const Dialect& dialect = native_dialect) {
  AlgorithmChoice choice;
  choice.algorithm = algorithm;
  const std::size_t count = dimensions.size();
  Machine made = make_machine(std::move(dimensions), std::vector<AlgorithmChoice>(count, choice), dialect);
  made.system.endpoint_delay = Time();
  made.network.model = model;
  return made;
}

struct Times {
  double contention_free, link, fluid;  // ns
};
Times times(const std::vector<Dimension>& dimensions, Algorithm algorithm, CollectiveKind kind,
            std::uint64_t bytes, const Dialect& dialect = native_dialect) {
  const auto ns = [&](NetworkModel model) {
    const Recording recording =
        simulate_one(machine(dimensions, algorithm, model, dialect), kind, Bytes(bytes));
    Time end;
    for (const Time finish : recording.finish) end = std::max(end, finish);
    return end.ns();
  };
  return {ns(&analytical_model), ns(&link_model), ns(&fluid_model)};
}

// In a ring of three, each NPU sends 1000 B to the next and 1000 B to the one before. So every link between
// neighbours carries one message each way. These share it, and take 2 * 1000 + 10 instead of 1000 + 10.
TEST(LinkModel, AllToAllOnARingOfThreeSharesEveryLinkByTwo) {
  const Times t = times({unit(Block::ring, 3)}, &direct_algorithm, CollectiveKind::all_to_all, 3000);
  EXPECT_EQ(t.contention_free, 2010);
  EXPECT_EQ(t.link, 2010);
  EXPECT_EQ(t.fluid, 2010);
}

// Each NPU sends 1000 B to the three others, one message behind the other on its way up. The four messages
// that are sent at one time go down to different NPUs: 3 * 1000 + 2 * 10.
TEST(LinkModel, AllToAllThroughASwitchSharesTheWayUp) {
  const Times t = times({unit(Block::switched, 4)}, &direct_algorithm, CollectiveKind::all_to_all, 4000);
  EXPECT_EQ(t.contention_free, 3020);
  EXPECT_EQ(t.link, 3020);
  EXPECT_EQ(t.fluid, 3020);
}

// 128 MB among 64 NPUs behind a switch of 50 GB/s: 63/64 of it leave each NPU. A ring's all-reduce sends it
// twice.
TEST(LinkModel, NoLinkOfASwitchCarriesMoreThanItCan) {
  const Dimension dimension = make_dimension(Block::switched, 64, 1, Bandwidth::from_gb_per_s(50), 0);
  const std::uint64_t bytes = 128'000'000;
  const Times all_to_all = times({dimension}, &direct_algorithm, CollectiveKind::all_to_all, bytes);
  EXPECT_EQ(all_to_all.contention_free, 2'520'000);
  EXPECT_EQ(all_to_all.link, 2'520'000);
  EXPECT_EQ(all_to_all.fluid, 2'520'000);
  const Times all_reduce = times({dimension}, &ring_algorithm, CollectiveKind::all_reduce, bytes);
  EXPECT_EQ(all_reduce.contention_free, 5'040'000);
  EXPECT_EQ(all_reduce.link, 5'040'000);
  EXPECT_EQ(all_reduce.fluid, 5'040'000);
}

// A tree of 4: the root has one child, and that has the two leaves. These send up at once and meet on the way
// from the switch to their parent: 2 * 1000 + 2 * 10. It sends to the root, and the root back: 1020 each.
// Then it sends to both leaves, which share its way to the switch: 2 * 1000 + 2 * 10. Without contention
// these do not meet, and the busiest link, on which three messages pass, is done long before the last one.
TEST(LinkModel, ATreesChildrenMeetAtTheirParent) {
  const Times t =
      times({unit(Block::switched, 4)}, &double_binary_tree_algorithm, CollectiveKind::all_reduce, 1000);
  EXPECT_EQ(t.contention_free, 4 * 1020);
  EXPECT_EQ(t.link, 2020 + 1020 + 1020 + 2020);
  EXPECT_EQ(t.fluid, 2020 + 1020 + 1020 + 2020);
}

// The links of one of 16 NPUs are ten times slower: 30/16 of 16000 B pass them, whatever the algorithm and
// the model.
TEST(LinkModel, ASlowLinkHasTheFullEffectOfItsBytes) {
  const double busy_ns = 10 * 2 * 15 * 1000;
  for (const Block block : {Block::switched, Block::ring}) {
    for (const NetworkModel model : {&analytical_model, &link_model, &fluid_model}) {
      Machine made = machine({unit(block, 16)}, &ring_algorithm, model);
      made.network.slow_links = {{0, {5}, 10}};
      const Recording recording = simulate_one(made, CollectiveKind::all_reduce, Bytes(16'000));
      EXPECT_GE(recording.end().ns(), busy_ns);
      EXPECT_LE(recording.end().ns(), busy_ns * 1.1);
    }
  }
}

// Four chunks of an all-gather of 7 * 250 + 7 * 10 ns each by itself, at the same time: their latencies
// overlap, their bytes do not.
TEST(LinkModel, ChunksThatShareADimensionTakeTurns) {
  for (const NetworkModel model : {&analytical_model, &link_model, &fluid_model}) {
    Machine made = machine({unit(Block::ring, 8)}, &ring_algorithm, model);
    made.system.chunks = 4;
    EXPECT_EQ(simulate_one(made, CollectiveKind::all_gather, Bytes(1000)).end().ns(), 4 * (7 * 250 + 7 * 10));
    made.system.active_chunks = 4;
    EXPECT_EQ(simulate_one(made, CollectiveKind::all_gather, Bytes(1000)).end().ns(), 4 * 7 * 250 + 10);
  }
}

// A root sends four chunks of 1000 B. Down a chain of three hops each follows the one before on every link:
// 3 * 1020 + 3 * 1000. In a binomial tree the root sends each of them twice, at any time when the link has
// room, so the latency of the last one counts once: 8 * 1000 + 20.
TEST(LinkModel, ChunksOfARootFollowOneAnotherOnEachLink) {
  for (const NetworkModel model : {&analytical_model, &fluid_model}) {
    const auto end_ns = [&](Algorithm algorithm) {
      Machine made = machine({unit(Block::switched, 4)}, algorithm, model);
      made.system.chunks = made.system.active_chunks = 4;
      return simulate_one(made, CollectiveKind::broadcast, Bytes(4000)).end().ns();
    };
    EXPECT_EQ(end_ns(&ring_algorithm), 3 * 1020 + 3 * 1000);
    EXPECT_EQ(end_ns(&tree_algorithm), 8 * 1000 + 20);
  }
}

// Ring algorithms keep to neighbours and to one way around: they never meet, in no dimension.
TEST(LinkModel, RingsOfRingsTakeAsLongAsWithoutContention) {
  for (const Dialect& dialect : {native_dialect, astra_sim_1_dialect}) {
    for (const CollectiveKind kind :
         {CollectiveKind::all_reduce, CollectiveKind::all_gather, CollectiveKind::reduce_scatter}) {
      const std::vector<Dimension> torus{unit(Block::ring, 4), unit(Block::ring, 5)};
      const Times t = times(torus, &ring_algorithm, kind, 40'000, dialect);
      EXPECT_EQ(t.link, t.contention_free);
      EXPECT_EQ(t.fluid, t.contention_free);
      EXPECT_GT(t.link, 0);
    }
  }
  // 7 steps of 1000 + 10.
  const Times t = times({unit(Block::ring, 8)}, &ring_algorithm, CollectiveKind::all_gather, 1000);
  EXPECT_EQ(t.contention_free, 7 * 1010);
  EXPECT_EQ(t.link, 7 * 1010);
  EXPECT_EQ(t.fluid, 7 * 1010);
}

TEST(LinkModel, FullConnectionsNeverMeet) {
  for (const CollectiveKind kind : {CollectiveKind::all_to_all, CollectiveKind::all_reduce}) {
    const Times t = times({unit(Block::fully_connected, 5)}, &direct_algorithm, kind, 50'000);
    EXPECT_EQ(t.link, t.contention_free);
    EXPECT_EQ(t.fluid, t.contention_free);
  }
}

// Eight NPUs send 1000 B to each other. From 0, four go forward by 1, 2, 3 and 4 hops and three back by 1, 2
// and 3: 16 hops, each of 1000 ns on one of eight links, so each is busy for 16000 ns at least.
TEST(LinkModel, AllToAllOnARingTakesAsLongAsItsLinksAreBusy) {
  const Machine with = machine({unit(Block::ring, 8)}, &direct_algorithm, &link_model);
  const Machine without = machine({unit(Block::ring, 8)}, &direct_algorithm, &analytical_model);
  const Recording link = simulate_one(with, CollectiveKind::all_to_all, Bytes(8000));
  const Recording free = simulate_one(without, CollectiveKind::all_to_all, Bytes(8000));
  for (const Recording* recording : {&link, &free}) {
    ASSERT_EQ(recording->links.size(), 1u);
    EXPECT_EQ(recording->links[0].links, 8u);
    EXPECT_EQ(recording->links[0].busy, Time::from_ns(16'000));
    EXPECT_EQ(recording->links[0].load, (LinkLoad{Bytes(16'000), 16}));
  }
  EXPECT_EQ(free.finish_of(RankId(0)), Time::from_ns(16'010));  // natively a phase waits for its busiest link
  EXPECT_GE(link.finish_of(RankId(0)), Time::from_ns(16'010));
  EXPECT_LE(busiest_links(free.links, without.topology, free.finish_of(RankId(0)))[0].utilization, 1);
  EXPECT_LE(busiest_links(link.links, with.topology, link.finish_of(RankId(0)))[0].utilization, 1);
}

}  // namespace
}  // namespace orrery::core::test::link_model_test
