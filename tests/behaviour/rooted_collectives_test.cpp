// Broadcast, reduce, gather, scatter and barrier on whole machines: when they end, against closed forms.
#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <string>

#include "support/ids.hpp"
#include "support/trace_runs.hpp"

namespace orrery::core::test::rooted_collectives_test {
namespace {

using chakra::CommType;
constexpr Algorithm ring = &ring_algorithm, tree = &tree_algorithm, direct = &direct_algorithm;

// Times on switched_machine(), in ns:
constexpr std::int64_t d = 10;  // endpoint delay
constexpr std::int64_t h(std::int64_t bytes) {
  return 2 * 100 + bytes;  // a message
}
constexpr std::int64_t r(std::int64_t bytes) {
  return 3 * (bytes / 2);  // a reduction
}

Recording run_one(const TraceMachine& machine, const TracedCollective& collective) {
  return simulate_traces(
      std::vector<RankTrace>(static_cast<std::size_t>(machine.topology.npus()), trace_of({collective})),
      machine);
}

std::int64_t finish_ns(const Recording& recording, std::uint32_t rank) {
  EXPECT_EQ(recording.finish_of(RankId(rank)).ps() % 1000, 0);
  return recording.finish_of(RankId(rank)).ps() / 1000;
}

std::int64_t last_ns(const Recording& recording) {
  std::int64_t last = 0;
  for (std::uint32_t rank = 0; rank < recording.finish.size(); ++rank)
    last = std::max(last, finish_ns(recording, rank));
  return last;
}

// Every message passes two links of a switch.
std::uint64_t bytes_in(const Recording& recording, int dimension) {
  std::uint64_t sum = 0;
  for (const LinkUse& link : recording.links)
    if (link.dimension == dimension) sum += link.links * link.load.bytes.count();
  return sum / 2;
}

struct Time1D {
  const char* name;
  CommType type;
  Algorithm algorithm;
  int npus, splits;
  std::uint64_t bytes;
  std::int64_t expected;  // ns, of the last rank
};

// A delay before each message and one behind the last reception; reductions behind every reception.
const Time1D times[] = {
    {"BroadcastRing", CommType::broadcast, ring, 4, 1, 1000, 3 * (d + h(1000)) + d},
    // Chunk k leaves the root when chunk k - 1 has been delivered, and so on down the chain.
    {"BroadcastRingInChunks", CommType::broadcast, ring, 4, 4, 1000, (3 + 3) * (d + h(250)) + d},
    {"BroadcastTree", CommType::broadcast, tree, 8, 1, 1000, 3 * (d + h(1000)) + d},
    // Rounds: as many as the next power of two has.
    {"BroadcastTreeOfFive", CommType::broadcast, tree, 5, 1, 1000, 3 * (d + h(1000)) + d},
    {"BroadcastDirect", CommType::broadcast, direct, 8, 1, 1000, d + h(1000) + d},
    {"ReduceRing", CommType::reduce, ring, 4, 1, 1000, d + 3 * (h(1000) + d + r(1000))},
    {"ReduceTree", CommType::reduce, tree, 8, 1, 1000, d + 3 * (h(1000) + d + r(1000))},
    // 5 is below 4, and 6 = 4 + 2 and 3 = 2 + 1 are no further from the root.
    {"ReduceTreeOfSeven", CommType::reduce, tree, 7, 1, 1000, d + 2 * (h(1000) + d + r(1000))},
    {"ReduceDirect", CommType::reduce, direct, 8, 1, 1000, d + h(1000) + d + r(1000)},
    {"GatherRing", CommType::gather, ring, 4, 1, 100, d + h(100) + d + h(200) + d + h(300) + d},
    {"GatherTree", CommType::gather, tree, 8, 1, 100, d + h(100) + d + h(200) + d + h(400) + d},
    {"GatherDirect", CommType::gather, direct, 8, 1, 100, d + h(100) + d},
    {"ScatterRing", CommType::scatter, ring, 4, 1, 400, d + h(300) + d + h(200) + d + h(100) + d},
    {"ScatterTree", CommType::scatter, tree, 8, 1, 800, d + h(400) + d + h(200) + d + h(100) + d},
    // The share of position 4 passes nobody else on.
    {"ScatterTreeOfFive", CommType::scatter, tree, 5, 1, 500, d + h(100) + d + h(200) + d + h(100) + d},
    {"ScatterDirect", CommType::scatter, direct, 8, 1, 800, d + h(100) + d},
    {"BarrierRing", CommType::barrier, ring, 4, 1, 0, (2 * 4 - 1) * (d + h(8)) + d},
    {"BarrierTree", CommType::barrier, tree, 8, 1, 0, 2 * 3 * (d + h(8)) + d},
    {"BarrierDirect", CommType::barrier, direct, 8, 1, 0, d + h(8) + d},
    {"BarrierIsNotCut", CommType::barrier, direct, 8, 5, 1 << 20, d + h(8) + d},
};

class RootedTimes : public testing::TestWithParam<Time1D> {};

TEST_P(RootedTimes, AreTheClosedForm) {
  const Time1D& one = GetParam();
  TraceMachine machine = switched_machine({one.npus}, one.algorithm);
  machine.system.chunks = one.splits;
  for (std::uint32_t root = 0; root < static_cast<std::uint32_t>(one.npus); ++root)
    EXPECT_EQ(last_ns(run_one(machine, {.type = one.type, .bytes = one.bytes, .root = root})), one.expected)
        << "root " << root;
}

INSTANTIATE_TEST_SUITE_P(Cases, RootedTimes, testing::ValuesIn(times),
                         [](const auto& instance) { return instance.param.name; });

TEST(RootedCollectives, AMemberLeavesWhenItsPartIsDone) {
  const TraceMachine machine = switched_machine({4}, ring);
  const Recording broadcast = run_one(machine, {.type = CommType::broadcast, .bytes = 1000, .root = 2});
  EXPECT_EQ(finish_ns(broadcast, 2), d + h(1000));
  EXPECT_EQ(finish_ns(broadcast, 3), 2 * (d + h(1000)));
  EXPECT_EQ(finish_ns(broadcast, 1), 3 * (d + h(1000)) + d);
  const Recording reduce = run_one(machine, {.type = CommType::reduce, .bytes = 1000, .root = 2});
  EXPECT_EQ(finish_ns(reduce, 1), d + h(1000));  // the end of the chain
}

TEST(RootedCollectives, TheFirstMemberIsTheRootUnlessOneIsNamed) {
  const Recording broadcast =
      run_one(switched_machine({4}, ring), {.type = CommType::broadcast, .bytes = 1000});
  EXPECT_EQ(broadcast.finish_order, ids<RankId>({0, 1, 2, 3}));
}

TEST(RootedCollectives, ReductionsCostNothingWithoutAMemoryBandwidth) {
  TraceMachine machine = switched_machine({4}, ring);
  machine.system.memory_gb_per_s = 0;
  EXPECT_EQ(last_ns(run_one(machine, {.type = CommType::reduce, .bytes = 1000})), d + 3 * (h(1000) + d));
}

TEST(RootedCollectives, SizesAreCutAsThoseOfOtherCollectives) {
  TraceMachine machine = switched_machine({4}, direct);
  // Two chunks of at least as many bytes as there are NPUs, one after the other.
  machine.system.chunks = 2;
  EXPECT_EQ(last_ns(run_one(machine, {.type = CommType::scatter, .bytes = 0})), 2 * (d + h(1)) + d);
  EXPECT_EQ(last_ns(run_one(machine, {.type = CommType::broadcast, .bytes = 3})), 2 * (d + h(4)) + d);
  EXPECT_EQ(last_ns(run_one(machine, {.type = CommType::gather, .bytes = 2})), 2 * (d + h(1)) + d);
  EXPECT_THROW(run_one(machine, {.type = CommType::gather, .bytes = 1}), InputError);
}

TEST(RootedCollectives, TheMemoryBusTakesThePlaceOfTheEndpointDelay) {
  TraceMachine machine = switched_machine({2}, ring);
  machine.system.endpoint_delay = Time::from_ns(1'000'000);
  machine.system.shared_bus = SharedBusConfig{1000, 0, 0, 0, 1};
  const std::int64_t last = last_ns(run_one(machine, {.type = CommType::broadcast, .bytes = 1000}));
  EXPECT_GT(last, h(1000) + 2 * 1000);
  EXPECT_LT(last, 1'000'000);
}

// Two dimensions of 4 and 2; the outer one is slower.
class RootedInTwoDimensions : public testing::TestWithParam<std::uint32_t> {
 protected:
  RootedInTwoDimensions() {
    machine.topology.dimensions[1].link_bandwidth = Bandwidth::from_gb_per_s(0.5);
    machine.topology.dimensions[1].link_latency_ns = 400;
  }
  static constexpr std::int64_t outer(std::int64_t bytes) { return 2 * 400 + 2 * bytes; }
  TraceMachine machine = switched_machine({4, 2}, direct);
};

TEST_P(RootedInTwoDimensions, BroadcastUsesTheOuterOneOnce) {
  const auto done = run_one(machine, {.type = CommType::broadcast, .bytes = 800, .root = GetParam()});
  EXPECT_EQ(last_ns(done), d + outer(800) + d + d + h(800) + d);
  EXPECT_EQ(bytes_in(done, 0), 2u * 3 * 800);
  EXPECT_EQ(bytes_in(done, 1), 800u);
}

TEST_P(RootedInTwoDimensions, ReduceMirrorsBroadcast) {
  const auto done = run_one(machine, {.type = CommType::reduce, .bytes = 800, .root = GetParam()});
  EXPECT_EQ(last_ns(done), d + h(800) + d + r(800) + d + outer(800) + d + r(800));
  EXPECT_EQ(bytes_in(done, 0), 2u * 3 * 800);
  EXPECT_EQ(bytes_in(done, 1), 800u);
}

TEST_P(RootedInTwoDimensions, ScatterSpreadsOverTheOuterLinks) {
  const auto done = run_one(machine, {.type = CommType::scatter, .bytes = 800, .root = GetParam()});
  EXPECT_EQ(last_ns(done), d + h(200) + d + d + outer(100) + d);
  EXPECT_EQ(bytes_in(done, 0), 3u * 200);
  EXPECT_EQ(bytes_in(done, 1), 4u * 100);
  for (const LinkUse& link : done.links)
    EXPECT_LE(link.load.bytes.count(), link.dimension == 0 ? 600u : 100u);
}

TEST_P(RootedInTwoDimensions, GatherMirrorsScatter) {
  const auto done = run_one(machine, {.type = CommType::gather, .bytes = 100, .root = GetParam()});
  EXPECT_EQ(last_ns(done), d + outer(100) + d + d + h(200) + d);
  EXPECT_EQ(bytes_in(done, 0), 3u * 200);
  EXPECT_EQ(bytes_in(done, 1), 4u * 100);
}

TEST_P(RootedInTwoDimensions, BarrierGoesThroughOneAfterTheOther) {
  const auto done = run_one(machine, {.type = CommType::barrier, .root = GetParam()});
  EXPECT_EQ(last_ns(done), d + h(8) + d + d + outer(8) + d);
}

TEST_P(RootedInTwoDimensions, EachDimensionHasItsOwnAlgorithm) {
  use_for_rooted(machine, {{ring}, {direct}});
  const auto done = run_one(machine, {.type = CommType::broadcast, .bytes = 800, .root = GetParam()});
  EXPECT_EQ(last_ns(done), d + outer(800) + d + 3 * (d + h(800)) + d);
}

INSTANTIATE_TEST_SUITE_P(Roots, RootedInTwoDimensions, testing::Range(0u, 8u));

TEST(RootedCollectives, OnlyInvolvedDimensionsTakePart) {
  const TraceMachine machine = switched_machine({4, 2}, direct);
  const auto done =
      run_one(machine, {.type = CommType::broadcast, .bytes = 800, .dimensions = std::vector{false, true}});
  EXPECT_EQ(last_ns(done), d + h(800) + d);
  EXPECT_EQ(bytes_in(done, 0), 0u);
  EXPECT_EQ(bytes_in(done, 1), 4u * 800);
  for (std::uint32_t rank = 0; rank < 8; ++rank)  // the first of each pair is its root
    EXPECT_EQ(finish_ns(done, rank), d + h(800) + (rank < 4 ? 0 : d)) << rank;
}

// Ranks 5, 2 and 7 of eight; the others meet among themselves.
Recording run_in_group(TraceMachine machine, TracedCollective collective) {
  machine.rules.groups = {{1, {5, 2, 7}}, {2, {0, 1, 3, 4, 6}}};
  std::vector<RankTrace> traces(8, trace_of({{.type = CommType::barrier, .group = "2"}}));
  collective.group = "1";
  for (const std::size_t rank : {5, 2, 7}) traces[rank] = trace_of({collective});
  return simulate_traces(traces, machine);
}

TEST(RootedCollectives, GroupsAreChainsInTheirOrder) {
  TraceMachine machine = switched_machine({4, 2}, ring);
  machine.system.endpoint_delay = Time::from_ns(77);  // groups do not pay it
  const auto named = run_in_group(machine, {.type = CommType::broadcast, .bytes = 800, .root = 2});
  EXPECT_EQ(finish_ns(named, 2), d + h(800));
  EXPECT_EQ(finish_ns(named, 7), 2 * (d + h(800)));
  EXPECT_EQ(finish_ns(named, 5), 2 * (d + h(800)) + d);
  const auto first = run_in_group(machine, {.type = CommType::broadcast, .bytes = 800});
  EXPECT_EQ(finish_ns(first, 5), d + h(800));
  // Words that differ leave groups the ring, one word is theirs too.
  use_for_rooted(machine, {{tree}, {direct}});
  EXPECT_EQ(finish_ns(run_in_group(machine, {.type = CommType::broadcast, .bytes = 800}), 7),
            2 * (d + h(800)) + d);
  use_for_rooted(machine, {{direct}, {direct}});
  EXPECT_EQ(finish_ns(run_in_group(machine, {.type = CommType::broadcast, .bytes = 800}), 7), d + h(800) + d);
}

TEST(RootedCollectives, AGroupOfOneIsDoneAtOnce) {
  TraceMachine machine = switched_machine({2}, tree);
  machine.rules.groups = {{1, {0}}, {2, {1}}};
  for (const CommType type :
       {CommType::broadcast, CommType::reduce, CommType::gather, CommType::scatter, CommType::barrier}) {
    const auto done =
        simulate_traces({trace_of({{type, 800, 0, "1"}}), trace_of({{type, 800, 1, "2"}})}, machine);
    EXPECT_EQ(last_ns(done), 0);
    EXPECT_EQ(done.messages, 0u);
  }
}

// The ring turns the other way in the upper half of the queues of dimension 0. So all ranks have to count
// alike, also those that had no part in the scatter's first phase.
TEST(RootedCollectives, ARingOfTheMachineBehindThemTurnsOneWay) {
  TraceMachine machine = switched_machine({3, 3}, ring);
  machine.system.queues_per_dimension = 2;
  machine.system.algorithms.fill({AlgorithmChoice{&ring_algorithm, 0, true}});
  const RankTrace trace = trace_of({{.type = CommType::scatter, .bytes = 900, .root = 4},
                                    {.type = CommType::reduce_scatter, .bytes = 900}});
  EXPECT_NO_THROW(simulate_traces(std::vector<RankTrace>(9, trace), machine));
}

std::string error_of(const TracedCollective& rank_0, const TracedCollective& rank_1) {
  try {
    simulate_traces({trace_of({rank_0}), trace_of({rank_1})}, switched_machine({2}, ring));
  } catch (const InputError& error) {
    return error.what();
  }
  return "";
}

TEST(RootedCollectives, MembersHaveToAgree) {
  const TracedCollective one{.type = CommType::broadcast, .bytes = 800, .root = 1};
  EXPECT_EQ(error_of(one, one), "");
  TracedCollective other = one;
  other.root = 0;
  EXPECT_NE(error_of(one, other)
                .find("node 1 is a broadcast of 800 bytes with root 0, where rank 0 has a "
                      "broadcast of 800 bytes with root 1"),
            std::string::npos);
  other = one;
  other.bytes = 801;
  EXPECT_NE(error_of(one, other).find("801"), std::string::npos);
  other = one;
  other.type = CommType::reduce;
  EXPECT_NE(error_of(one, other).find("is a reduce of"), std::string::npos);
}

TEST(RootedCollectives, AProgramOfTheUserStaysWithinItsGroup) {
  TraceMachine machine = switched_machine({4}, ring);
  MemberProgram program;
  program.steps = {{MemberProgram::Kind::send, 4, Bytes(8), 0, {}}};
  program.children = {{0, 0}, {}};
  program.parents = {0};
  machine.algorithms.push_back(std::make_shared<CustomAlgorithm>(4, program));
  machine.rules.algorithm_of_node[1] = 1;
  try {
    run_one(machine, {.type = CommType::broadcast, .bytes = 800});
    FAIL();
  } catch (const InputError& error) {
    EXPECT_NE(std::string(error.what()).find("runs a custom algorithm that names position 4 among 4 ranks"),
              std::string::npos);
  }
}

TEST(RootedCollectives, AReduceScatterBlockIsAReduceScatter) {
  TraceMachine machine = switched_machine({4}, tree);
  machine.system.algorithms.fill({AlgorithmChoice{}});
  machine.rules.reduce_scatter_block = true;
  EXPECT_EQ(last_ns(run_one(machine, {.type = CommType::reduce_scatter_block, .bytes = 4000})),
            last_ns(run_one(machine, {.type = CommType::reduce_scatter, .bytes = 4000})));
}

}  // namespace
}  // namespace orrery::core::test::rooted_collectives_test
