#include "topology/logical_dimension.hpp"

#include <gtest/gtest.h>

#include <map>

namespace orrery::core::logical_dimension_test {
namespace {

Topology of_sizes(std::initializer_list<int> sizes) {
  Topology topology;
  for (int size : sizes) {
    topology.dimensions.emplace_back();
    topology.dimensions.back().size = size;
  }
  return topology;
}

TEST(LogicalDimension, PositionsAreMixedRadixWithDimension0Fastest) {
  const auto dimensions = logical_dimensions(of_sizes({2, 8, 4}));
  EXPECT_EQ(dimensions, (std::vector<LogicalDimension>{{1, 2, 0}, {2, 8, 1}, {16, 4, 2}}));
  // 47 = 1 + 7 * 2 + 2 * 16
  EXPECT_EQ(dimensions[0].position(47), 1);
  EXPECT_EQ(dimensions[1].position(47), 7);
  EXPECT_EQ(dimensions[2].position(47), 2);
  EXPECT_EQ(dimensions[1].base(47), 33);  // 47 - 7 * 2
}

// Every group has `size` members, one at each position, a stride apart from a common base.
TEST(LogicalDimension, GroupsPartitionTheMachine) {
  const Topology topology = of_sizes({3, 4, 2});
  for (const LogicalDimension& dimension : logical_dimensions(topology)) {
    std::map<int, std::vector<int>> groups;
    for (int npu = 0; npu < topology.npus(); ++npu) groups[dimension.group(npu)].push_back(npu);
    EXPECT_EQ(groups.size(), static_cast<std::size_t>(24 / dimension.size));
    EXPECT_EQ(groups.begin()->first, 0);
    EXPECT_EQ(groups.rbegin()->first, 24 / dimension.size - 1);
    for (const auto& [group, members] : groups) {
      ASSERT_EQ(members.size(), static_cast<std::size_t>(dimension.size));
      for (int y = 0; y < dimension.size; ++y) {
        EXPECT_EQ(members[y], members[0] + y * dimension.stride);
        EXPECT_EQ(dimension.position(members[y]), y);
        EXPECT_EQ(dimension.base(members[y]), members[0]);
      }
    }
  }
}

// A model-parallel group of 8 cuts the second dimension of 4 x 8 x 3, so that these become 4, 2, 4, 3.
TEST(LogicalDimension, NpusAlongChosenDimensionsAreTheirLowestAndTheirNumber) {
  const auto dimensions = logical_dimensions(of_sizes({2, 8, 4}));
  const int npu = 1 + 2 * 5 + 16 * 3;
  const auto expect = [&](std::uint32_t chosen, int first, std::uint64_t count) {
    const NpusAlong met = npus_along(dimensions, chosen, npu);
    EXPECT_EQ(met.first, first) << chosen;
    EXPECT_EQ(met.count, count) << chosen;
  };
  expect(0, npu, 1);
  expect(0b001, npu - 1, 2);
  expect(0b010, 1 + 16 * 3, 8);
  expect(0b101, 2 * 5, 8);
  expect(0xffffffff, 0, 64);
}

TEST(LogicalDimension, SplitKeepsTheOrderOfNpus) {
  const auto dimensions = logical_dimensions(of_sizes({4, 8, 3}), DimensionSplit{1, 2});
  EXPECT_EQ(dimensions, (std::vector<LogicalDimension>{{1, 4, 0}, {4, 2, 1}, {8, 4, 1}, {32, 3, 2}}));
}

}  // namespace
}  // namespace orrery::core::logical_dimension_test
