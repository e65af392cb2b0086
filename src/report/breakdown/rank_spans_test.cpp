// Checks by hand what ranks of small programs spend their time on.
#include "report/breakdown/rank_spans.hpp"

#include <gtest/gtest.h>

#include "report/breakdown/breakdown.hpp"

namespace orrery::core::rank_spans_test {
namespace {

using Id = ExecutionGraph::Id;

constexpr Time ns(std::int64_t count) {
  return Time::from_ns(count);
}

Communicator two_ranks() {
  Communicator communicator;
  communicator.dimensions.resize(1);
  return communicator;
}

// A program of one part whose operations are given together with their times.
struct TimedProgram {
  TimedProgram() {
    program.communicators = {two_ranks()};
    ProgramPart& part = program.parts.emplace_back();
    part.all_ranks = 2;
    part.graph.layer_names = {"first", "second"};
    add({.kind = OperationKind::begin}, {}, 0, 0);
  }

  Id add(const Operation& operation, const std::vector<Id>& predecessors, std::int64_t start,
         std::int64_t end) {
    operations.push_back({ns(start), ns(end)});
    return program.parts[0].graph.add(operation, predecessors);
  }
  Id compute(int layer, Id before, std::int64_t start, std::int64_t end) {
    return add({.kind = OperationKind::compute, .layer = layer, .duration = ns(end - start)}, {before}, start,
               end);
  }
  Id collective(int layer, Id before, std::int64_t start, std::int64_t end, std::int64_t delay = 0) {
    Operation operation{.kind = OperationKind::collective, .layer = layer, .delay = ns(delay)};
    return add(operation, {before}, start, end);
  }
  void end(const std::vector<Id>& predecessors, std::int64_t at) {
    add({.kind = OperationKind::end}, predecessors, at, at);
  }

  Breakdown run() {
    const RankClasses classes = RankClasses::all_equal(2);
    recording.set_ranks(classes, RankParts(classes), {operations.back().end}, {operations});
    return breakdown_of(program, recording);
  }

  Program program;
  std::vector<Interval> operations;
  Recording recording;
};

TEST(Breakdown, WaitsForWhatIsUnderWayIsExposed) {
  TimedProgram run;
  const Id a = run.compute(0, 0, 0, 10);
  const Id sum = run.collective(0, a, 10, 40);
  const Id b = run.compute(1, a, 10, 15);
  run.end({b, sum}, 40);
  const Breakdown breakdown = run.run();
  EXPECT_EQ(breakdown.step, ns(40));
  EXPECT_EQ(breakdown.mean.compute, ns(15));
  EXPECT_EQ(breakdown.mean.exposed, ns(25));
  EXPECT_EQ(breakdown.mean.bubble, Time());
  EXPECT_EQ(breakdown.mean.idle, Time());
  ASSERT_EQ(breakdown.layers.size(), 2u);
  EXPECT_EQ(breakdown.layers[0].exposed, ns(25));
  EXPECT_EQ(breakdown.layers[0].communication, ns(30));
  EXPECT_EQ(breakdown.layers[1].compute, ns(5));
  EXPECT_EQ(breakdown.exposed, (std::vector{ns(25)}));
}

// A collective that begins when another one has ended is not waited for before it begins.
TEST(Breakdown, WaitsThatNobodyHasAreNotCounted) {
  TimedProgram run;
  const Id a = run.compute(0, 0, 0, 10);
  const Id first = run.collective(0, a, 10, 40);
  const Id b = run.compute(1, a, 10, 40);
  const Id second = run.add({.kind = OperationKind::collective, .layer = 1}, {a, first}, 40, 50);
  run.end({b, second}, 50);
  const Breakdown breakdown = run.run();
  EXPECT_EQ(breakdown.mean.exposed, ns(10));
  EXPECT_EQ(breakdown.layers[0].exposed, Time());
  EXPECT_EQ(breakdown.layers[1].exposed, ns(10));
}

// Each is charged for the time during which it was the next to complete.
TEST(Breakdown, WaitsForSeveralThingsAreSharedOut) {
  TimedProgram run;
  const Id a = run.compute(1, 0, 0, 10);
  const Id late = run.collective(1, a, 10, 60);
  const Id soon = run.collective(0, a, 10, 40);
  run.end({a, late, soon}, 60);
  const Breakdown breakdown = run.run();
  EXPECT_EQ(breakdown.layers[0].exposed, ns(30));
  EXPECT_EQ(breakdown.layers[1].exposed, ns(20));
}

TEST(Breakdown, AnUpdateBehindACollectiveIsCompute) {
  TimedProgram run;
  const Id a = run.compute(0, 0, 0, 10);
  const Id sum = run.collective(0, a, 10, 47, 7);
  run.end({a, sum}, 47);
  const Breakdown breakdown = run.run();
  EXPECT_EQ(breakdown.mean.update, ns(7));
  EXPECT_EQ(breakdown.mean.compute, ns(17));
  EXPECT_EQ(breakdown.mean.exposed, ns(30));
  EXPECT_EQ(breakdown.layers[0].communication, ns(30));
}

TEST(Breakdown, StepsBetweenStatesAreNeitherComputeNorBubble) {
  TimedProgram run;
  const Id a = run.compute(0, 0, 0, 10);
  const Id hop = run.add({.kind = OperationKind::transition, .duration = ns(1)}, {a}, 10, 11);
  run.end({hop}, 11);
  const Breakdown breakdown = run.run();
  EXPECT_EQ(breakdown.mean.exposed, ns(1));
  EXPECT_EQ(breakdown.layers[0].exposed, Time());
}

TEST(Breakdown, WhatAComputationWaitsForWithinIsExposed) {
  TimedProgram run;
  run.program.parts[0].graph.waits_within.push_back({{0, ns(4)}});
  const Id a = run.add({.kind = OperationKind::compute, .layer = 0, .duration = ns(10), .waits_within = 1},
                       {0}, 0, 10);
  run.end({a}, 10);
  const Breakdown breakdown = run.run();
  EXPECT_EQ(breakdown.mean.compute, ns(6));
  EXPECT_EQ(breakdown.exposed, (std::vector{ns(4)}));
}

// The n-th rank of one stage sends to that of the other one, 5 ns after it has computed for 10 ns.
struct TwoStages {
  TwoStages() {
    for (std::uint32_t stage = 0; stage < 2; ++stage) {
      ProgramPart& part = program.parts.emplace_back();
      part.name = stage == 0 ? "stage 0" : "stage 1";
      part.ranks = {RankId(stage)};
      part.graph.layer_names = {stage == 0 ? "a" : "b"};
    }
    ExecutionGraph &a = program.parts[0].graph, &b = program.parts[1].graph;
    a.add({.kind = OperationKind::begin}, {});
    a.add({.kind = OperationKind::compute, .layer = 0, .duration = ns(10)}, std::vector<Id>{0});
    a.add({.kind = OperationKind::send, .layer = 0, .message = {1, 0, Bytes(1)}}, std::vector<Id>{1});
    a.add({.kind = OperationKind::end}, std::vector<Id>{1});
    b.add({.kind = OperationKind::begin}, {});
    b.add({.kind = OperationKind::receive, .layer = 0, .message = {0, 0, {}}}, std::vector<Id>{0});
    b.add({.kind = OperationKind::compute, .layer = 0, .duration = ns(20)}, std::vector<Id>{1});
    b.add({.kind = OperationKind::end}, std::vector<Id>{2});
    const RankClasses classes = RankClasses::all_distinct(2);
    recording.set_ranks(classes, parts_of_classes(program, classes), {ns(10), ns(35)},
                        {{{}, {ns(0), ns(10)}, {ns(10), ns(15)}, {ns(10), ns(10)}},
                         {{}, {ns(0), ns(15)}, {ns(15), ns(35)}, {ns(35), ns(35)}}});
    ZeroCommunicationRun& free = recording.without_communication.emplace();
    free.operations = {{{}, {ns(0), ns(10)}, {ns(10), ns(10)}, {ns(10), ns(10)}},
                       {{}, {ns(0), ns(10)}, {ns(10), ns(30)}, {ns(30), ns(30)}}};
    free.finish = {ns(10), ns(30)};
  }

