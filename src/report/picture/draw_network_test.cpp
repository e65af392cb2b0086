#include "report/picture/draw_network.hpp"

#include <gtest/gtest.h>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "network/link/link_map.hpp"
#include "report/picture/known_loads.hpp"
#include "topology/files/any_network.hpp"

namespace orrery::core::test::draw_network_test {
namespace {

using Shows = NetworkPicture::Shows;

Dimension dimension(Block block, int size) {
  Dimension made;
  made.name = block == Block::ring ? "ring" : block == Block::switched ? "switch" : "full";
  made.block = block;
  made.size = size;
  made.links = min_links(block, size);
  made.link_bandwidth = Bandwidth::from_gb_per_s(1);
  return made;
}

Topology network(const std::string& yaml) {
  Warnings warnings;
  return read_any_network(yaml, "network.yaml", warnings);
}

LinkUse used(const std::string& from, const std::string& to, int busy_us, std::uint64_t links = 1) {
  LinkUse use;
  use.from = from;
  use.to = to;
  use.links = links;
  use.load = {Bytes(static_cast<std::uint64_t>(busy_us) * 1000), 1};
  use.busy = Time::from_ns(busy_us * 1000);
  return use;
}

NetworkPicture draw(const Topology& topology, const std::vector<LinkUse>& uses,
                    const LinkHistory& history = {}) {
  return draw_network(topology, true, uses, history, Time::from_ns(10'000));
}

const PictureLink& link_of(const NetworkPicture& picture, const std::string& from, const std::string& to) {
  const auto found = std::ranges::find_if(picture.links, [&](const PictureLink& link) {
    return picture.nodes[link.from].name == from && picture.nodes[link.to].name == to;
  });
  EXPECT_NE(found, picture.links.end()) << from << " to " << to;
  return *found;
}

// A drawn link that stands for several has the fullest of them.
TEST(DrawNetwork, MomentsOfJoinedLinksAreThoseOfTheFullest) {
  const LinkSeries one{"a", "b", "level", 10, {5000, 10000}, {{0, 700, 0, 0}, {0, 20, 0, 0}}},
      other{"c", "d", "level", 10, {10000, 2500, 7500}, {{0, 300, 0, 0}, {0, 90, 0, 0}}};
  NetworkPicture picture;
  add_moments({&one, &other}, Time::from_ns(1000), 7, picture);
  ASSERT_EQ(picture.moments.size(), 3u);
  constexpr double use[] = {1, 1, 0.75};
  for (std::size_t i = 0; i < 3; ++i) {
    EXPECT_EQ(picture.moments[i].link, 7u);
    EXPECT_DOUBLE_EQ(picture.moments[i].use, use[i]) << i;
    EXPECT_EQ(picture.moments[i].start, Time::from_ns(1000 * static_cast<std::int64_t>(i)));
  }
  EXPECT_EQ(picture.moments[0].longest_queue, 700u);
  EXPECT_EQ(picture.moments[1].longest_queue, 90u);
  EXPECT_FALSE(picture.moments[2].longest_queue.has_value());
}

TEST(DrawNetwork, ShowsEachLinkOfASmallTorus) {
  Topology torus;
  torus.dimensions = {dimension(Block::ring, 4), dimension(Block::ring, 3)};
  const NetworkPicture picture = draw(torus, {used("npu0", "npu1", 5), used("npu4", "npu0", 2)});
  EXPECT_EQ(picture.shows, Shows::all);
  EXPECT_EQ(picture.nodes.size(), 12u);
  EXPECT_EQ(picture.links.size(), 48u);
  EXPECT_DOUBLE_EQ(link_of(picture, "npu0", "npu1").load.most, 0.5);
  EXPECT_EQ(link_of(picture, "npu0", "npu1").load.bytes, Bytes(5000));
  EXPECT_DOUBLE_EQ(link_of(picture, "npu4", "npu0").load.most, 0.2);
  EXPECT_DOUBLE_EQ(link_of(picture, "npu1", "npu0").load.most, 0);
  EXPECT_EQ(link_of(picture, "npu1", "npu0").load.links, 1u);
  for (std::size_t i = 0; i < picture.nodes.size(); ++i)
    for (std::size_t k = 0; k < i; ++k)
      EXPECT_GT(std::hypot(picture.nodes[i].x - picture.nodes[k].x, picture.nodes[i].y - picture.nodes[k].y),
                0.4);
}

TEST(DrawNetwork, ShowsSwitchesBesideTheirGroups) {
  Topology cluster;
  cluster.dimensions = {dimension(Block::switched, 4), dimension(Block::switched, 2)};
  const NetworkPicture picture = draw(cluster, {used("npu0", "switch8", 4)});
  EXPECT_EQ(picture.nodes.size(), 8u + 2 + 4);
  EXPECT_EQ(std::ranges::count(picture.nodes, "switch", &PictureNode::kind), 6);
  EXPECT_DOUBLE_EQ(link_of(picture, "npu0", "switch8").load.most, 0.4);
}

TEST(DrawNetwork, SaysWhereItIsNotKnownWhichLinksCarriedWhat) {
  Topology ring;
  ring.dimensions = {dimension(Block::ring, 6)};
  const NetworkPicture picture = draw(ring, {used("npu0", "npu1", 8, 6), used("npu1", "npu0", 2, 6)});
  for (const PictureLink& link : picture.links) {
    EXPECT_TRUE(link.of_all);
    EXPECT_DOUBLE_EQ(link.load.most, 0.8);
    EXPECT_DOUBLE_EQ(link.load.mean(), 0.5);
    EXPECT_EQ(link.load.links, 12u);
  }
}

TEST(DrawNetwork, KnowsEachLinkWhereAllHaveCarriedEquallyMuch) {
  Topology ring;
  ring.dimensions = {dimension(Block::ring, 6)};
  for (const PictureLink& link : draw(ring, {used("npu0", "npu1", 8, 12)}).links) {
    EXPECT_FALSE(link.of_all);
    EXPECT_DOUBLE_EQ(link.load.most, 0.8);
    EXPECT_EQ(link.load.links, 1u);
  }
}

TEST(DrawNetwork, TakesLinksThatAreListed) {
  Topology ring;
  ring.dimensions = {dimension(Block::ring, 3)};
  LinkUse busy = used("npu0", "npu1", 8, 3);
  busy.listed = {{"npu0", "npu1"}, {"npu1", "npu2"}, {"npu2", "npu0"}};
  const NetworkPicture picture = draw(ring, {busy});
  EXPECT_DOUBLE_EQ(link_of(picture, "npu2", "npu0").load.most, 0.8);
  EXPECT_DOUBLE_EQ(link_of(picture, "npu0", "npu2").load.most, 0);
  EXPECT_FALSE(link_of(picture, "npu0", "npu2").of_all);
}

TEST(DrawNetwork, ShowsAGroupOfEachDimensionOfALargeOne) {
  Topology machine;
  machine.dimensions = {dimension(Block::fully_connected, 8), dimension(Block::ring, 100),
                        dimension(Block::switched, 125)};
  const NetworkPicture picture = draw(machine, {used("npu0", "npu1", 3, 700'000)});
  EXPECT_EQ(picture.shows, Shows::dimensions);
  EXPECT_LT(picture.nodes.size(), max_drawn_nodes);
  std::uint64_t in_ring = 0;
  for (const PictureNode& node : picture.nodes)
    if (node.dimension == "ring") in_ring += node.nodes;
  EXPECT_EQ(in_ring, 100u);
  EXPECT_DOUBLE_EQ(link_of(picture, "npu0", "npu1").load.most, 0.3);
}

constexpr const char* small_tree = R"(
nodes:
  - { name: npu, kind: npu, count: 4 }
  - { name: leaf, kind: switch, count: 2 }
  - { name: spine, kind: switch }
links:
  - { from: [npu0, npu1], to: leaf0, bandwidth: 10 GB/s, latency: 1 us }
  - { from: [npu2, npu3], to: leaf1, bandwidth: 10 GB/s, latency: 1 us }
  - { from: [leaf0, leaf1], to: spine, bandwidth: 10 GB/s, latency: 1 us }
)";

std::string fat_tree(int leaves) {
  return fmt::format(
      "build: fat-tree\nlink: {{ bandwidth: 50 GB/s, latency: 500 ns }}\n"
      "levels: [ {{ size: 32 }}, {{ size: {} }} ]\n",
      leaves);
}

TEST(DrawNetwork, PutsTheLevelsOfAGraphAboveOneAnother) {
  LinkUse of_packets = used("npu0", "leaf0", 6);
  of_packets.of_packets = {.drops = 3, .pauses = 2, .longest_queue = Bytes(77)};
  LinkHistory history{Time::from_ns(5'000), {{"npu0", "leaf0", "level", 1, {5000, 1000}, {}}}};
  const NetworkPicture picture = draw(network(small_tree), {of_packets}, history);
  EXPECT_EQ(picture.shows, Shows::all);
  const auto height = [&](const std::string& name) {
    return std::ranges::find(picture.nodes, name, &PictureNode::name)->y;
  };
  EXPECT_LT(height("npu0"), height("leaf0"));
  EXPECT_LT(height("leaf0"), height("spine"));
  const PictureLink& link = link_of(picture, "npu0", "leaf0");
  EXPECT_EQ(link.load.drops, 3u);
  EXPECT_EQ(link.load.longest_queue, Bytes(77));
  ASSERT_EQ(picture.moments.size(), 2u);
  EXPECT_DOUBLE_EQ(picture.moments[0].use, 1);
  EXPECT_DOUBLE_EQ(picture.moments[1].use, 0.2);
  EXPECT_EQ(&picture.links[picture.moments[0].link], &link);
}

TEST(DrawNetwork, JoinsNodesOfALargeGraphThatHaveTheSameNeighbours) {
  const NetworkPicture picture =
      draw(network(fat_tree(24)), {used("npu0", "leaf0", 4), used("npu1", "leaf0", 6)});
  EXPECT_EQ(picture.shows, Shows::joined);
  EXPECT_LT(picture.nodes.size(), max_drawn_nodes);
  std::uint64_t npus = 0;
  for (const PictureNode& node : picture.nodes)
    if (node.kind == "npu") npus += node.nodes;
  EXPECT_EQ(npus, 768u);
  EXPECT_DOUBLE_EQ(link_of(picture, "npu0 ... npu31", "leaf0").load.most, 0.6);
  EXPECT_EQ(link_of(picture, "npu0 ... npu31", "leaf0").load.links, 32u);
}

TEST(DrawNetwork, ShowsClassesOfNodesWhereThereAreVeryMany) {
  const NetworkPicture picture = draw(network(fat_tree(500)), {used("npu0", "leaf0", 4, 16'000)});
  EXPECT_EQ(picture.shows, Shows::classes);
  EXPECT_EQ(picture.nodes.size(), 3u);
  EXPECT_DOUBLE_EQ(link_of(picture, "npu0 ... npu15999", "leaf0 ... leaf499").load.most, 0.4);
}

TEST(DrawNetwork, HasNothingWhereNoLinkIsKnown) {
  Topology ring;
  ring.dimensions = {dimension(Block::ring, 3)};
  EXPECT_TRUE(draw(ring, {}).nodes.empty());
  for (const NamedRows& table : picture_tables({})) EXPECT_TRUE(table.rows.empty());
}

}  // namespace
}  // namespace orrery::core::test::draw_network_test
