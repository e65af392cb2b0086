// The definitions are in docs/models/reports.md: Exposed communication, Delays by phase, Utilization.
#include "report/statistics/statistics.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "workload/astra1/training_loops.hpp"

namespace orrery::core::statistics_test {
namespace {

using Id = ExecutionGraph::Id;
constexpr std::size_t fwd = 0, ig = 1, wg = 2;

constexpr Time ns(std::int64_t count) {
  return Time::from_ns(count);
}

// A graph whose operations are given together with their times.
struct TimedGraph {
  explicit TimedGraph(std::size_t layers) {
    graph.layer_names.resize(layers);
    add({OperationKind::begin, Pass::forward, -1, 0, {}, {}, {}}, {}, 0, 0);
  }
  Id add(const Operation& operation, const std::vector<Id>& predecessors, std::int64_t start,
         std::int64_t end) {
    operations.push_back({ns(start), ns(end)});
    finish = ns(end);
    return graph.add(operation, predecessors);
  }
  Id compute(int layer, Pass pass, const std::vector<Id>& predecessors, std::int64_t start,
             std::int64_t end) {
    return add({OperationKind::compute, pass, layer, 0, ns(end - start), {}, {}}, predecessors, start, end);
  }
  Id collective(int layer, Pass pass, Id predecessor, std::int64_t start, std::int64_t end) {
    return add({OperationKind::collective, pass, layer, 0, {}, {}, {}}, {predecessor}, start, end);
  }
  Id hop(const std::vector<Id>& predecessors, std::int64_t start) {
    return add({OperationKind::transition, Pass::forward, -1, 0, ns(1), {}, {}}, predecessors, start,
               start + 1);
  }
  Id end(const std::vector<Id>& predecessors, std::int64_t at) {
    return add({OperationKind::end, Pass::forward, -1, 0, {}, {}, {}}, predecessors, at, at);
  }
  std::vector<LayerTimes> times() const { return layer_times(graph, operations, false); }