  Program program;
  Recording recording;
};

TEST(Breakdown, WhatARankWouldWaitWithoutCommunicationIsBubble) {
  const TwoStages stages;
  const Breakdown breakdown = breakdown_of(stages.program, stages.recording);
  ASSERT_EQ(breakdown.classes.size(), 2u);
  const TimeParts &first = breakdown.classes[0].parts, &second = breakdown.classes[1].parts;
  EXPECT_EQ(first.compute, ns(10));
  EXPECT_EQ(first.idle, ns(25));
  EXPECT_EQ(second.compute, ns(20));
  EXPECT_EQ(second.bubble, ns(10));
  EXPECT_EQ(second.exposed, ns(5));
  EXPECT_EQ(breakdown.mean.sum(), ns(35));
  EXPECT_EQ(breakdown.parts[1].awaits_messages, ns(15));
  EXPECT_EQ(breakdown.layers[1].exposed, Time::from_ps(2500));  // the mean over both ranks
}

// The message is under way for 5 ns, however long its receiver has waited for it.
TEST(Breakdown, MessagesAreUnderWayFromWhereTheyAreSent) {
  const TwoStages stages;
  const Breakdown breakdown = breakdown_of(stages.program, stages.recording);
  EXPECT_EQ(breakdown.layers[0].communication, Time::from_ps(2500));
  EXPECT_EQ(breakdown.layers[1].communication, Time::from_ps(2500));
}

// Without communication, the second rank would wait for longer than it does here, but not more than that is
// bubble. It would wait elsewhere, so that all its waits are bubble in proportion.
TEST(Breakdown, ABubbleIsAtMostWhatARankWaits) {
  TwoStages stages;
  ZeroCommunicationRun& free = *stages.recording.without_communication;
  free.operations[1] = {{}, {ns(0), ns(22)}, {ns(22), ns(42)}, {ns(42), ns(42)}};
  free.finish[1] = ns(42);
  const Breakdown breakdown = breakdown_of(stages.program, stages.recording);
  EXPECT_EQ(breakdown.classes[1].parts.bubble, ns(15));
  EXPECT_EQ(breakdown.classes[1].parts.exposed, Time());
}

}  // namespace
}  // namespace orrery::core::rank_spans_test
