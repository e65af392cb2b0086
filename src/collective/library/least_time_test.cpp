#include "collective/library/least_time.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "collective/library/collective_library.hpp"
#include "collective/library/library_file.hpp"
#include "collective/plan/collective_words.hpp"

namespace orrery::core::least_time_test {
namespace {

constexpr double gb = 1e9;

// 100 GB/s for each member inside a node, and a card of 10 GB/s for each between nodes.
GroupLinks links() {
  GroupLinks links;
  links.inside.bandwidth = 100 * gb;
  links.between.bandwidth = 10 * gb;
  return links;
}

TEST(LeastTime, OfANodeIsThatOfTheBytesOfAMember) {
  EXPECT_DOUBLE_EQ(least_collective_seconds(CollectiveKind::all_reduce, gb, {4, 4}, links()), 0.015);
  EXPECT_DOUBLE_EQ(least_collective_seconds(CollectiveKind::all_gather, gb, {4, 4}, links()), 0.0075);
  EXPECT_DOUBLE_EQ(least_collective_seconds(CollectiveKind::broadcast, gb, {4, 4}, links()), 0.01);
  EXPECT_DOUBLE_EQ(least_collective_seconds(CollectiveKind::barrier, gb, {4, 4}, links()), 0);
  EXPECT_DOUBLE_EQ(least_collective_seconds(CollectiveKind::all_reduce, gb, {1, 1}, links()), 0);
  EXPECT_DOUBLE_EQ(least_send_seconds(gb, true, links()), 0.01);
}

TEST(LeastTime, OfSeveralNodesIsThatOfTheirCards) {
  EXPECT_DOUBLE_EQ(least_collective_seconds(CollectiveKind::all_reduce, gb, {8, 4}, links()), 0.025);
  // Each of the 4 members sends half of its bytes to the other node.
  EXPECT_DOUBLE_EQ(least_collective_seconds(CollectiveKind::all_to_all, gb, {8, 4}, links()), 0.05);
  GroupLinks shared = links();
  shared.nics_per_gpu = 0.25;
  EXPECT_DOUBLE_EQ(least_collective_seconds(CollectiveKind::all_gather, gb, {2, 1}, shared), 0.05)
      << "a member has a whole card";
  EXPECT_DOUBLE_EQ(least_send_seconds(gb, false, shared), 0.1);
}

TEST(LeastTime, IsHalfWhereSwitchesReduce) {
  GroupLinks switched = links();
  switched.inside.switch_efficiency = 0.9;
  EXPECT_DOUBLE_EQ(least_collective_seconds(CollectiveKind::all_reduce, gb, {4, 4}, switched), 0.0075);
  EXPECT_DOUBLE_EQ(least_collective_seconds(CollectiveKind::all_gather, gb, {4, 4}, switched), 0.0075);
}

// Whatever the libraries that come with the program choose, their links carry it.
TEST(LeastTime, NoCollectiveOfALibraryIsQuicker) {
  const InputLog load(InputLog::Holds::paths);
  int collectives = 0;
  for (const char* const name : {"nccl", "mpi", "gloo"}) {
    const LibraryConstants constants = find_library_constants(name, {"here"}, load);
    for (const InsideLink& inside : constants.inside)
      for (const BetweenLink& between : constants.between) {
        ClusterLinks machine{inside.name, between.name, 8, 4};
        machine.caller = Caller::program;
        const CollectiveLibrary library(constants, machine, {"here"});
        for (const auto& [word, kind] : collective_kind_words)
          for (const GroupPlacement group : {GroupPlacement{2, 2}, {8, 8}, {2, 1}, {16, 8}, {64, 4}})
            for (const double bytes : {1e3, 1e6, 1e10}) {
              const CollectiveCost cost = library.cost(kind, bytes, group);
              EXPECT_GE(cost.seconds, cost.least_seconds * (1 - 1e-9))
                  << fmt::format("{} {} of {} B, {} and {}, {} members", name, word, bytes, inside.name,
                                 between.name, group.members);
              ++collectives;
            }
      }
  }
  EXPECT_GT(collectives, 1000);
}

}  // namespace
}  // namespace orrery::core::least_time_test