  ExecutionGraph graph;
  std::vector<Interval> operations;
  Time finish;
};

TEST(LayerTimes, AddUpComputeAndCommunicationOverlappingOrNot) {
  TimedGraph run(1);
  const Id first = run.compute(0, Pass::weight_gradient, {0}, 0, 10);
  run.collective(0, Pass::weight_gradient, first, 10, 50);
  run.collective(0, Pass::weight_gradient, first, 10, 40);
  run.compute(0, Pass::weight_gradient, {first}, 10, 17);
  const LayerTimes times = run.times()[0];
  EXPECT_EQ(times.compute, (PassTimes{ns(0), ns(0), ns(17)}));
  EXPECT_EQ(times.communication, (PassTimes{ns(0), ns(0), ns(70)}));
  EXPECT_EQ(times.exposed, PassTimes{});
}

TEST(LayerTimes, ABlockingCollectiveIsExposedAsAWhole) {
  TimedGraph run(1);
  const Id compute = run.compute(0, Pass::forward, {0}, 0, 10);
  const Id collective = run.collective(0, Pass::forward, compute, 10, 40);
  run.hop({compute, collective}, 40);
  EXPECT_EQ(run.times()[0].exposed, (PassTimes{ns(30), ns(0), ns(0)}));
}

TEST(LayerTimes, AnAwaitedCollectiveIsExposedFromTheStartOfTheWait) {
  TimedGraph run(2);
  const Id compute = run.compute(1, Pass::input_gradient, {0}, 0, 10);
  const Id collective = run.collective(1, Pass::input_gradient, compute, 10, 40);
  const Id overlapped = run.compute(1, Pass::weight_gradient, {compute}, 10, 35);
  run.hop({overlapped, collective}, 40);
  EXPECT_EQ(run.times()[1].exposed, (PassTimes{ns(0), ns(5), ns(0)}));
  EXPECT_EQ(run.times()[0].exposed, PassTimes{});
}

TEST(LayerTimes, ACollectiveThatIsCompleteInTimeIsNotExposed) {
  TimedGraph run(1);
  const Id compute = run.compute(0, Pass::forward, {0}, 0, 10);
  const Id collective = run.collective(0, Pass::weight_gradient, compute, 10, 20);
  const Id next = run.compute(0, Pass::forward, {compute}, 10, 20);
  run.hop({next, collective}, 20);
  EXPECT_EQ(run.times()[0].exposed, PassTimes{});
}

TEST(LayerTimes, WaitsFollowEachOtherInProgramOrder) {
  TimedGraph run(3);
  const Id compute = run.compute(0, Pass::forward, {0}, 0, 10);
  const Id a = run.collective(0, Pass::weight_gradient, compute, 10, 40);
  const Id b = run.collective(1, Pass::weight_gradient, compute, 10, 30);
  const Id c = run.collective(2, Pass::weight_gradient, compute, 10, 45);
  run.hop({compute, a, b, c}, 45);
  EXPECT_EQ(run.times()[0].exposed[wg], ns(30));
  EXPECT_EQ(run.times()[1].exposed[wg], ns(0));  // over while a was awaited
  EXPECT_EQ(run.times()[2].exposed[wg], ns(5));
}

// The end of a pass waits like what comes after it, but takes no part in the program.
TEST(LayerTimes, TheEndOfAPassIsNotCharged) {
  TimedGraph run(1);
  const Id compute = run.compute(0, Pass::forward, {0}, 0, 10);
  const Id collective = run.collective(0, Pass::input_gradient, compute, 10, 40);
  run.add({OperationKind::pass_end, Pass::forward, -1, 0, {}, {}, {}}, {compute, collective}, 40, 40);
  run.hop({compute, collective}, 40);
  EXPECT_EQ(run.times()[0].exposed[ig], ns(30));
  EXPECT_EQ(iteration_ends(run.graph, run.operations), (std::vector{ns(40)}));
  EXPECT_EQ(run.finish, ns(41));
}

// In ASTRA-sim 1.0 the wait at the end is charged to layer 0's weight gradient only, up to its completion.
TEST(LayerTimes, TheFinalWait) {
  TimedGraph run(2);
  const Id compute = run.compute(1, Pass::weight_gradient, {0}, 0, 10);
  const Id b = run.collective(1, Pass::weight_gradient, compute, 10, 60);
  const Id a = run.collective(0, Pass::weight_gradient, compute, 10, 40);
  run.end({compute, a, b}, 60);
  EXPECT_EQ(run.times()[0].exposed[wg], ns(30));
  EXPECT_EQ(run.times()[1].exposed[wg], ns(0));
}

TEST(LayerTimes, TheFinalWaitIsNobodysWhenLayer0IsComplete) {
  TimedGraph run(2);
  const Id compute = run.compute(1, Pass::weight_gradient, {0}, 0, 10);
  const Id a = run.collective(0, Pass::weight_gradient, 0, 0, 5);
  const Id b = run.collective(1, Pass::weight_gradient, compute, 10, 60);
  run.end({compute, a, b}, 60);
  EXPECT_EQ(run.times()[0].exposed, PassTimes{});
  EXPECT_EQ(run.times()[1].exposed, PassTimes{});
}

// Three collectives run from time 0 on. In ASTRA-sim 1.0 only the first completion counts.
TEST(LayerTimes, Micro) {
  TimedGraph run(1);
  std::vector<Id> waits{0};
  for (std::int64_t end : {30, 10, 20}) waits.push_back(run.collective(0, Pass::weight_gradient, 0, 0, end));
  run.end(waits, 30);
  EXPECT_EQ(run.times()[0].exposed[wg], ns(10));
  EXPECT_EQ(run.times()[0].communication[wg], ns(60));
}

// An idealized run of a DLRM of three layers, the second being the last bottom one: 5 ns of compute per step,
// 100 ns per collective.
TimedGraph dlrm(TrainingPolicy policy) {
  const LayerStep all_to_all{ns(5), CollectiveKind::all_to_all, false, Bytes(8)};
  const LayerStep all_reduce{ns(5), CollectiveKind::all_reduce, false, Bytes(8)};
  LayerTable table;
  table.policy = policy;
  table.last_bottom_layer = 1;
  for (int i = 0; i < 3; ++i) table.layers.push_back({"", all_reduce, all_reduce, all_reduce, {}, {}, {}});
  table.layers[0].forward = table.layers[0].input_gradient = all_to_all;
  TimedGraph run(0);
  run.graph = training_graph(table, {}, 1, astra_sim_1_dialect, {});
  run.operations.clear();
  for (Id id = 0; id < run.graph.size(); ++id) {
    Time start;
    for (Id p : run.graph.predecessors(id)) start = std::max(start, run.operations[p].end);
    const bool collective = run.graph[id].kind == OperationKind::collective;
    run.operations.push_back({start, start + (collective ? ns(100) : run.graph[id].duration)});
  }
  return run;
}

// f0 0-5, its exchange 5-105, f1 6-11; it waits to 105. f2 106-111, w2 -117 and -217, i2 118-123, gradient
// exchange 123-223, w1 -129 and -229, i1 130-135, w0 -141 and -241; it waits to 223, hops, and waits from 224
// for the rest.
TEST(LayerTimes, DlrmAwaitsBothExchanges) {
  const auto times = dlrm(TrainingPolicy::hybrid_dlrm).times();
  EXPECT_EQ(times[0].exposed, (PassTimes{ns(105 - 11), ns(223 - 141), ns(241 - 224)}));
  EXPECT_EQ(times[1].exposed, PassTimes{});
  EXPECT_EQ(times[2].exposed, PassTimes{});
  EXPECT_EQ(times[0].communication, (PassTimes{ns(100), ns(100), ns(100)}));
  EXPECT_EQ(times[0].compute, (PassTimes{ns(5), ns(0), ns(5)}));
}

// This is the case above, but it hops at 141 and waits from 142 for everything: w2 217, the exchange 223, w1
// 229, w0 241.
TEST(LayerTimes, DlrmEnhancedAwaitsTheGradientExchangeAtTheEnd) {
  const TimedGraph run = dlrm(TrainingPolicy::hybrid_dlrm_enhanced);
  EXPECT_EQ(run.times()[0].exposed, (PassTimes{ns(94), ns(0), ns(241 - 142)}));
  EXPECT_EQ(run.times()[2].exposed, PassTimes{});
  EXPECT_EQ(run.times()[1].exposed, PassTimes{});
}

PhaseRecord stay(std::uint16_t dimension, std::int64_t entered, std::int64_t started, std::int64_t left) {
  return {0, 0, 0, dimension, ns(entered), ns(started), ns(left), {}, 0};
}

PhaseRecords records_of(std::vector<PhaseRecord> phases, int dimensions) {
  PhaseRecords records;
  records.chunks.phases = std::move(phases);
  records.logical_dimensions = static_cast<std::size_t>(dimensions);
  return records;
}

using Shares = std::vector<std::vector<double>>;

Shares shares_of(const PhaseRecords& records, std::int64_t finish) {
  Shares shares;
  for (const auto& dimension : utilization(records, ns(finish), ns(10'000))) {
    std::vector<double>& of_windows = shares.emplace_back();
    for (const EqualWindows& equal : dimension)
      of_windows.insert(of_windows.end(), static_cast<std::size_t>(equal.windows), equal.share);
  }
  return shares;
}

TEST(Utilization, CountsWaitingAndServiceOnceInCompleteWindows) {
  // Dimension 0 is busy from 0 to 12 us, first with one chunk, then two, then one; again for 1 us in a third
  // window, which is not complete.
  const PhaseRecords records =
      records_of({stay(0, 0, 1000, 4000), stay(0, 3000, 4000, 12000), stay(0, 5000, 5000, 6000),
                  stay(0, 7000, 8000, 11000), stay(1, 6000, 7000, 9000), stay(0, 21000, 21000, 22000)},
                 3);
  EXPECT_EQ(shares_of(records, 25000), (Shares{{1.0, 0.2}, {0.3, 0.0}, {0.0, 0.0}}));
}

TEST(Utilization, LeavingAndEnteringAtOnceIsNoGap) {
  const PhaseRecords records = records_of({stay(0, 0, 0, 4000), stay(0, 4000, 4000, 10000)}, 1);
  EXPECT_EQ(shares_of(records, 10000), (Shares{{1.0}}));
}

TEST(Utilization, AStayMaySpanManyWindows) {
  const PhaseRecords records = records_of({stay(0, 2500, 3000, 35000)}, 1);
  EXPECT_EQ(shares_of(records, 40000), (Shares{{0.75, 1.0, 1.0, 0.5}}));
}

TEST(Services, CoverOverlapsOnceAndNoWaiting) {
  const PhaseRecords records =
      records_of({stay(0, 0, 1000, 4000), stay(0, 3000, 4000, 12000), stay(0, 5000, 5000, 6000),
                  stay(0, 7000, 8000, 11000), stay(1, 6000, 7000, 9000), stay(0, 21000, 21000, 22000)},
                 3);
  const std::vector<std::vector<Interval>> served = services(records, {0, 1, 2}, 3);
  EXPECT_EQ(time_covered(served[0]), ns(12000));
  EXPECT_EQ(time_covered(served[1]), ns(2000));
  EXPECT_EQ(time_covered(served[2]), ns(0));
}

// Communicators have logical dimensions of their own in the same dimension of the topology.
TEST(Services, OfSeveralCommunicatorsAreInOneDimension) {
  const PhaseRecords records =
      records_of({stay(0, 0, 0, 4000), stay(1, 0, 3000, 6000), stay(2, 0, 0, 9000), stay(3, 0, 0, 9000)}, 4);
  const std::vector<std::vector<Interval>> served = services(records, {1, 1, 0, -1}, 2);
  EXPECT_EQ(time_covered(served[0]), ns(9000));
  EXPECT_EQ(time_covered(served[1]), ns(6000));
}

TEST(ChunkServiceTimes, AverageFromStartToEnd) {
  const auto times = chunk_service_times(records_of({stay(0, 0, 10, 20), stay(0, 0, 20, 45)}, 2));
  ASSERT_EQ(times.size(), 2u);
  EXPECT_EQ(times[0], 17.5);
  EXPECT_TRUE(std::isnan(times[1]));
}

// Two collectives of layer 1: one of two chunks in two phases, one of one chunk in one phase. The latter has
// nothing at the second phase but still counts in the divisor.
TEST(LayerDelays, AverageOverChunksThenOverCollectives) {
  TimedGraph run(2);
  PhaseRecords records;
  const Id a = run.collective(1, Pass::forward, 0, 0, 100);
  const Id b = run.collective(1, Pass::weight_gradient, 0, 0, 100);
  const auto phase = [&](std::uint32_t chunk, Id token, std::int64_t queueing, std::int64_t latencies,
                         std::uint32_t messages) {
    records.chunks.phases.push_back(
        {chunk, token, 0, 0, ns(50), ns(50 + queueing), ns(90), ns(latencies), messages});
  };
  phase(0, a, 10, 100, 2);  // latency 50
  phase(1, a, 20, 210, 3);  // 70
  phase(2, b, 5, 40, 1);
  phase(0, a, 30, 30, 1);
  phase(1, a, 50, 10, 1);
  records.chunks.finished = {2, 1, 0};
  records.completed = {0, b, a};
  const auto delays = layer_delays(run.graph, records);
  ASSERT_EQ(delays.size(), 2u);
  EXPECT_TRUE(delays[0].queueing.empty());
  EXPECT_TRUE(delays[0].network.empty());
  // a: 0, 15, 40 and 60, 20; b: 0, 5 and 40
  EXPECT_EQ(delays[1].queueing, (std::vector{0.0, 10.0, 20.0}));
  EXPECT_EQ(delays[1].network, (std::vector{50.0, 10.0}));
}

}  // namespace
}  // namespace orrery::core::statistics_test
