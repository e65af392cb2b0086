#include "collective/library/collective_library.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include <fmt/format.h>

#include "collective/library/library_file.hpp"
#include "collective/plan/collective_words.hpp"

namespace orrery::core::collective_library_test {
namespace {

constexpr double mib = 1 << 20;
constexpr double tib = mib * mib;

// Numbers that are easy to reckon with: 100 GB/s inside a node, a card of 10 GB/s per GPU between nodes.
constexpr auto round_numbers = R"(
name: round
launch: 10 us
send-launch: 5 us
tree-efficiency: 0.5
pairwise-inside: 0.8
pairwise-between: 0.5
protocols:
  ll128: {latency: 0.5, bandwidth: 0.5}
  ll: {launch: 0.5, step: 1 us, hop: 10 us, growth: 0.5, bandwidth: 0.1}
inside:
  plain: {bandwidth: 200 GB/s, efficiency: 0.5, step: 10 us}
  copying: {bandwidth: 100 GB/s, copy-steps: 1}
  switched: {bandwidth: 100 GB/s, switch-efficiency: 0.9, switch-latency: 20 us}
  shared: {bandwidth: 100 GB/s, ring-shares: [0.1, 0.5]}
  prompt: {bandwidth: 100 GB/s, launch: 4 us}
between:
  cards: {bandwidth: 10 GB/s, step: 100 us, short-step: 50 us}
  slow: {bandwidth: 10 GB/s, step: 100 us, short-step: 50 us, ll-step: 40 us}
  sharp: {bandwidth: 10 GB/s, step: 100 us, short-step: 50 us, switch-efficiency: 0.8}
)";

CollectiveLibrary round_library(const ClusterLinks& links) {
  return CollectiveLibrary(read_library_file(round_numbers, "round.yaml"), links, {"here"});
}

double us(double seconds) {
  return seconds * 1e6;
}

TEST(CollectiveLibrary, ARingInsideANodeIsLatencyAndBytes) {
  const auto library = round_library({"plain", "", 8, 0});
  // 6 steps, 1.5 GB over each link
  const auto cost = library.cost(CollectiveKind::all_reduce, 1e9, {4, 4});
  EXPECT_NEAR(us(cost.seconds), 10 + 60 + 15000, 1e-6);
  EXPECT_EQ(cost.algorithm, LibraryAlgorithm::ring);
  EXPECT_EQ(cost.protocol, Protocol::simple);
  EXPECT_NEAR(us(library.seconds(CollectiveKind::all_gather, 1e9, {4, 4})), 10 + 30 + 7500, 1e-6);
  EXPECT_NEAR(us(library.seconds(CollectiveKind::reduce_scatter, 1e9, {4, 4})), 10 + 30 + 7500, 1e-6);
  EXPECT_NEAR(us(library.seconds(CollectiveKind::all_to_all, 1e9, {4, 4})), 10 + 30 + 7500 / 0.8, 1e-6);
  EXPECT_NEAR(us(library.seconds(CollectiveKind::broadcast, 1e9, {4, 4})), 10 + 30 + 10000, 1e-6);
  EXPECT_NEAR(us(library.send_seconds(1e9, true)), 5 + 1.5 + 10000, 1e-4);  // a step of LL that is full
}

// 10 us of launch, 6 steps of 10 us, and bytes.
TEST(CollectiveLibrary, TermsAddUp) {
  const auto plain = round_library({"plain", "", 8, 0});
  const CollectiveTerms terms = plain.terms(CollectiveKind::all_reduce, 1e9, {4, 4});
  EXPECT_NEAR(us(terms.launch_seconds), 10, 1e-9);
  EXPECT_NEAR(us(terms.step_seconds), 60, 1e-6);
  EXPECT_NEAR(us(terms.byte_seconds), 15000, 1e-6);
  EXPECT_FALSE(terms.between);
  const auto cluster = round_library({"plain", "cards", 8, 0});
  EXPECT_TRUE(cluster.terms(CollectiveKind::all_reduce, 1e9, {16, 8}).between);
  EXPECT_EQ(cluster.terms(CollectiveKind::all_reduce, 1e9, {1, 1}).cost.seconds, 0);
  for (const GroupPlacement group : {GroupPlacement{8, 8}, GroupPlacement{32, 8}, GroupPlacement{4, 1}})
    for (const CollectiveKind kind : {CollectiveKind::all_reduce, CollectiveKind::all_gather,
                                      CollectiveKind::all_to_all, CollectiveKind::broadcast})
      for (double bytes = 1; bytes < 1e11; bytes *= 3) {
        const CollectiveTerms one = cluster.terms(kind, bytes, group);
        EXPECT_EQ(one.cost.seconds, cluster.seconds(kind, bytes, group));
        EXPECT_NEAR(one.launch_seconds + one.hop_seconds + one.step_seconds + one.byte_seconds,
                    one.cost.seconds, 1e-9 * one.cost.seconds);
        EXPECT_GE(one.step_seconds, -1e-12);
        EXPECT_GT(one.byte_seconds, 0);
      }
}

TEST(CollectiveLibrary, ShortMessagesTakeTheProtocolsOfLessLatency) {
  const auto library = round_library({"plain", "", 8, 0});
  const auto ll = library.cost(CollectiveKind::all_reduce, 1, {4, 4});
  EXPECT_EQ(ll.protocol, Protocol::ll);
  EXPECT_NEAR(us(ll.seconds), 5 + 6, 0.01);
  // 30 us of latency hide 15 us of bytes at half of the bandwidth
  const auto ll128 = library.cost(CollectiveKind::all_reduce, 5e5, {4, 4});
  EXPECT_EQ(ll128.protocol, Protocol::ll128);
  EXPECT_NEAR(us(ll128.seconds), 10 + 30, 1e-6);
}

// Half of the launch, steps of 1 us inside a node and of 10 us between nodes. A step takes a quarter more
// with the 4 KiB that the threads of a channel send at a time, and half more with very many.
TEST(CollectiveLibrary, StepsOfLlTakeTheSameTimeOnAllLinks) {
  const auto cluster = round_library({"plain", "cards", 4, 0});
  const GroupPlacement four_nodes{16, 4};
  const auto tree = cluster.cost(CollectiveKind::all_reduce, 1, four_nodes);
  EXPECT_EQ(tree.algorithm, LibraryAlgorithm::tree);
  EXPECT_EQ(tree.protocol, Protocol::ll);
  EXPECT_NEAR(us(tree.seconds), 5 + 6 * 1 + 4 * 10, 0.02);
  const double full = us(cluster.seconds(CollectiveKind::all_reduce, 4096, four_nodes));
  const double bytes = 2 * 4096 / 40e3 * 10;  // from node to node, at a tenth of 40 GB/s
  EXPECT_NEAR(full, 5 + (6 * 1 + 4 * 10) * 1.25 + bytes, 1e-6);
  // a node more takes two steps between nodes more, on slow cards too
  const auto slow = round_library({"plain", "slow", 4, 0});
  EXPECT_NEAR(us(slow.seconds(CollectiveKind::all_reduce, 1, four_nodes)), 5 + 6 * 1 + 4 * 40, 0.1);
  EXPECT_NEAR(us(cluster.seconds(CollectiveKind::barrier, 0, {8, 4})), 5 + 6 * 1 + 2 * 10, 0.02);
  EXPECT_NEAR(us(cluster.send_seconds(1, false)), 5 + 10, 0.01);
}

// A hop is 10 us, and 7 us more where the receiver is asked; a full LL takes 1 + 0.5 / 3 times as long.
TEST(CollectiveLibrary, LongerCollectivesAskTheReceiver) {
  const auto plain = round_library({"plain", "cards", 4, 0});
  const LinkChoice asks(parse_yaml("{ base: cards, rendezvous: 7 us, eager: 2 KiB }", "links"));
  const auto asking = round_library({"plain", asks, 4, 0});
  const GroupPlacement two_nodes{8, 4};
  const double eager = 2048, longer = 3 * eager;
  EXPECT_EQ(asking.seconds(CollectiveKind::all_reduce, eager, two_nodes),
            plain.seconds(CollectiveKind::all_reduce, eager, two_nodes));
  EXPECT_NEAR(us(asking.seconds(CollectiveKind::all_reduce, longer, two_nodes) -
                 plain.seconds(CollectiveKind::all_reduce, longer, two_nodes)),
              2 * 7 * (1 + 0.5 * longer / (longer + 4096)), 1e-6);
  EXPECT_NEAR(us(asking.send_seconds(2 * eager, false) - plain.send_seconds(2 * eager, false)),
              7 * 0.5 * (1 + 0.5 * 4096 / (4096 + 4096)), 1e-6);
  EXPECT_NEAR(us(asking.send_seconds(longer, false) - plain.send_seconds(longer, false)),
              7 * (1 + 0.5 * longer / (longer + 4096)), 1e-6);
}

// A link without latency, or with less than LL counts, has no more under LL.
TEST(CollectiveLibrary, LlHasNoMoreLatencyThanOtherProtocols) {
  const LibraryConstants constants = read_library_file(round_numbers, "round.yaml");
  const auto ideal = [](const char* bandwidth) {
    return LinkChoice(parse_yaml(fmt::format("{{ base: ideal, bandwidth: {} }}", bandwidth), "links"));
  };
  const CollectiveLibrary library(constants, {ideal("100 GB/s"), ideal("10 GB/s"), 4, 0}, {"here"});
  EXPECT_NEAR(us(library.seconds(CollectiveKind::all_reduce, 1, {16, 4})), 5, 0.01);
  EXPECT_NEAR(us(library.send_seconds(1, true)), 5, 0.01);
}

TEST(CollectiveLibrary, ManyPiecesFillTheChannelsOfLl128) {
  std::string text = round_numbers;
  text.replace(text.find("  ll: "), 0, "  ll128-full: {latency: 0.6, bandwidth: 0.9}\n");
  const LibraryConstants constants = read_library_file(text, "round.yaml");
  const CollectiveLibrary library(constants, {"plain", "cards", 8, 0}, {"here"});
  // 60 us of latency in simple steps, 15 us per MB: few stream, more fill, most are simple
  const auto few = library.cost(CollectiveKind::all_reduce, 1e6, {4, 4});
  EXPECT_NEAR(us(few.seconds), 10 + 30, 1e-6);
  const auto more = library.cost(CollectiveKind::all_reduce, 8e6, {4, 4});
  EXPECT_EQ(more.protocol, Protocol::ll128);
  EXPECT_NEAR(us(more.seconds), 10 + 36 + 120 / 0.9, 1e-6);
  EXPECT_EQ(library.cost(CollectiveKind::all_reduce, 1e9, {4, 4}).protocol, Protocol::simple);
  // but not on the way between nodes
  const CollectiveLibrary streaming(read_library_file(round_numbers, "round.yaml"), {"plain", "cards", 8, 0},
                                    {"here"});
  for (const double bytes : {1e5, 1e7, 1e9})
    EXPECT_EQ(library.seconds(CollectiveKind::all_reduce, bytes, {8, 4}),
              streaming.seconds(CollectiveKind::all_reduce, bytes, {8, 4}));
}

TEST(CollectiveLibrary, AStepWaitsForTheSlowestOfItsRing) {
  LibraryConstants constants = read_library_file(round_numbers, "round.yaml");
  constants.step_growth = 0.5;
  const CollectiveLibrary library(constants, {"plain", "", 16, 0}, {"here"});
  // 1 step, 7 steps, 15 steps of 10 us in a ring of 8
  EXPECT_NEAR(us(library.seconds(CollectiveKind::all_gather, 1e9, {2, 2})), 10 + 10 * 0.5 + 5000, 1e-6);
  EXPECT_NEAR(us(library.seconds(CollectiveKind::all_gather, 1e9, {8, 8})), 10 + 70 + 8750, 1e-6);
  EXPECT_NEAR(us(library.seconds(CollectiveKind::all_gather, 1e9, {16, 16})), 10 + 150 + 9375, 1e-6);
  EXPECT_NEAR(us(library.send_seconds(1e9, true)), 5 + 1.5 + 10000, 1e-4);
}

TEST(CollectiveLibrary, LinksMayHaveALaunchOfTheirOwn) {
  EXPECT_NEAR(us(round_library({"prompt", "", 8, 0}).seconds(CollectiveKind::all_gather, 1e9, {2, 2})),
              4 + 5000, 1e-6);
}

TEST(CollectiveLibrary, RingsTakePartInTheCopyOfTheResult) {
  const auto library = round_library({"copying", "", 8, 0});
  EXPECT_NEAR(us(library.seconds(CollectiveKind::all_reduce, 1e9, {2, 2})), 10 + 5000 * 3, 1e-6);
}

TEST(CollectiveLibrary, RingsFindAShareOfTheLinks) {
  const auto library = round_library({"shared", "", 8, 0});
  EXPECT_NEAR(us(library.seconds(CollectiveKind::all_gather, 1e9, {2, 2})), 10 + 50000, 1e-6);
  EXPECT_NEAR(us(library.seconds(CollectiveKind::all_gather, 1e9, {4, 4})), 10 + 15000, 1e-6);
}

TEST(CollectiveLibrary, SwitchesReduceInsideANode) {
  const auto library = round_library({"switched", "", 8, 0});
  const auto many = library.cost(CollectiveKind::all_reduce, 9e9, {8, 8});
  EXPECT_EQ(many.algorithm, LibraryAlgorithm::nvls);
  EXPECT_NEAR(us(many.seconds), 10 + 20 + 1e5 * 9 / 8, 1e-6);
  const auto two = library.cost(CollectiveKind::all_reduce, 9e9, {2, 2});  // half more bytes than a ring
  EXPECT_EQ(two.algorithm, LibraryAlgorithm::ring);
}

TEST(CollectiveLibrary, TreesSaveHopsAndRingsBytes) {
  const auto library = round_library({"plain", "cards", 4, 0});
  const GroupPlacement group{64, 4};
  const auto ring = library.cost(CollectiveKind::all_reduce, 8e9, group, LibraryAlgorithm::ring);
  // 40 GB/s between nodes; 2 * 15 hops, 2 * 16 * 3 steps
  EXPECT_NEAR(us(ring.seconds), 10 + 3000 + 960 + 4e5 * 63 / 64, 1e-3);
  const auto tree = library.cost(CollectiveKind::all_reduce, 8e9, group, LibraryAlgorithm::tree);
  EXPECT_NEAR(us(tree.seconds), 10 + 800 + 60 + 4e5, 1e-3);
  EXPECT_EQ(library.cost(CollectiveKind::all_reduce, mib, group).algorithm, LibraryAlgorithm::tree);
}

TEST(CollectiveLibrary, TwoNodesSendTheBytesOfATreeOnce) {
  const auto library = round_library({"plain", "cards", 4, 0});
  const auto cost = library.cost(CollectiveKind::all_reduce, 8e9, {2, 1}, LibraryAlgorithm::tree);
  EXPECT_NEAR(us(cost.seconds), 10 + 200 + 8e5, 1e-3);
}

TEST(CollectiveLibrary, SwitchesReduceBetweenNodes) {
  const auto library = round_library({"plain", "sharp", 4, 0});
  const auto cost = library.cost(CollectiveKind::all_reduce, 8e9, {64, 1});
  EXPECT_EQ(cost.algorithm, LibraryAlgorithm::sharp);
  EXPECT_NEAR(us(cost.seconds), 10 + 200 + 1e6, 1e-3);
}

TEST(CollectiveLibrary, MembersShareTheCardsOfANode) {
  const GroupPlacement one_each{8, 1}, four_each{32, 4};
  const auto one_per_gpu = round_library({"plain", "cards", 4, 0});
  const auto half = round_library({"plain", "cards", 4, 2});
  const auto seconds = [](const CollectiveLibrary& library, const GroupPlacement& group) {
    return library.seconds(CollectiveKind::all_gather, tib, group);
  };
  EXPECT_NEAR(seconds(half, one_each) / seconds(one_per_gpu, one_each), 2, 1e-3);
  EXPECT_NEAR(seconds(one_per_gpu, one_each) / seconds(one_per_gpu, four_each), 4 * (7.0 / 8) / (31.0 / 32),
              1e-2);
  EXPECT_NEAR(us(one_per_gpu.send_seconds(1e9, false)), 5 + 15 + 2e5, 1e-3);
}

TEST(CollectiveLibrary, AGroupOfOneTakesNoTime) {
  const auto cost = round_library({"plain", "", 8, 0}).cost(CollectiveKind::all_reduce, mib, {1, 1});
  EXPECT_EQ(cost.seconds, 0);
  EXPECT_FALSE(cost.algorithm);
}

std::string error_of(const ClusterLinks& links, const GroupPlacement& group,
                     std::optional<LibraryAlgorithm> only = {}) {
  try {
    round_library(links).cost(CollectiveKind::all_reduce, mib, group, only);
  } catch (const InputError& error) {
    return error.what();
  }
  return "no error";
}

TEST(CollectiveLibrary, Errors) {
  EXPECT_EQ(error_of({"plane", "", 8, 0}, {2, 2}),
            "here: error: there is no class of links inside nodes `plane`; you may mean `plain`, `shared` or "
            "`copying`, or give a bandwidth such as `50 GB/s`");
  EXPECT_EQ(
      error_of({"plain", "x", 8, 0}, {2, 2}),
      "here: error: there is no class of links between nodes `x`; use `slow`, `cards` or `sharp`, or give a "
      "bandwidth such as `50 GB/s`");
  EXPECT_EQ(error_of({"plain", "", 8, 0}, {16, 8}),
            "here: error: a group over 2 nodes needs a class of links between nodes, name one");
  EXPECT_EQ(error_of({"plain", "cards", 8, 0}, {12, 8}),
            "here: error: 12 members cannot be 8 in each node, take a divisor of the members");
  EXPECT_EQ(error_of({"plain", "cards", 8, 0}, {32, 16}),
            "here: error: 16 members in each node, but a node has 8 GPUs, take fewer");
  EXPECT_EQ(
      error_of({"plain", "", 8, 0}, {8, 8}, LibraryAlgorithm::nvls),
      "here: error: there is no `nvls` for all-reduce of 8 members in 1 nodes on plain, leave the algorithm "
      "to the library");
}

// Tests what is true of every library that comes with the program, on all of its links.
class LibraryLaws : public testing::TestWithParam<std::string> {
 protected:
  template <class Check>
  void for_each_curve(const Check& check) const {
    const LibraryConstants constants = find_library_constants(GetParam(), {}, no_files());
    for (const InsideLink& inside : constants.inside)
      for (const BetweenLink& between : constants.between)
        for (const GroupPlacement group :
             {GroupPlacement{2, 2}, {4, 4}, {8, 8}, {2, 1}, {16, 8}, {64, 1}, {4096, 8}})
          for (const auto& [word, kind] : collective_kind_words) {
            SCOPED_TRACE(testing::Message() << inside.name << " " << between.name << " " << word << " of "
                                            << group.members << " with " << group.per_node);
            check(CollectiveLibrary(constants, {inside.name, between.name, 8, 0}, {}), kind, group, inside,
                  between);
          }
  }
};

// This also holds where the quickest algorithm changes.
TEST_P(LibraryLaws, TimesGrowWithBytesWithoutJumps) {
  for_each_curve([](const CollectiveLibrary& library, CollectiveKind kind, const GroupPlacement& group,
                    const InsideLink&, const BetweenLink&) {
    double last = library.seconds(kind, 1, group);
    for (double bytes = 1; bytes < tib; bytes *= 1.05) {
      const double seconds = library.seconds(kind, bytes, group);
      ASSERT_GE(seconds, last) << bytes;
      ASSERT_LE(seconds, last * 1.0501) << bytes;
      last = seconds;
    }
  });
}

TEST_P(LibraryLaws, NothingTakesTheLatencyAlone) {
  for_each_curve([](const CollectiveLibrary& library, CollectiveKind kind, const GroupPlacement& group,
                    const InsideLink&, const BetweenLink&) {
    const LibraryConstants& constants = library.constants();
    const double least = library.seconds(kind, 0, group);
    ASSERT_GE(least, constants.launch_seconds * constants[Protocol::ll].launch);
    ASSERT_NEAR(library.seconds(kind, 1, group), least, 1e-8 + 2e-4 * least);
  });
}

// Every byte passes a link at least once, at no more than the nominal bandwidth.
TEST_P(LibraryLaws, LargeTensorsTakeABandwidthTheLinksHave) {
  for_each_curve([](const CollectiveLibrary& library, CollectiveKind kind, const GroupPlacement& group,
                    const InsideLink& inside, const BetweenLink& between) {
    const double seconds = library.seconds(kind, 1024 * tib, group);
    const double rate = 1024 * tib / seconds;
    const double n = group.members;
    if (kind == CollectiveKind::barrier) {
      ASSERT_EQ(seconds, library.seconds(kind, 0, group)) << "it has no bytes";
      return;
    }
    ASSERT_NEAR(library.seconds(kind, 2048 * tib, group) / seconds, 2, 0.01);
    const double once = kind == CollectiveKind::all_reduce ? 1 : (n - 1) / n;  // of the bytes, over a link
    if (group.nodes() == 1) {
      ASSERT_LE(rate * once, inside.bandwidth * 1.001);
    } else {
      ASSERT_LE(rate * (n - group.per_node) / n, group.per_node * between.bandwidth * 1.001);
    }
  });
}

INSTANTIATE_TEST_SUITE_P(Libraries, LibraryLaws, testing::Values("nccl", "ideal"),
                         [](const auto& library) { return library.param; });

TEST(CollectiveLibrary, LinksMayBeABandwidth) {
  const CollectiveLibrary library =
      find_collective_library("ideal", {"400 GB/s", "50 GB/s", 8, 0}, {}, no_files());
  const double bytes = 8e9;
  EXPECT_DOUBLE_EQ(library.seconds(CollectiveKind::all_reduce, bytes, {8, 8}), 2 * bytes * 7 / 8 / 400e9);
  EXPECT_DOUBLE_EQ(library.seconds(CollectiveKind::all_gather, bytes, {4, 1}), bytes * 3 / 4 / 50e9);
  EXPECT_THROW(find_collective_library("ideal", {"400 GB", "", 8, 0}, {}, no_files()), InputError);
}

TEST(CollectiveLibrary, IdealIsNeverSlowerThanRealRings) {
  for (const char* link : {"nvlink3", "nvlink4", "nvlink5"}) {
    const ClusterLinks links{link, "ib-ndr", 8, 0};
    const auto ideal = find_collective_library("ideal", links, {}, no_files()),
               real = find_collective_library("nccl", links, {}, no_files());
    for (double bytes = 1; bytes < tib; bytes *= 4)
      for (const GroupPlacement group : {GroupPlacement{8, 8}, {64, 8}})
        EXPECT_LE(ideal.seconds(CollectiveKind::all_gather, bytes, group),
                  real.seconds(CollectiveKind::all_gather, bytes, group));
  }
}

}  // namespace
}  // namespace orrery::core::collective_library_test
