// Tests where messages go that NPUs pass on while links break and come back.
#include "topology/graph/measures/relayed_parts.hpp"

#include <gtest/gtest.h>

namespace orrery::core::test::relayed_parts_test {
namespace {

using Pair = std::pair<int, int>;  // NPUs
using Pairs = std::set<Pair>;

// Two boxes of two NPUs, which are joined by a cable. A switch joins the first NPUs of both, and another
// switch the second ones: NPUs 0 and 1 are in a box, and 0 and 2 on a rail.
class RelayedParts : public testing::Test {
 protected:
  RelayedParts() {
    for (int npu = 0; npu < 4; ++npu) graph.add({NodeKind::npu, "npu" + std::to_string(npu)});
    for (int rail = 0; rail < 2; ++rail)
      graph.add({NodeKind::network_switch, "rail" + std::to_string(rail), true});
    const LinkProperties cable{Bandwidth::from_gb_per_s(1), Time::from_ns(100)};
    graph.join(NodeId(0), NodeId(1), cable);
    graph.join(NodeId(2), NodeId(3), cable);
    for (int npu = 0; npu < 4; ++npu) rail_link[npu] = graph.join(NodeId(npu), NodeId(4 + npu % 2), cable);
  }

  // Both directions of the cable from an NPU to its rail break or come back.
  void change(int at_us, NodeId npu, double share) {
    for (const LinkId link : {rail_link[npu.index()], graph.reverse(rail_link[npu.index()])})
      changes.list.push_back({Time::from_ns(1000 * at_us), link, share, {}});
  }

  Pairs parts(const std::vector<Pair>& messages) const {
    std::vector<NpuPair> all;
    for (const auto& [from, to] : messages) all.emplace_back(NodeId(from), NodeId(to));
    Pairs parts;
    for (const auto& [from, to] : relayed_parts(graph, changes, 0, all))
      parts.emplace(static_cast<int>(from.value()), static_cast<int>(to.value()));
    return parts;
  }

  NetworkGraph graph;
  LinkId rail_link[4];
  LinkChanges changes;
};

TEST_F(RelayedParts, AreNoneWhereEverythingIsWhole) {
  EXPECT_EQ(parts({{0, 2}, {2, 0}, {1, 3}}), Pairs());
}

TEST_F(RelayedParts, GoOverTheNeighboursOfBothEnds) {
  change(1, NodeId(0), 0);
  EXPECT_EQ(parts({{0, 2}}), (Pairs{{0, 1}, {1, 2}, {1, 3}, {3, 2}}));
  EXPECT_EQ(parts({{2, 0}}), (Pairs{{2, 3}, {3, 0}, {3, 1}, {1, 0}}));
  EXPECT_EQ(parts({{1, 3}}), Pairs());
}

TEST_F(RelayedParts, AreNoneOfASlowLink) {
  change(1, NodeId(0), 0.5);
  EXPECT_EQ(parts({{0, 2}}), Pairs());
}

// When the link has come back, NPU 1 may still pass messages on, which may go over NPU 0 then, too.
TEST_F(RelayedParts, AreTheSameWhenALinkBreaksAgain) {
  change(1, NodeId(0), 0);
  const Pairs once = parts({{0, 2}});
  change(2, NodeId(0), 1);
  const Pairs whole_again = parts({{0, 2}});
  for (const Pair& part : once) EXPECT_TRUE(whole_again.contains(part));
  for (const Pair& part : whole_again)
    EXPECT_TRUE(once.contains(part) || part == Pair(1, 0) || part == Pair(0, 2));
  change(3, NodeId(0), 0);
  EXPECT_EQ(parts({{0, 2}}), whole_again);
}

// Messages that go from NPU 1 to NPU 3 while the first rail is broken may still be under way when the second
// one breaks.
TEST_F(RelayedParts, MayBeCutOffLaterAsWell) {
  change(1, NodeId(0), 0);
  change(2, NodeId(0), 1);
  change(2, NodeId(1), 0);
  const Pairs found = parts({{0, 2}});
  for (const Pair& part : Pairs{{0, 1}, {1, 3}, {3, 2}, {1, 0}})
    EXPECT_TRUE(found.contains(part)) << part.first << " to " << part.second;
  // A message that is sent between the same ends only then needs nobody else.
  changes.list.erase(changes.list.begin(), changes.list.begin() + 4);
  EXPECT_EQ(parts({{0, 2}}), Pairs());
}

TEST_F(RelayedParts, CountTheTimesAtWhichSomethingChanges) {
  EXPECT_EQ(times_of_changes(changes), 0u);
  change(1, NodeId(0), 0);
  change(2, NodeId(0), 1);
  change(2, NodeId(1), 0);
  EXPECT_EQ(times_of_changes(changes), 2u);
}

}  // namespace
}  // namespace orrery::core::test::relayed_parts_test
