// The parts that explain the steps of a critical path add up to these steps: operators to computations,
// collectives and messages to communication, in every random run.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "report/critical_path/path_exchanges.hpp"
#include "report/critical_path/path_operators.hpp"
#include "report/timeline/programs/program_timeline.hpp"
#include "simulate/run/simulation.hpp"
#include "study/run/run.hpp"
#include "study/workloads/transformer/training_step.hpp"
#include "study/workloads/transformer/transformer_workload.hpp"
#include "support/random_graph_run.hpp"
#include "support/random_run.hpp"
#include "support/random_training.hpp"
#include "workload/training/stages/pass_pieces.hpp"
#include "workload/training/step/training_program.hpp"

namespace orrery::core::test::explained_paths_test {
namespace {

RunResult run(RunSpec spec, bool fold = true) {
  spec.every_class = true;
  Warnings warnings;
  return carry_out(spec, warnings, fold);
}

Time time_in(const std::vector<PathStep>& path, std::initializer_list<PathKind> kinds) {
  Time sum;
  for (const PathStep& step : path)
    if (std::ranges::find(kinds, step.kind) != kinds.end()) sum += step.interval.end - step.interval.start;
  return sum;
}

void expect_sums(const RunSpec& spec, const RunResult& result) {
  const std::vector<PathStep> whole = critical_path(result.program, result.recording);
  const auto work = spec.workload->computed_work(spec, result);
  const std::vector<PathStep> path = work ? divided_passes(whole, *work) : whole;
  Time at;
  for (const PathStep& step : path) {
    ASSERT_EQ(step.interval.start, at);
    ASSERT_GT(step.interval.end, at);
    at = step.interval.end;
  }
  ASSERT_EQ(at, result.recording.end());

  const PathContext context{"run", result.program, result.machine.topology, whole_passes, at};
  Time communicating;
  for (const PathExchange& row : path_exchanges(context, path, result.machine, result.recording)) {
    communicating += row.time + row.queue;
    EXPECT_GT(row.count, 0u);
    EXPECT_NE(reason_of(row), "");
  }
  EXPECT_EQ(communicating, time_in(path, {PathKind::collective, PathKind::queue, PathKind::message}));
  if (!work) return;
  const PathOperators operators = path_operators(context, path, *work);
  Time computing = operators.unknown;
  for (const PathOperator& row : operators.rows) computing += row.time;
  EXPECT_EQ(computing, time_in(path, {PathKind::compute}));
  double shares = 0;
  for (const PathShare& share : computing_shares(context, path, operators)) shares += share.time.ns();
  EXPECT_NEAR(shares, (computing - operators.unknown).ns(), 1e-6 * computing.ns() + 0.02);
}

class ExplainedPaths : public testing::TestWithParam<Dialect> {};

TEST_P(ExplainedPaths, AddUpForLayerTables) {
  for (std::uint64_t seed = 0; seed < 60; ++seed) {
    RunSpec spec = random_run(seed, GetParam());
    if (seed % 2 == 1) vary_ranks(spec, seed);
    SCOPED_TRACE(describe(spec));
    expect_sums(spec, run(spec, seed % 3 != 0));
  }
}

INSTANTIATE_TEST_SUITE_P(Dialects, ExplainedPaths, testing::Values(native_dialect, astra_sim_1_dialect),
                         [](const auto& instance) {
                           return instance.param.name == "native" ? "native" : "astra_sim_1";
                         });

TEST(ExplainedPath, AddUpOnGraphs) {
  for (const GraphWorkload workload :
       {GraphWorkload::layers, GraphWorkload::pipeline, GraphWorkload::transformer})
    for (const GraphCollectives collectives : {GraphCollectives::messages, GraphCollectives::library})
      for (std::uint64_t seed = 0; seed < 15; ++seed) {
        try {
          const RandomGraphRun random = random_graph_run(seed, workload, collectives);
          RunSpec spec = random.spec;
          if (seed % 3 == 2) vary_ranks(spec, seed);
          spec.network.slow_links.clear();
          SCOPED_TRACE(random.text);
          expect_sums(spec, run(spec));
        } catch (const InputError&) {  // such a run is refused
        }
      }
}

RunSpec training_spec(const TrainingSetup& setup) {
  RunSpec spec;
  spec.name = "step";
  spec.dialect = native_dialect;
  spec.workload = std::make_shared<const TransformerWorkload>(setup);
  spec.allow_out_of_memory = true;
  return spec;
}

TEST(ExplainedPath, AddUpOnPlatforms) {
  int explained = 0;
  for (std::uint64_t seed = 1; seed <= 60; ++seed) {
    const TrainingSetup setup = random_training(seed);
    if (setup.plan.micro_batches() > 64) continue;
    SCOPED_TRACE(describe(setup));
    const RunSpec spec = training_spec(setup);
    expect_sums(spec, run(spec));
    ++explained;
  }
  EXPECT_GT(explained, 20);
}

// Hears of every pass of a stage, and leaves the rest.
struct Passes {
  std::vector<PassPart> parts;
  void pass(const PassPart& part) { parts.push_back(part); }
  void update(int, Time, Time) {}
  void receive(const StageMessage&) {}
  void send(const StageMessage&, bool) {}
  void exchange(int, const ParameterExchange&) {}
  void wait_for_all() {}
  void gather(int, const ParameterExchange&, Time) {}
  void end() {}
};

TEST(ExplainedPath, PiecesOfPassesAddUpToThem) {
  int passes = 0;
  for (std::uint64_t seed = 1; seed <= 120; ++seed) {
    const TrainingSetup setup = random_training(seed);
    if (setup.plan.micro_batches() > 64) continue;
    const StageCosts costs(setup);
    PassPieces pieces(setup, costs);
    for (int stage = 0; stage < setup.pipeline().stages; ++stage) {
      Passes heard;
      StageWalk walk(setup, costs, stage, heard);
      for (const PipelineSlot& slot : pipeline_slots(setup.pipeline(), stage)) walk.pass(slot);
      for (const PassPart& part : heard.parts) {
        Seconds sum;
        for (const PassPiece& piece : pieces.of(stage, part)) sum += piece.time;
        ASSERT_NEAR(sum.count() * 1e9, part.duration.ns(), 1e-9 * part.duration.ns() + 0.001)
            << describe(setup) << ", stage " << stage;
        ++passes;
      }
    }
  }
  EXPECT_GT(passes, 1000);
}

// This also holds where a stage is written down operator by operator.
TEST(ExplainedPath, NotedOperatorsAddUpToTheirOperations) {
  int operations = 0;
  for (std::uint64_t seed = 1; seed <= 120; ++seed) {
    const TrainingSetup setup = random_training(seed);
    if (setup.plan.micro_batches() * setup.model.layers > 2000) continue;
    const StageCosts costs(setup);
    TrainingNotes notes;
    const Program program = training_program(setup, costs, PassDetail::blocks, &notes);
    for (std::size_t part = 0; part < program.parts.size(); ++part) {
      const ExecutionGraph& graph = program.parts[part].graph;
      for (ExecutionGraph::Id id = 0; id < graph.size(); ++id) {
        const auto operators = notes[part].operators_of(id);
        if (operators.empty()) continue;
        Time sum;
        for (const NotedOperator& noted : operators) sum += noted.time;
        ASSERT_EQ(sum, graph[id].duration) << describe(setup);
        ++operations;
      }
    }
  }
  EXPECT_GT(operations, 1000);
}

// On a platform nothing contends. What is not on the path may be faster without ending the step sooner, and
// what is on it ends the step sooner by no more than its time there. In pipelines this holds for any stage.
TEST(ExplainedPath, SayWhatWouldEndAStepSooner) {
  int on_path = 0, beside = 0;
  for (std::uint64_t seed = 1; seed <= 80; ++seed) {
    const TrainingSetup setup = random_training(seed);
    if (setup.plan.micro_batches() * setup.plan.pipeline > 64 || setup.plan.pipeline == 1) continue;
    const RunSpec spec = training_spec(setup);
    RunResult result = run(spec);
    const std::vector<PathStep> path = critical_path(result.program, result.recording);
    const Time end = result.recording.end();
    for (std::uint32_t part = 0; part < result.program.parts.size(); ++part) {
      ExecutionGraph& graph = result.program.parts[part].graph;
      for (ExecutionGraph::Id id = part % 3; id < graph.size();
           id += 1 + static_cast<ExecutionGraph::Id>(graph.size()) / 12) {
        if (graph[id].kind != OperationKind::compute || graph[id].duration == Time()) continue;
        Time on_it;
        for (const PathStep& step : path)
          if (step.part == part && step.operation == id && step.kind == PathKind::compute)
            on_it += step.interval.end - step.interval.start;
        ExecutionGraph changed;
        changed.layer_names = graph.layer_names;
        for (ExecutionGraph::Id one = 0; one < graph.size(); ++one) {
          Operation operation = graph[one];
          if (one == id) operation.duration = Time();
          changed.add(operation, graph.predecessors(one));
        }
        std::swap(graph, changed);
        const Time sooner = simulate(result.program, result.machine, result.plan).end();
        std::swap(graph, changed);
        ++(on_it == Time() ? beside : on_path);
        ASSERT_LE(sooner, end) << describe(setup);
        // Where collectives and computations slow each other down, a step gains that, too.
        if (!setup.contended) {
          ASSERT_GE(sooner, end - on_it) << describe(setup);
        }
      }
    }
  }
  EXPECT_GT(on_path, 50);
  EXPECT_GT(beside, 50);
}

}  // namespace
}  // namespace orrery::core::test::explained_paths_test
