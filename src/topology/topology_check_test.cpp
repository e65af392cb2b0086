#include "topology/topology_check.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace orrery::core::topology_check_test {
namespace {

Dimension good(Block block = Block::ring) {
  Dimension dimension;
  dimension.block = block;
  dimension.size = 4;
  dimension.links = block == Block::fully_connected ? 3 : 2;
  dimension.link_bandwidth = Bandwidth::from_gib_per_s(50);
  dimension.link_latency_ns = 500.5;
  return dimension;
}

std::vector<std::string> warnings_of(const std::vector<Dimension>& dimensions) {
  std::vector<SourceLocation> places;
  for (std::size_t d = 0; d < dimensions.size(); ++d) places.push_back({"n", static_cast<int>(d) + 1, 1});
  Warnings warnings;
  check_topology({dimensions}, places, warnings);
  return warnings.lines();
}

template <class Change>
void expect_error(Block block, Change change, const std::string& word) {
  std::vector<Dimension> dimensions{good(), good(block)};
  change(dimensions[1]);
  try {
    warnings_of(dimensions);
    ADD_FAILURE() << "accepted, expected " << word;
  } catch (const InputError& error) {
    const std::string what = error.what();
    EXPECT_EQ(what.rfind("n:2:1: error: ", 0), 0u) << what;
    EXPECT_NE(what.find(word), std::string::npos) << what;
  }
}

TEST(TopologyCheck, AcceptsEveryBlock) {
  EXPECT_TRUE(warnings_of({good(), good(Block::fully_connected), good(Block::switched)}).empty());
  EXPECT_TRUE(warnings_of(std::vector<Dimension>(10, good())).empty());
}

TEST(TopologyCheck, AcceptsRingsAndSwitchesOfOne) {
  for (const Block block : {Block::ring, Block::switched}) {
    Dimension dimension = good(block);
    dimension.size = 1;
    EXPECT_TRUE(warnings_of({dimension}).empty());
  }
}

TEST(TopologyCheck, RejectsSizes) {
  expect_error(
      Block::ring, [](Dimension& d) { d.size = 0; }, "the size");
  expect_error(
      Block::ring, [](Dimension& d) { d.size = -3; }, "-3");
  expect_error(
      Block::ring, [](Dimension& d) { d.size = (1 << 25) + 1; }, "2^27");
  expect_error(
      Block::ring, [](Dimension& d) { d.size = std::numeric_limits<int>::max(); }, "2^27");
  expect_error(
      Block::fully_connected, [](Dimension& d) { d.size = 1; }, "two NPUs");
  std::vector<Dimension> largest{good(), good()};
  largest[1].size = 1 << 25;
  EXPECT_TRUE(warnings_of(largest).empty());
}

TEST(TopologyCheck, RejectsElevenDimensions) {
  EXPECT_THROW(warnings_of(std::vector<Dimension>(11, good())), InputError);
}

TEST(TopologyCheck, RejectsTooFewLinks) {
  expect_error(
      Block::ring, [](Dimension& d) { d.links = 1; }, "needs two links");
  expect_error(
      Block::fully_connected, [](Dimension& d) { d.links = 2; }, "3 links each");
  expect_error(
      Block::switched, [](Dimension& d) { d.links = 0; }, "one link");
  expect_error(
      Block::switched, [](Dimension& d) { d.links = -1; }, "-1");
  expect_error(
      Block::switched, [](Dimension& d) { d.links = 1'000'001; }, "1000000");
}

TEST(TopologyCheck, WarnsOfIdleLinks) {
  Dimension ring = good(), connected = good(Block::fully_connected);
  ring.links = 3;
  connected.links = 8;
  EXPECT_EQ(warnings_of({ring, connected}),
            (std::vector<std::string>{
                "n:1:1: warning: dimension 0: a ring uses its links in pairs, so one of the 3 is idle",
                "n:2:1: warning: dimension 1: 8 links cannot be shared evenly by 3 peers, so 2 are idle"}));
}

TEST(TopologyCheck, RejectsASwitchOnATile) {
  expect_error(
      Block::switched, [](Dimension& d) { d.packaging = Packaging::tile; }, "Tile");
}

TEST(TopologyCheck, RejectsBandwidthsAndLatencies) {
  constexpr double infinite = std::numeric_limits<double>::infinity();
  for (const double value : {0.0, -1.0, infinite, std::nan("")}) {
    expect_error(
        Block::ring, [&](Dimension& d) { d.link_bandwidth = Bandwidth::from_gib_per_s(value); },
        "link bandwidth");
    expect_error(
        Block::ring, [&](Dimension& d) { d.hbm_bandwidth = Bandwidth::from_gb_per_s(value); },
        "HBM bandwidth");
  }
  for (const double value : {-0.5, 2.6e15, infinite, std::nan("")}) {
    expect_error(
        Block::ring, [&](Dimension& d) { d.link_latency_ns = value; }, "link latency");
    expect_error(
        Block::ring, [&](Dimension& d) { d.nic_latency_ns = value; }, "NIC latency");
    expect_error(
        Block::ring, [&](Dimension& d) { d.router_latency_ns = value; }, "router latency");
    expect_error(
        Block::ring, [&](Dimension& d) { d.hbm_latency_ns = value; }, "HBM latency");
  }
  for (const double value : {-0.5, infinite, std::nan("")})
    expect_error(
        Block::ring, [&](Dimension& d) { d.hbm_scale = value; }, "HBM scale");
}

}  // namespace
}  // namespace orrery::core::topology_check_test
