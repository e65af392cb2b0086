// The times that are worked out for classes of positions, rounds of messages and several messages in flight
// have to equal those of a simulation of every message of the group.
#include <gtest/gtest.h>

#include "base/random.hpp"
#include "collective/messages/message_engine.hpp"
#include "collective/plan/planner.hpp"
#include "collective/timelines/phase_timeline.hpp"
#include "network/analytical/analytical_network.hpp"

namespace orrery::core::group_timeline_test {
namespace {

struct GroupCase {
  Topology topology;
  SystemConfig system;
  std::vector<SlowLinks> slow;
  Dialect dialect;
};

GroupCase random_case(Random& random) {
  GroupCase made;
  made.dialect = random.chance(50) ? native_dialect : astra_sim_1_dialect;
  for (int d = 0; d < 2; ++d) {
    Dimension dimension;
    dimension.block = random.pick<Block>({Block::ring, Block::switched, Block::fully_connected});
    dimension.size = random.pick<int>({2, 4, 8, 16});
    dimension.links = dimension.block == Block::ring ? 2 : dimension.size - 1;
    dimension.link_bandwidth = Bandwidth::from_gb_per_s(random.pick<double>({0.5, 7, 62}));
    dimension.link_latency_ns = random.pick<double>({0, 37.5, 500});
    made.topology.dimensions.push_back(dimension);
  }
  for (int i = random.between(0, 3); i > 0; --i) {
    SlowLinks slow{random.between(0, 1), {}, random.pick<double>({1.5, 2, 4})};
    for (int npu = 0; npu < made.topology.npus(); ++npu)
      if (random.chance(30)) slow.npus.push_back(npu);
    made.slow.push_back(slow);
  }
  made.system.chunks = 2;  // one for each tree
  made.system.endpoint_delay = Time::from_ns(random.pick<int>({0, 10}));
  made.system.rendezvous = random.chance(25);
  const auto any_choice = [&] {
    AlgorithmChoice choice;
    choice.algorithm = random.pick<Algorithm>(
        {&ring_algorithm, &direct_algorithm, &halving_doubling_algorithm, &double_binary_tree_algorithm});
    choice.window = choice.algorithm == &direct_algorithm ? random.between(0, 3) : 0;
    return choice;
  };
  made.system.algorithms.fill({any_choice(), any_choice()});
  for (const auto& [word, rooted] : collective_kind_words) {
    if (is_symmetric(rooted)) continue;
    const auto any = random.pick<Algorithm>({&ring_algorithm, &direct_algorithm, &tree_algorithm});
    made.system.algorithms[static_cast<std::size_t>(rooted)] = {{any}, {any}};
  }
  return made;
}

// A group as a machine of its own: member y is NPU y.
class GroupNetwork final : public ContentionFreeNetwork {
 public:
  GroupNetwork(const ContentionFreeNetwork& network, int base, int stride)
      : network_(network), base_(base), stride_(stride) {}

  Stamp duration(int source, int destination, Bytes bytes) const override {
    return network_.duration(npu(source), npu(destination), bytes);
  }
  Route route(int source, int destination) const override {
    return network_.route(npu(source), npu(destination));
  }
  int carrying_dimension(int source, int destination) const override {
    return network_.carrying_dimension(npu(source), npu(destination));
  }
  bool is_uniform(const LogicalDimension&) const override { return false; }
  bool has_slow_links(const LogicalDimension&) const override { return false; }
  GroupKinds kinds_of_groups(const LogicalDimension&) const override { return GroupKinds(false); }

 private:
  int npu(int member) const { return base_ + member * stride_; }

  const ContentionFreeNetwork& network_;
  int base_, stride_;
};

class EndCollector final : public PhaseListener {
 public:
  EndCollector(const EventLoop& loop, int members) : loop_(loop), ends_(static_cast<std::size_t>(members)) {}
  void phase_ended(ClassId member, std::uint32_t) override { ends_[member.index()] = loop_.now(); }
  std::vector<Stamp> take() { return std::move(ends_); }

