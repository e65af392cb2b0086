// Collectives whose messages queue for links, against times worked out by hand.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <vector>

#include "report/link_report.hpp"
#include "support/one_collective.hpp"

namespace orrery::test {
namespace {

constexpr double latency_ns = 10;

// A message takes a nanosecond per byte, on all the links it uses together.
Dimension unit(Block block, int size) {
  const int links = least_links(block, size);
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
  made.network_model = model;
  return made;
}

struct Times {
  double contention_free, link;  // ns
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
  return {ns(NetworkModel::analytical), ns(NetworkModel::link)};
}

// In a ring of three, each NPU sends 1000 B to the next and 1000 B to the one before. Every link between
// neighbours so carries one message each way, which share it: 2 * 1000 + 10 instead of 1000 + 10.
TEST(LinkModel, AllToAllOnARingOfThreeSharesEveryLinkByTwo) {
  const Times t = times({unit(Block::ring, 3)}, Algorithm::direct, CollectiveKind::all_to_all, 3000);
  EXPECT_EQ(t.contention_free, 1010);
  EXPECT_EQ(t.link, 2010);
}

// Each NPU sends 1000 B to the three others, one behind the other on its way up, so that they are there at
// 1010, 2010 and 3010; each time the four go down to different NPUs: 3010 + 1010. Without contention all take
// 2 * 10 + 1000.
TEST(LinkModel, AllToAllThroughASwitchSharesTheWayUp) {
  const Times t = times({unit(Block::switched, 4)}, Algorithm::direct, CollectiveKind::all_to_all, 4000);
  EXPECT_EQ(t.contention_free, 1020);
  EXPECT_EQ(t.link, 4020);
}

// A tree of 4: the root has one child, and that has the two leaves. These send up at once and meet on the way
// from the switch to their parent: 3 * 1000 + 2 * 10. It sends to the root, and the root back: 2 * 1010 each.
// Then it sends to both leaves, which share its way to the switch: 3 * 1000 + 2 * 10. (Reductions take a few
// hundredths of a nanosecond.)
TEST(LinkModel, ATreesChildrenMeetAtTheirParent) {
  const Times t =
      times({unit(Block::switched, 4)}, Algorithm::double_binary_tree, CollectiveKind::all_reduce, 1000);
  EXPECT_NEAR(t.contention_free, 4 * 1020, 0.1);
  EXPECT_NEAR(t.link, 3020 + 2020 + 2020 + 3020, 0.1);
}

// Ring algorithms keep to neighbours and to one way around: they never meet, in no dimension.
TEST(LinkModel, RingsOfRingsTakeAsLongAsWithoutContention) {
  for (const Dialect& dialect : {native_dialect, astra_sim_1_dialect}) {
    for (const CollectiveKind kind :
         {CollectiveKind::all_reduce, CollectiveKind::all_gather, CollectiveKind::reduce_scatter}) {
      const std::vector<Dimension> torus{unit(Block::ring, 4), unit(Block::ring, 5)};
      const Times t = times(torus, Algorithm::ring, kind, 40'000, dialect);
      EXPECT_EQ(t.link, t.contention_free);
      EXPECT_GT(t.link, 0);
    }
  }
  // 7 steps of 1000 + 10.
  const Times t = times({unit(Block::ring, 8)}, Algorithm::ring, CollectiveKind::all_gather, 1000);
  EXPECT_EQ(t.contention_free, 7 * 1010);
  EXPECT_EQ(t.link, 7 * 1010);
}

TEST(LinkModel, FullConnectionsNeverMeet) {
  for (const CollectiveKind kind : {CollectiveKind::all_to_all, CollectiveKind::all_reduce}) {
    const Times t = times({unit(Block::fully_connected, 5)}, Algorithm::direct, kind, 50'000);
    EXPECT_EQ(t.link, t.contention_free);
  }
}

// Eight NPUs send 1000 B to each other. From 0, four go forward by 1, 2, 3 and 4 hops and three back by 1, 2
// and 3: 16 hops, each of 1000 ns on one of eight links, so each is busy for 16000 ns at least.
TEST(LinkModel, AllToAllOnARingTakesAsLongAsItsLinksAreBusy) {
  const Machine with = machine({unit(Block::ring, 8)}, Algorithm::direct, NetworkModel::link);
  const Machine without = machine({unit(Block::ring, 8)}, Algorithm::direct, NetworkModel::analytical);
  const Recording link = simulate_one(with, CollectiveKind::all_to_all, Bytes(8000));
  const Recording free = simulate_one(without, CollectiveKind::all_to_all, Bytes(8000));
  for (const Recording* recording : {&link, &free}) {
    ASSERT_EQ(recording->links.size(), 1u);
    EXPECT_EQ(recording->links[0].links, 8u);
    EXPECT_EQ(recording->links[0].busy, Time::from_ns(16'000));
    EXPECT_EQ(recording->links[0].load, (LinkLoad{Bytes(16'000), 16}));
  }
  EXPECT_EQ(free.finish_of(0), Time::from_ns(1040));
  EXPECT_GE(link.finish_of(0), Time::from_ns(16'010));
  EXPECT_GT(busiest_links(free.links, without.topology, free.finish_of(0))[0].utilization, 15);
  EXPECT_LE(busiest_links(link.links, with.topology, link.finish_of(0))[0].utilization, 1);
}

}  // namespace
}  // namespace orrery::test
