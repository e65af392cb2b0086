// Tests which groups of NPUs meet nobody on their links.
#include "topology/graph/measures/private_links.hpp"

#include <gtest/gtest.h>

#include "support/built_network.hpp"

namespace orrery::core::test::private_links_test {
namespace {

const std::string box = R"(
  build: nvlink
  size: 4
  switches: 2
  links: 4
  link: { bandwidth: 25 GB/s, latency: 100 ns }
  nics: { count: 4, link: { bandwidth: 64 GB/s, latency: 500 ns } }
)";
const std::string cluster =
    "build: fat-tree\nlink: { bandwidth: 50 GB/s, latency: 500 ns }\n"
    "levels: [ { size: 2 }, { size: 2 } ]\ninside:" +
    box;

using Others = std::vector<GroupDimensions>;

bool are_private(const std::string& network, const GroupDimensions& own, const Others& others = {}) {
  const NetworkGraph graph = built(network).graph;
  return have_private_links(graph, NetworkPlanes(graph), own, others);
}

TEST(PrivateLinks, ABoxHasPlanesOfItsOwnAndOneThatJoinsAll) {
  const NetworkGraph graph = built(cluster).graph;
  const NetworkPlanes planes(graph);
  ASSERT_EQ(planes.size(), 4 * 2 + 1);
  std::size_t of_all = 0;
  for (std::uint32_t plane = 0; plane < planes.size(); ++plane) {
    of_all += planes[plane].npus.size() == 16 ? 1 : 0;
    EXPECT_EQ(planes[plane].only_at_npus, planes[plane].npus.size() == 4);
  }
  EXPECT_EQ(of_all, 1);
}

TEST(PrivateLinks, AGroupInABoxMeetsNobodyFromOtherBoxes) {
  const GroupDimensions tensor{{1, 4}}, data{{4, 4}};
  EXPECT_TRUE(are_private(cluster, tensor, {data}));
  EXPECT_FALSE(are_private(cluster, data, {tensor}));  // groups share links between switches
}

TEST(PrivateLinks, TwoGroupsOfABoxShareNoLink) {
  EXPECT_TRUE(are_private(cluster, {{1, 2}}, {{{4, 4}}}));
}

TEST(PrivateLinks, AGroupMeetsThoseThatUseItsBoxToo) {
  EXPECT_FALSE(are_private(cluster, {{1, 2}}, {{{2, 2}}}));
  EXPECT_FALSE(are_private(cluster, {{1, 2}}, {{{2, 8}}}));  // some members are in one box
}

TEST(PrivateLinks, AGroupOfTwoBoxesUsesTheFabric) {
  EXPECT_FALSE(are_private(cluster, {{1, 8}}, {}));
}

TEST(PrivateLinks, HostsOfOneFabricShareIt) {
  const std::string hosts =
      "build: fat-tree\nlink: { bandwidth: 50 GB/s, latency: 500 ns }\nlevels: [ { size: 4 }, { size: 4 } "
      "]\n";
  EXPECT_FALSE(are_private(hosts, {{1, 4}}, {{{4, 4}}}));
}

TEST(PrivateLinks, GroupsOnUnequalLinksAreNotAlike) {
  const auto pairs = [](const std::string& second) {
    return R"(
nodes: [ { name: npu0, kind: npu }, { name: npu1, kind: npu }, { name: npu2, kind: npu }, { name: npu3, kind: npu } ]
links:
  - { from: npu0, to: npu1, bandwidth: 10 GB/s, latency: 1 us }
  - { from: npu2, to: npu3, bandwidth: )" +
           second + ", latency: 1 us }\n";
  };
  EXPECT_TRUE(are_private(pairs("10 GB/s"), {{1, 2}}));
  EXPECT_FALSE(are_private(pairs("5 GB/s"), {{1, 2}}));
}

}  // namespace
}  // namespace orrery::core::test::private_links_test