 private:
  const EventLoop& loop_;
  std::vector<Stamp> ends_;
};

// Returns the timeline of the group whose first member is NPU `base` by simulating every message.
PhaseTimeline simulated(const PhaseShape& shape, int base, const GroupCase& one,
                        const AnalyticalNetwork& network) {
  constexpr int dimensions = 2;
  const int members = shape.group.size;
  const GroupNetwork alone_network(network, base, shape.group.stride);
  EventLoop loop(network.clock());
  RankTimers timers(loop, members);
  EndCollector ends(loop, members);
  const RankParts parts(RankClasses::all_distinct(static_cast<std::uint32_t>(members)));
  MessageEngine engine(loop, timers, one.system, one.dialect, alone_network, parts, dimensions, ends);
  PhaseShape alone = shape;
  alone.group = {1, members, -1};
  alone.pins.clear();
  alone.durations.clear();
  const PhaseEngine::RunId run = engine.open(0, alone, 0, 0);
  for (int y = 0; y < members; ++y) engine.start(run, ClassId(y), 0);
  loop.run({});
  PhaseTimeline timeline;
  timeline.ends = ends.take();
  timeline.received = engine.take_receive_statistics(run);
  timeline.payload = engine.payload(0);
  timeline.messages = engine.messages();
  return timeline;
}

void expect_same(const PhaseTimeline& found, const PhaseTimeline& simulated, int members) {
  for (int y = 0; y < members; ++y) EXPECT_EQ(found.end_of(y), simulated.end_of(y)) << "position " << y;
  EXPECT_EQ(found.received.latency_sum, simulated.received.latency_sum);
  EXPECT_EQ(found.received.messages, simulated.received.messages);
  EXPECT_EQ(found.payload, simulated.payload);
  EXPECT_EQ(found.messages, simulated.messages);
}

TEST(GroupTimeline, ClassesAndRoundsGiveWhatEveryMessageGives) {
  int compared = 0;
  for (std::uint64_t seed = 0; seed < 300 && !testing::Test::HasFailure(); ++seed) {
    SCOPED_TRACE(seed);
    Random random(seed);
    const GroupCase one = random_case(random);
    // Halves of a dimension are groups, too.
    const auto dimensions = random.chance(50)
                                ? logical_dimensions(one.topology)
                                : logical_dimensions(one.topology, {0, one.topology.dimensions[0].size / 2});
    const AnalyticalNetwork network(one.topology, one.dialect, one.slow);
    Planner planner(one.system, one.dialect, one.topology, dimensions, network);
    auto kind = random.pick<CollectiveKind>({CollectiveKind::all_reduce, CollectiveKind::all_gather});
    if (one.dialect.phase_barrier == PhaseBarrier::next_group && random.chance(40))
      kind = static_cast<CollectiveKind>(random.between(4, collective_kinds - 1));
    const CollectivePlan plan =
        planner.plan({.kind = kind,
                      .size = Bytes(static_cast<std::uint64_t>(random.between(100, 100'000))),
                      .dimensions = ~DimensionSet(),
                      .root = static_cast<std::uint32_t>(random.between(0, one.topology.npus() - 1))});
    PhaseTimelines timelines(one.system, one.dialect, network, network.clock(), 2);
    for (const ChunkPlan& chunk : plan.chunks) {
      for (const PhasePlan& phase : chunk.phases) {
        const LogicalDimension& group = phase.shape->group;
        for (int base = 0; base < one.topology.npus(); ++base) {
          if (group.position(base) != 0) continue;
          const PhaseTimeline& timeline = timelines.of(*phase.shape, base);
          ++compared;
          expect_same(timeline, simulated(*phase.shape, base, one, network), group.size);
        }
      }
    }
  }
  EXPECT_GT(compared, 1000);
}

}  // namespace
}  // namespace orrery::core::group_timeline_test
