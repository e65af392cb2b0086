#include <fmt/format.h>
#include <gtest/gtest.h>

#include "collective/library/collective_library.hpp"
#include "collective/library/library_file.hpp"
#include "collective/plan/collective_words.hpp"

namespace orrery::core::least_time_test {
namespace {

constexpr double gb = 1e9;

// 100 GB/s for each member inside a node, and cards of 10 GB/s between nodes.
constexpr auto round_numbers = R"(
name: round
inside:
  plain: {bandwidth: 100 GB/s}
  switched: {bandwidth: 100 GB/s, switch-efficiency: 0.9}
between:
  cards: {bandwidth: 10 GB/s}
)";

CollectiveLibrary library(const char* inside, int nics) {
  return CollectiveLibrary(read_library_file(round_numbers, "round.yaml"), {inside, "cards", 4, nics},
                           {"here"});
}

double least(CollectiveKind kind, const GroupPlacement& group, const char* inside = "plain", int nics = 4) {
  return library(inside, nics).cost(kind, gb, group).least_seconds;
}

TEST(LeastTime, OfANodeIsThatOfTheBytesOfAMember) {
  EXPECT_DOUBLE_EQ(least(CollectiveKind::all_reduce, {4, 4}), 0.015);
  EXPECT_DOUBLE_EQ(least(CollectiveKind::all_gather, {4, 4}), 0.0075);
  EXPECT_DOUBLE_EQ(least(CollectiveKind::broadcast, {4, 4}), 0.01);
  EXPECT_DOUBLE_EQ(least(CollectiveKind::barrier, {4, 4}), 0);
  EXPECT_DOUBLE_EQ(least(CollectiveKind::all_reduce, {1, 1}), 0);
  EXPECT_DOUBLE_EQ(library("plain", 4).send_cost(gb, true).least_seconds, 0.01);
}

TEST(LeastTime, OfSeveralNodesIsThatOfTheirCards) {
  EXPECT_DOUBLE_EQ(least(CollectiveKind::all_reduce, {8, 4}), 0.025);
  // Each of the 4 members sends half of its bytes to the other node.
  EXPECT_DOUBLE_EQ(least(CollectiveKind::all_to_all, {8, 4}), 0.05);
  EXPECT_DOUBLE_EQ(least(CollectiveKind::all_gather, {2, 1}, "plain", 1), 0.05)
      << "a member has a whole card";
  EXPECT_DOUBLE_EQ(library("plain", 1).send_cost(gb, false).least_seconds, 0.1);
}

TEST(LeastTime, IsHalfWhereSwitchesReduce) {
  EXPECT_DOUBLE_EQ(least(CollectiveKind::all_reduce, {4, 4}, "switched"), 0.0075);
  EXPECT_DOUBLE_EQ(least(CollectiveKind::all_gather, {4, 4}, "switched"), 0.0075);
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
