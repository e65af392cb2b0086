// These laws hold for every run of rooted collectives: it ends, there are as many messages as the algorithm
// sends, and nobody leaves before those on whom it depends have entered. ORRERY_TEST_LONG=1 tries many more.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <map>
#include <utility>

#include "base/random.hpp"
#include "program/graph_builder.hpp"
#include "support/one_collective.hpp"
#include "support/trace_runs.hpp"

namespace orrery::core::test::rooted_collectives_test {
namespace {

using chakra::CommType;

constexpr CommType types[] = {CommType::broadcast, CommType::reduce, CommType::gather, CommType::scatter,
                              CommType::barrier};
constexpr CollectiveKind kinds[] = {CollectiveKind::broadcast, CollectiveKind::reduce, CollectiveKind::gather,
                                    CollectiveKind::scatter, CollectiveKind::barrier};
constexpr Algorithm algorithms[] = {&ring_algorithm, &tree_algorithm, &direct_algorithm};

std::uint64_t messages_of(CommType type, Algorithm algorithm, std::uint64_t n) {
  if (n == 1) return 0;
  if (type != CommType::barrier) return n - 1;
  if (algorithm == &ring_algorithm) return 2 * n - 1;
  return algorithm == &tree_algorithm ? 2 * (n - 1) : n * (n - 1);
}

TEST(RootedCollectivesProperty, AllEndFromEveryRootOnBothNetworks) {
  for (const Algorithm algorithm : algorithms) {
    for (int n = 1; n <= 17; ++n) {
      TraceMachine machine = switched_machine({n}, algorithm);
      for (const NetworkModel network : {&analytical_model, &link_model, &fluid_model}) {
        machine.network.model = network;
        for (const CommType type : types) {
          for (int root = 0; root < n; ++root) {
            const TracedCollective one{.type = type, .bytes = 1000, .root = static_cast<std::uint32_t>(root)};
            const auto done = simulate_traces(
                std::vector<RankTrace>(static_cast<std::size_t>(n), trace_of({one})), machine);
            ASSERT_EQ(done.messages, messages_of(type, algorithm, static_cast<std::uint64_t>(n)))
                << "type " << static_cast<int>(type) << ", algorithm " << algorithm->name << ", " << n
                << " ranks, root " << root;
          }
        }
      }
    }
  }
}

GraphBuilder graph_of(CollectiveKind kind, Bytes size, std::uint32_t root) {
  GraphBuilder graph;
  graph.wait_for(graph.beside(
      {.kind = OperationKind::collective,
       .collective = {.kind = kind, .size = size, .dimensions = DimensionSet().set(), .root = root}}));
  return graph;
}

// The collectives run on one dimension, where groups need not meet before each phase. Messages of a chain
// never meet, so that it takes the same time on both networks; those of trees may meet.
TEST(RootedCollectivesProperty, ALayerTableRunsThemAsATraceDoes) {
  for (const Algorithm algorithm : algorithms) {
    for (const int n : {2, 3, 5, 8}) {
      TraceMachine of_trace = switched_machine({n}, algorithm);
      of_trace.system.memory_gb_per_s = 0;
      of_trace.dialect = native_dialect;
      Machine machine = make_machine(of_trace.topology.dimensions, {{algorithm}}, native_dialect);
      for (int i = 0; i < static_cast<int>(std::size(types)) * n; ++i) {
        const CollectiveKind kind = kinds[i / n];
        const auto root = static_cast<std::uint32_t>(i % n);  // without a meaning for barriers
        const TracedCollective one{
            .type = types[i / n], .bytes = 1000 * static_cast<std::uint64_t>(n), .root = root};
        const Program program = on_all_ranks(graph_of(kind, Bytes(one.bytes), root).end(), machine.topology);
        for (const auto& [word, model] : network_model_words) {
          if (model == &packet_model) continue;  // which needs a graph
          if (model == &analytical_model && algorithm != &ring_algorithm) continue;
          machine.network.model = model;
          of_trace.network.model = model->carries_collectives ? model : &link_model;
          const auto traced =
              simulate_traces(std::vector<RankTrace>(static_cast<std::size_t>(n), trace_of({one})), of_trace);
          for (const bool fold : {true, false}) {
            const Recording recording = simulate(program, machine, plan_simulation(program, machine, fold));
            EXPECT_EQ(recording.messages, traced.messages);
            for (std::uint32_t rank = 0; rank < traced.finish.size(); ++rank)
              ASSERT_EQ(recording.finish_of(RankId(rank)).ps(), traced.finish_of(RankId(rank)).ps())
                  << name_of(kind) << " by " << algorithm->name << " among " << n << " from " << root
                  << " ends on rank " << rank << ", " << word << (fold ? ", folded" : "");
          }
        }
      }
    }
  }
}

struct RandomRun {
  TraceMachine machine;
  std::vector<std::vector<TracedCollective>> of_rank;

