#include "topology/topology.hpp"

#include <gtest/gtest.h>

namespace orrery::core::topology_test {
namespace {

Dimension dimension(Block block, int size, int links) {
  Dimension made;
  made.block = block;
  made.size = size;
  made.links = links;
  return made;
}

// A ring's links work in pairs, and those of a full connection are shared out to the peers
// (docs/models/network-analytical.md, Dimensions).
TEST(Dimension, LinksOfOneMessage) {
  EXPECT_EQ(dimension(Block::ring, 8, 4).links_per_message(), 4);
  EXPECT_EQ(dimension(Block::ring, 8, 5).links_per_message(), 4);
  EXPECT_EQ(dimension(Block::ring, 8, 1).links_per_message(), 0);
  EXPECT_EQ(dimension(Block::fully_connected, 4, 6).links_per_message(), 2);
  EXPECT_EQ(dimension(Block::fully_connected, 4, 8).links_per_message(), 2);
  EXPECT_EQ(dimension(Block::fully_connected, 4, 2).links_per_message(), 0);
  EXPECT_EQ(dimension(Block::fully_connected, 1, 2).links_per_message(), 0);
  EXPECT_EQ(dimension(Block::switched, 4, 3).links_per_message(), 3);
}

TEST(Dimension, UsableLinksTowardAllPeers) {
  EXPECT_EQ(dimension(Block::ring, 8, 5).usable_links(), 4);
  EXPECT_EQ(dimension(Block::fully_connected, 4, 8).usable_links(), 6);
  EXPECT_EQ(dimension(Block::fully_connected, 1, 2).usable_links(), 0);
  EXPECT_EQ(dimension(Block::switched, 4, 3).usable_links(), 3);
}

TEST(Dimension, HopsTakeTheShorterWayAroundARing) {
  const Dimension ring = dimension(Block::ring, 8, 2);
  EXPECT_EQ(ring.hops(0, 1), 1);
  EXPECT_EQ(ring.hops(0, 4), 4);
  EXPECT_EQ(ring.hops(0, 5), 3);
  EXPECT_EQ(ring.hops(7, 0), 1);
  EXPECT_EQ(dimension(Block::fully_connected, 8, 7).hops(0, 5), 1);
  EXPECT_EQ(dimension(Block::switched, 8, 1).hops(0, 5), 2);
}

TEST(Topology, CountsNpus) {
  const Topology topology{
      {dimension(Block::ring, 2, 2), dimension(Block::switched, 8, 1), dimension(Block::ring, 4, 2)}};
  EXPECT_EQ(topology.npus(), 64);
  EXPECT_EQ(Topology{}.npus(), 1);
}

}  // namespace
}  // namespace orrery::core::topology_test
