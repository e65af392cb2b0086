#include "network/link/link_map.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>

namespace orrery::core::link_map_test {
namespace {

Dimension dimension(Block block, int size) {
  Dimension made;
  made.block = block;
  made.size = size;
  return made;
}

// "npu0 npu1 npu5": the devices on the way.
std::string route(const LinkMap& map, int source, int destination) {
  HopCursor cursor = map.cursor(source, destination);
  std::string devices = map.ends(map.next_link(cursor)).from;
  bool more = true;
  while (more) {
    const LinkMap::Ends ends = map.ends(map.next_link(cursor));
    EXPECT_TRUE(devices.ends_with(ends.from)) << devices << ", then from " << ends.from;
    devices += " " + ends.to;
    more = map.advance(cursor);
  }
  return devices;
}

TEST(LinkMap, RingsTakeTheShorterWayAndForwardWhenBothAreEqual) {
  const LinkMap map({{dimension(Block::ring, 6)}});
  EXPECT_EQ(map.size(), 12u);
  EXPECT_EQ(route(map, 1, 3), "npu1 npu2 npu3");
  EXPECT_EQ(route(map, 1, 4), "npu1 npu2 npu3 npu4");
  EXPECT_EQ(route(map, 4, 1), "npu4 npu5 npu0 npu1");
  EXPECT_EQ(route(map, 1, 5), "npu1 npu0 npu5");
}

TEST(LinkMap, ARingOfTwoHasOneLinkPerDirection) {
  const LinkMap map({{dimension(Block::ring, 2)}});
  EXPECT_EQ(map.size(), 2u);
  EXPECT_EQ(route(map, 0, 1), "npu0 npu1");
  EXPECT_EQ(route(map, 1, 0), "npu1 npu0");
}

TEST(LinkMap, FullConnectionsAndSwitches) {
  const LinkMap connected({{dimension(Block::fully_connected, 4)}});
  EXPECT_EQ(connected.size(), 12u);
  EXPECT_EQ(route(connected, 3, 0), "npu3 npu0");
  EXPECT_EQ(route(connected, 1, 2), "npu1 npu2");
  const LinkMap switched({{dimension(Block::switched, 4)}});
  EXPECT_EQ(switched.size(), 8u);
  EXPECT_EQ(route(switched, 3, 1), "npu3 switch4 npu1");
}

// Switches 6 to 8 are those of the first dimension of 2 x 3 NPUs, and 9 and 10 those of the second.
TEST(LinkMap, MessagesBeginAndEndAtSwitches) {
  const LinkMap map({{dimension(Block::switched, 2), dimension(Block::switched, 3)}});
  EXPECT_EQ(route(map, 3, 7), "npu3 switch7");
  EXPECT_EQ(route(map, 7, 3), "switch7 npu3");
  EXPECT_EQ(route(map, 3, 10), "npu3 switch10");
  EXPECT_EQ(route(map, 10, 1), "switch10 npu1");
}

// In a 2 x 3 x 2 machine, dimension 0 has the switches 12 to 17, which are those of NPUs {0,1}, {2,3}, ...
// {10,11}. Dimension 2 has the switches 18 to 23, which are those of {0,6}, {1,7}, ... {5,11}.
TEST(LinkMap, GoesThroughTheDimensionsInOrder) {
  const LinkMap map(
      {{dimension(Block::switched, 2), dimension(Block::ring, 3), dimension(Block::switched, 2)}});
  EXPECT_EQ(map.size(), 12u * 6u);
  EXPECT_EQ(route(map, 0, 11), "npu0 switch12 npu1 npu5 switch23 npu11");
  EXPECT_EQ(route(map, 9, 2), "npu9 switch16 npu8 switch20 npu2");
  EXPECT_EQ(route(map, 4, 10), "npu4 switch22 npu10");
  EXPECT_EQ(route(map, 2, 4), "npu2 npu4");
}

TEST(LinkMap, DimensionsOfOneNpuHaveNothing) {
  const LinkMap map(
      {{dimension(Block::switched, 1), dimension(Block::ring, 1), dimension(Block::switched, 2)}});
  EXPECT_EQ(map.size(), 4u);
  EXPECT_EQ(route(map, 0, 1), "npu0 switch2 npu1");
  EXPECT_EQ(map.dimension(0), 2);
}

TEST(LinkMap, EveryLinkJoinsOtherDevicesAndEveryWayIsAsLongAsItsHops) {
  for (const Block a : {Block::ring, Block::fully_connected, Block::switched}) {
    for (const Block b : {Block::ring, Block::fully_connected, Block::switched}) {
      const Topology topology{{dimension(a, 5), dimension(b, 2), dimension(a, 3)}};
      const LinkMap map(topology);
      std::set<std::pair<std::string, std::string>> seen;
      for (Link link = 0; link < map.size(); ++link)
        EXPECT_TRUE(seen.emplace(map.ends(link).from, map.ends(link).to).second);
      for (int source = 0; source < 30; ++source) {
        for (int destination = 0; destination < 30; ++destination) {
          if (source == destination) continue;
          std::ptrdiff_t hops = 0;
          for (const LogicalDimension& d : logical_dimensions(topology))
            if (const int x = d.position(source), y = d.position(destination); x != y)
              hops += topology.dimensions[d.physical].hops(x, y);
          const std::string devices = route(map, source, destination);
          EXPECT_TRUE(devices.ends_with(" npu" + std::to_string(destination)));
          EXPECT_EQ(std::count(devices.begin(), devices.end(), ' '), hops);
        }
      }
    }
  }
}

TEST(LinkMap, BothWaysOfARingMayShareALink) {
  const LinkMap map({{dimension(Block::switched, 2), dimension(Block::ring, 4)}}, false);
  EXPECT_EQ(map.size(), 16u + 8u);
  EXPECT_EQ(map.links_per_npu(1), 1u);
  const auto first_link = [&](int source, int destination) {
    const LinkMap::Ends ends = map.ends(map.next_link(map.cursor(source, destination)));
    return ends.from + " " + ends.to;
  };
  EXPECT_EQ(first_link(3, 5), "npu3 npu5");
  EXPECT_EQ(first_link(5, 3), "npu3 npu5");
  EXPECT_EQ(first_link(1, 7), "npu7 npu1");
  EXPECT_EQ(first_link(7, 1), "npu7 npu1");
  HopCursor cursor = map.cursor(1, 5);
  EXPECT_EQ(map.next_npu(cursor), 3);
  EXPECT_FALSE(map.leaves_dimension(cursor));
  EXPECT_TRUE(map.advance(cursor));
  EXPECT_TRUE(map.leaves_dimension(cursor));
  EXPECT_FALSE(map.advance(cursor));
}

TEST(LinkMap, CountsMoreLinksThanFitIntoMemory) {
  EXPECT_EQ(LinkMap({{dimension(Block::fully_connected, 1 << 20)}}).size(),
            (std::uint64_t{1} << 20) * ((1u << 20) - 1));
}

}  // namespace
}  // namespace orrery::core::link_map_test
