// The steps of a critical path follow one another from the beginning to the end of a run, and what is not on
// it could be faster without ending the run sooner.
#include "report/critical_path/critical_path.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "study/run/run.hpp"
#include "support/random_graph_run.hpp"
#include "support/random_run.hpp"

namespace orrery::core::test::critical_path_test {
namespace {

RunResult run(RunSpec spec, bool fold = true) {
  spec.every_class = true;
  Warnings warnings;
  return carry_out(spec, warnings, fold);
}

// Returns what is wrong with the path; empty: nothing.
std::string fault_of(const RunResult& result, const std::vector<PathStep>& path) {
  Time at;
  for (const PathStep& step : path) {
    if (step.interval.start != at) return "a step does not begin where the one before it ends";
    if (step.interval.end <= at) return "a step takes no time";
    at = step.interval.end;
    const ExecutionGraph& graph = result.program.parts[step.part].graph;
    if (step.kind == PathKind::compute && graph[step.operation].kind != OperationKind::compute)
      return "what computes is no computation";
  }
  return at == result.recording.end() ? "" : "the path does not lead to the end";
}

class CriticalPaths : public testing::TestWithParam<Dialect> {};

TEST_P(CriticalPaths, AddUpToTheTimeOfTheRun) {
  for (std::uint64_t seed = 0; seed < 150; ++seed) {
    RunSpec spec = random_run(seed, GetParam());
    if (seed % 2 == 1) vary_ranks(spec, seed);
    for (const bool fold : {true, false}) {
      const RunResult result = run(spec, fold);
      const std::vector<PathStep> path = critical_path(result.program, result.recording);
      ASSERT_EQ(fault_of(result, path), "") << describe(spec);
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Dialects, CriticalPaths, testing::Values(native_dialect, astra_sim_1_dialect),
                         [](const auto& instance) {
                           return instance.param.name == "native" ? "native" : "astra_sim_1";
                         });

TEST(CriticalPath, AddUpWhereMessagesShareLinks) {
  for (const GraphWorkload workload : {GraphWorkload::one_collective, GraphWorkload::layers,
                                       GraphWorkload::pipeline, GraphWorkload::transformer})
    for (std::uint64_t seed = 0; seed < 30; ++seed) {
      try {
        const RandomGraphRun random = random_graph_run(seed, workload);
        const RunResult result = run(random.spec);
        ASSERT_EQ(fault_of(result, critical_path(result.program, result.recording)), "") << random.text;
      } catch (const InputError&) {  // such a run is refused
      }
    }
}

// The whole run with another duration of an operation.
Time end_with(RunResult& result, std::uint32_t part, ExecutionGraph::Id id, Time duration) {
  ExecutionGraph& graph = result.program.parts[part].graph;
  ExecutionGraph changed;
  changed.layer_names = graph.layer_names;
  for (ExecutionGraph::Id one = 0; one < graph.size(); ++one) {
    Operation operation = graph[one];
    if (one == id) operation.duration = duration;
    changed.add(operation, graph.predecessors(one));
  }
  std::swap(graph, changed);
  const Time end = simulate(result.program, result.machine, result.plan).end();
  std::swap(graph, changed);
  return end;
}

// Collectives of a library know no contention.
TEST(CriticalPath, SayWhatWouldEndTheRunSooner) {
  int on_path = 0, beside = 0;
  for (const GraphWorkload workload : {GraphWorkload::layers, GraphWorkload::transformer})
    for (std::uint64_t seed = 0; seed < 40; ++seed) {
      try {
        const RandomGraphRun random = random_graph_run(seed, workload, GraphCollectives::library);
        RunSpec spec = random.spec;
        vary_ranks(spec, seed);
        spec.network.slow_links.clear();
        RunResult result = run(spec);
        const Time end = result.recording.end();
        const auto path = critical_path(result.program, result.recording);
        ASSERT_EQ(fault_of(result, path), "") << random.text;
        const ExecutionGraph& graph = result.program.parts[0].graph;
        for (ExecutionGraph::Id id = 0; id < graph.size();
             id += 1 + static_cast<ExecutionGraph::Id>(graph.size()) / 20) {
          if (graph[id].kind != OperationKind::compute || graph[id].duration == Time()) continue;
          Time on_it;
          for (const PathStep& step : path)
            if (step.part == 0 && step.operation == id && step.kind == PathKind::compute)
              on_it += step.interval.end - step.interval.start;
          const Time sooner = end_with(result, 0, id, Time());
          ++(on_it == Time() ? beside : on_path);
          ASSERT_LE(sooner, end) << random.text;
          ASSERT_GE(sooner, end - on_it) << random.text;
        }
      } catch (const InputError&) {  // such a run is refused
      }
    }
  EXPECT_GT(on_path, 50);
  EXPECT_GT(beside, 20);
}

}  // namespace
}  // namespace orrery::core::test::critical_path_test