  explicit RandomRun(std::uint64_t seed) {
    Random random(seed);
    std::vector<int> sizes;
    for (int left = random.between(1, 3); left > 0; --left) sizes.push_back(random.between(1, 5));
    machine = switched_machine(sizes, &tree_algorithm);
    for (Dimension& dimension : machine.topology.dimensions) {
      if (random.chance(30)) dimension.block = Block::ring;
      if (random.chance(30) && dimension.size > 1) dimension.block = Block::fully_connected;
      dimension.links = min_links(dimension.block, dimension.size);
    }
    machine.system.algorithms.fill(std::vector(sizes.size(), AlgorithmChoice{}));
    for (const auto& [word, kind] : collective_kind_words) {
      if (is_symmetric(kind)) continue;
      std::vector<AlgorithmChoice>& choices = machine.system.algorithms[static_cast<std::size_t>(kind)];
      choices.clear();
      for (std::size_t i = 0; i < (random.chance(50) ? 1 : sizes.size()); ++i)
        choices.push_back({algorithms[random.between(0, 2)]});
      if (choices.size() != sizes.size()) choices.resize(1);
    }
    machine.network.model = random.chance(50) ? &link_model : &analytical_model;
    machine.system.chunks = random.between(1, 5);
    machine.system.active_chunks = random.between(1, 4);
    machine.system.queues_per_dimension = random.between(1, 3);
    machine.system.rendezvous = random.chance(30);
    if (random.chance(20)) machine.system.shared_bus = SharedBusConfig{50, 10, 10, 0.001F, 1};
    const int npus = machine.topology.npus();
    // A group of some ranks, shuffled.
    std::vector<int>& group = machine.rules.groups[1];
    for (int rank = 0; rank < npus; ++rank)
      if (random.chance(60))
        group.insert(group.begin() + random.between(0, static_cast<int>(group.size())), rank);
    if (group.empty()) group.push_back(random.between(0, npus - 1));
    of_rank.resize(static_cast<std::size_t>(npus));
    for (int count = random.between(1, 4); count > 0; --count) add(random);
  }

  // The same for all ranks, or for those of the group.
  void add(Random& random) {
    // An all-reduce now and then; in chunks it stalls by itself when ranks enter at different times.
    const bool others = machine.topology.npus() > 1 && machine.system.chunks == 1;
    const int kind = random.between(0, others ? 5 : 4);
    TracedCollective one{.type = kind < 5 ? types[kind] : CommType::all_reduce,
                         .bytes = static_cast<std::uint64_t>(random.between(5, 100'000))};
    const bool in_group = random.chance(30);
    std::vector<int> ranks = machine.rules.groups[1];
    if (in_group) {
      one.group = "1";
    } else {
      ranks.clear();
      for (int rank = 0; rank < machine.topology.npus(); ++rank) ranks.push_back(rank);
    }
    if (random.chance(70)) one.root = static_cast<std::uint32_t>(random.pick(ranks));
    for (const int rank : ranks) {
      one.compute_us = static_cast<std::uint64_t>(random.between(0, 20));
      of_rank[static_cast<std::size_t>(rank)].push_back(one);
    }
  }

  Recording run() const {
    std::vector<RankTrace> traces;
    for (const auto& collectives : of_rank) traces.push_back(trace_of(collectives));
    return simulate_traces(traces, machine);
  }
};

TEST(RootedCollectivesProperty, NobodyLeavesBeforeThoseItDependsOnHaveEntered) {
  const std::uint64_t seeds = std::getenv("ORRERY_TEST_LONG") ? 40'000 : 400;
  for (std::uint64_t seed = 0; seed < seeds; ++seed) {
    SCOPED_TRACE(testing::Message() << "seed " << seed);
    RandomRun random(seed);
    // A last barrier of all keeps those outside the group company.
    for (auto& collectives : random.of_rank) collectives.push_back({CommType::barrier});
    Recording done;
    ASSERT_NO_THROW(done = random.run());
    // Collectives meet by their place among those of the same ranks.
    struct Meeting {
      Time last_entry, first_exit = Time::longest_input(), entry_of_root, exit_of_root;
      TracedCollective what;
      std::uint32_t members = 0;
    };
    std::map<std::pair<std::string, std::size_t>, Meeting> barriers;
    for (std::uint32_t rank = 0; rank < random.of_rank.size(); ++rank) {
      std::map<std::string, std::size_t> next;
      for (std::size_t k = 0; k < random.of_rank[rank].size(); ++k) {
        const TracedCollective& one = random.of_rank[rank][k];
        Meeting& meeting = barriers[{one.group, next[one.group]++}];
        const Interval& interval = done.operations_of(RankId(rank))[2 * k + 1];
        const std::uint32_t first =
            one.group.empty() ? 0 : static_cast<std::uint32_t>(random.machine.rules.groups.at(1)[0]);
        meeting.what = one;
        ++meeting.members;
        meeting.last_entry = std::max(meeting.last_entry, interval.start);
        meeting.first_exit = std::min(meeting.first_exit, interval.end);
        if (one.root.value_or(first) != rank) continue;
        meeting.entry_of_root = interval.start;
        meeting.exit_of_root = interval.end;
      }
    }
    for (const auto& [place, meeting] : barriers) {
      if (meeting.members == 1) continue;
      switch (meeting.what.type) {
        case CommType::barrier:
        case CommType::all_reduce:
          EXPECT_GT(meeting.first_exit, meeting.last_entry);
          break;
        case CommType::broadcast:
        case CommType::scatter:
          EXPECT_GT(meeting.first_exit, meeting.entry_of_root);
          break;
        default:
          EXPECT_GT(meeting.exit_of_root, meeting.last_entry);
          break;
      }
    }
  }
}

}  // namespace
}  // namespace orrery::core::test::rooted_collectives_test
