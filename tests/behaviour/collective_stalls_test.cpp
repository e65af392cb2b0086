// Collectives that cannot end because a rank does not take part. No layer table makes such a run, so the
// engines are driven by hand.
#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <vector>

#include "collective/collective_engine.hpp"
#include "collective/messages/message_engine.hpp"
#include "network/analytical/analytical_network.hpp"
#include "support/one_collective.hpp"

namespace orrery::core::test::collective_stalls_test {
namespace {

constexpr int ranks = 4;

struct NobodyListens final : CollectiveListener {
  void collective_completed(ClassId, std::uint32_t) override {}
};

Machine ring_of_four(const Dialect& dialect, AlgorithmChoice algorithm = {}) {
  Machine machine = make_machine({make_dimension(Block::ring, ranks, 2, Bandwidth::from_gib_per_s(1), 100)},
                                 {algorithm}, dialect);
  machine.system.chunks = 2;
  return machine;
}

// Returns what an all-reduce of 4000 bytes in two chunks waits for when only these ranks have issued it.
std::vector<std::string> waiting(const Machine& machine, const std::vector<std::uint32_t>& issuers,
                                 bool in_step = false) {
  const AnalyticalNetwork network(machine.topology, machine.dialect);
  EventLoop loop(network.clock());
  RankTimers timers(loop, ranks);
  const RankClasses classes = RankClasses::all_distinct(ranks);
  NobodyListens nobody;
  const RankParts parts(classes);
  const std::vector<Communicator> world{{"world", logical_dimensions(machine.topology)}};
  CollectiveEngine engine(
      loop, timers, {machine.system, machine.dialect, machine.topology, world, network, machine.network},
      {classes, parts, true, in_step, false}, nobody);
  for (const std::uint32_t rank : issuers)
    EXPECT_EQ(
        engine.issue(ClassId(rank), 7, {CollectiveKind::all_reduce, Bytes(4000), ~DimensionSet(), false}, 0),
        Issued::later);
  loop.run({});
  std::vector<std::string> texts;
  for (const CollectiveEngine::Waiting& one : engine.waiting()) {
    EXPECT_EQ(one.token, 7u);
    texts.push_back(one.text);
  }
  return texts;
}

TEST(CollectiveStalls, ARankThatHasNotIssued) {
  EXPECT_EQ(waiting(ring_of_four(native_dialect), {0, 1, 3})[0],
            "chunk 1 of 2, phase 1 of 1: 3 of 4 ranks are there, rank 2 has not issued the collective");
  EXPECT_EQ(waiting(ring_of_four(astra_sim_1_dialect), {0, 1, 3})[0],
            "chunk 1 of 2, phase 1 of 1: 3 of 4 ranks are there, rank 2 has not issued the collective");
  EXPECT_TRUE(waiting(ring_of_four(native_dialect), {0, 1, 2, 3}).empty());
  EXPECT_TRUE(waiting(ring_of_four(astra_sim_1_dialect), {0, 1, 2, 3}).empty());
}

// In step, ranks start at once and wait for messages; the cause is the same.
TEST(CollectiveStalls, ARankThatHasNotIssuedInStep) {
  EXPECT_EQ(waiting(ring_of_four(astra_sim_1_dialect), {0, 1, 3}, true)[0],
            "chunk 1 of 2, phase 1 of 1: 3 of 4 ranks are there, rank 2 has not issued the collective");
}

struct PhasesEnd final : PhaseListener {
  void phase_ended(ClassId of_class, std::uint32_t) override { ended.push_back(of_class); }
  std::vector<ClassId> ended;
};

// Returns what the first of `starters` waits for in an all-reduce of 4000 bytes.
std::string waiting_for_messages(Algorithm algorithm, const std::vector<std::uint32_t>& starters) {
  const Machine machine = ring_of_four(native_dialect);
  const AnalyticalNetwork network(machine.topology, machine.dialect);
  EventLoop loop(network.clock());
  RankTimers timers(loop, ranks);
  PhasesEnd listener;
  const RankParts parts(RankClasses::all_distinct(ranks));
  MessageEngine engine(loop, timers, machine.system, machine.dialect, network, parts, 1, listener);
  PhaseShape shape;
  shape.group = logical_dimensions(machine.topology)[0];
  PhaseRequest request;
  request.kind = CollectiveKind::all_reduce;
  request.input = Bytes(4000);
  request.members = ranks;
  shape.schedule = algorithm->make(request);
  const PhaseEngine::RunId run = engine.open(0, shape, 0, 0);
  for (const std::uint32_t rank : starters) engine.start(run, ClassId(rank), 0);
  loop.run({});
  EXPECT_TRUE(listener.ended.empty());
  return engine.waiting(run, ClassId(starters[0]));
}

TEST(CollectiveStalls, MessagesThatDoNotCome) {
  EXPECT_EQ(waiting_for_messages(&ring_algorithm, {0}),
            "has sent 1 and received 0 of 6 messages and waits for 1000 bytes from rank 3");
  EXPECT_EQ(waiting_for_messages(&ring_algorithm, {0, 2, 3}),
            "has sent 3 and received 2 of 6 messages and waits for 1000 bytes from rank 3");
  EXPECT_EQ(waiting_for_messages(&halving_doubling_algorithm, {0, 1}),
            "has sent 2 and received 1 of 4 messages and waits for 1000 bytes from rank 2");
}

TEST(CollectiveStalls, TreesThatMissAMember) {
  for (const std::uint32_t rank : {0u, 1u, 2u, 3u}) {
    const std::string text = waiting_for_messages(&double_binary_tree_algorithm, {rank});
    EXPECT_EQ(text.rfind("waits for 4000 bytes from rank ", 0), 0u) << text;
  }
}

}  // namespace
}  // namespace orrery::core::test::collective_stalls_test
