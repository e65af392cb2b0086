// Compares pipelines with closed forms and pictures.
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <string>

#include "report/summary/summary.hpp"
#include "simulate/run/simulation.hpp"
#include "support/one_collective.hpp"
#include "workload/pipeline/pipeline_program.hpp"

namespace orrery::core::test::pipeline_test {
namespace {

struct Pipeline {
  PipelineSchedule schedule = PipelineSchedule::one_forward_one_backward;
  int stages = 4, micro_batches = 4, virtual_stages = 1;
  int replicas = 1;
  Bytes output = {};
  Bytes gradients = {};
  double latency_ns = 0;
  int passes = 1;
};

constexpr int forward_ns = 100, input_gradient_ns = 120, weight_gradient_ns = 80;

// A layer per chunk, all alike; the first has no input gradient, so its weight gradient takes as long.
LayerTable table_of(const Pipeline& p) {
  LayerTable table;
  table.pipeline = PipelineOptions{p.schedule, p.micro_batches, p.virtual_stages, "", {}, {}};
  for (int i = 0; i < p.stages * p.virtual_stages; ++i) {
    Layer layer;
    layer.name = "layer" + std::to_string(i);
    layer.forward.compute = Time::from_ns(forward_ns);
    layer.input_gradient.compute = Time::from_ns(i == 0 ? 0 : input_gradient_ns);
    layer.weight_gradient.compute = Time::from_ns(weight_gradient_ns + (i == 0 ? input_gradient_ns : 0));
    if (p.gradients > Bytes()) {
      layer.weight_gradient.collective = CollectiveKind::all_reduce;
      layer.weight_gradient.size = p.gradients;
    }
    layer.output = p.output;
    table.layers.push_back(layer);
  }
  return table;
}

// Stages are neighbours in the outer ring; a byte takes a nanosecond.
Machine machine_of(const Pipeline& p) {
  AlgorithmChoice ring;
  const Dimension inner = make_dimension(Block::ring, p.replicas, 2, Bandwidth::from_gb_per_s(0.5), 0);
  const Dimension outer =
      make_dimension(Block::ring, p.stages, 2, Bandwidth::from_gb_per_s(0.5), p.latency_ns);
  Machine machine = make_machine({inner, outer}, {ring, ring}, native_dialect);
  machine.system.endpoint_delay = Time();
  return machine;
}

struct Trained {
  Program program;
  Recording recording;
  Summary summary;
};

Trained run(const Pipeline& p) {
  const Machine machine = machine_of(p);
  Trained result;
  result.program = pipeline_program(table_of(p), machine.topology, p.passes, native_dialect, {});
  result.recording = simulate(result.program, machine, plan_simulation(result.program, machine));
  result.summary = summarize("run", p.passes, result.program, machine, result.recording,
                             breakdown_of(result.program, result.recording));
  return result;
}

// Stages that end before the last one are idle, which is a part of what is called a pipeline's bubble.
double bubble_share(const Trained& run) {
  return (run.summary.time.bubble + run.summary.time.idle).ns() / run.summary.time.compute.ns();
}

TEST(Pipeline, BubbleOfEqualStagesIsTheClosedForm) {
  for (const int p : {1, 2, 4, 7}) {
    for (const int groups : {1, 2, 5}) {
      const int m = groups * p;
      const double share = double(p - 1) / m;
      EXPECT_DOUBLE_EQ(bubble_share(run({PipelineSchedule::gpipe, p, m})), share) << p << " " << m;
      EXPECT_DOUBLE_EQ(bubble_share(run({PipelineSchedule::gpipe_reversed, p, m})), share);
      EXPECT_DOUBLE_EQ(bubble_share(run({PipelineSchedule::one_forward_one_backward, p, m})), share);
      for (const int v : {1, 2, 3})
        EXPECT_DOUBLE_EQ(bubble_share(run({PipelineSchedule::interleaved, p, m, v})), share / v)
            << p << " " << m << " " << v;
    }
  }
}

TEST(Pipeline, MicroBatchesNeedNotBeMoreThanStages) {
  for (const int m : {1, 2, 3})
    EXPECT_DOUBLE_EQ(bubble_share(run({PipelineSchedule::one_forward_one_backward, 4, m})), 3.0 / m);
}

// Returns when which micro-batch is where: a letter per 100 ns, lower case in the backward pass, which takes
// twice as long.
std::string picture(const Trained& run) {
  std::string text;
  for (std::size_t stage = 0; stage < run.program.parts.size(); ++stage) {
    std::string line(static_cast<std::size_t>(run.recording.end().ns() / 100), '.');
    const ExecutionGraph& graph = run.program.parts[stage].graph;
    for (ExecutionGraph::Id id = 0; id < graph.size(); ++id) {
      if (graph[id].kind != OperationKind::compute) continue;
      const Interval& interval = run.recording.lowest_of(stage).operations[id];
      const char first = graph[id].pass == Pass::forward ? 'A' : 'a';
      for (double ns = interval.start.ns(); ns < interval.end.ns(); ns += 20)
        line[static_cast<std::size_t>(ns / 100)] = static_cast<char>(first + graph[id].micro_batch);
    }
    text += line + "\n";
  }
  return text;
}

// Four stages, four micro-batches.
TEST(Pipeline, FourStagesFourMicroBatchesGPipe) {
  EXPECT_EQ(picture(run({PipelineSchedule::gpipe, 4, 4})),
            "ABCD.........aabbccdd\n"
            ".ABCD......aabbccdd..\n"
            "..ABCD...aabbccdd....\n"
            "...ABCDaabbccdd......\n");
}

// Huang et al., 2019, figure 2c.
TEST(Pipeline, FourStagesFourMicroBatchesGPipeReversed) {
  EXPECT_EQ(picture(run({PipelineSchedule::gpipe_reversed, 4, 4})),
            "ABCD.........ddccbbaa\n"
            ".ABCD......ddccbbaa..\n"
            "..ABCD...ddccbbaa....\n"
            "...ABCDddccbbaa......\n");
}

// The last backward pass is that of the first micro-batch: gradients are exchanged after it. Two replicas in
// a ring need 2 steps of 500 bytes, which take 500 ns each. A stage's one layer is its last, so that nothing
// hides its exchange but the stages that are still computing: stage i ends (p - 1 - i) (forward + backward)
// early.
TEST(Pipeline, ReversedGPipeExchangesGradientsAfterItsFirstMicroBatch) {
  for (const auto schedule : {PipelineSchedule::gpipe, PipelineSchedule::gpipe_reversed}) {
    for (const int m : {1, 4, 9}) {
      Pipeline p{schedule, 4, m, 1, 2};
      p.gradients = Bytes(1000);
      EXPECT_EQ(run(p).summary.total.ns(), (m + 3) * 300 + 2 * 500) << m;
    }
  }
}

TEST(Pipeline, FourStagesFourMicroBatchesOneForwardOneBackward) {
  EXPECT_EQ(picture(run({PipelineSchedule::one_forward_one_backward, 4, 4})),
            "ABCD......aa.bb.cc.dd\n"
            ".ABC....aaDbb.cc.dd..\n"
            "..AB..aaCbbDcc.dd....\n"
            "...AaaBbbCccDdd......\n");
}

TEST(Pipeline, StagesKeepWhatIsInFlight) {
  const Trained one = run({PipelineSchedule::one_forward_one_backward, 4, 8});
  for (int stage = 0; stage < 4; ++stage)
    EXPECT_EQ(one.summary.parts[stage].micro_batches_in_flight, 4 - stage);
  EXPECT_EQ(run({PipelineSchedule::gpipe, 4, 8}).summary.parts[3].micro_batches_in_flight, 8);
  EXPECT_EQ(run({PipelineSchedule::interleaved, 4, 8, 2}).summary.parts[0].micro_batches_in_flight, 5.5);
}

// One micro-batch through p stages waits 2 (p - 1) times for a message of 1000 bytes.
TEST(Pipeline, MessagesTakeLatencyAndBytes) {
  Pipeline p{PipelineSchedule::gpipe, 3, 1};
  p.output = Bytes(1000);
  p.latency_ns = 50;
  const Trained one = run(p);
  EXPECT_EQ(one.summary.total.ns(), 3 * 300 + 2 * 2 * 1050);
  // A stage waits for a message from each one before it, for two from each one behind it, and at the end for
  // the message that it sends. Meanwhile others compute. When that message has arrived, the others go on.
  EXPECT_EQ(one.summary.time.exposed.ns(), (4 + (1 + 2 + 1) + (2 + 1)) * 1050 / 3.0);
  EXPECT_EQ(one.summary.time.bubble.ns(), ((300 + 300) + (100 + 300) + (100 + 100)) / 3.0);
  EXPECT_EQ(one.summary.time.idle.ns(), (200 + (2 * 200 + 1050)) / 3.0);
  EXPECT_EQ(one.recording.messages, 4u);
}

// Twelve micro-batches hide messages behind compute: a message takes less than a forward pass, so only
// filling and draining the pipeline shows them.
TEST(Pipeline, ManyMicroBatchesHideMessages) {
  Pipeline p{PipelineSchedule::gpipe, 4, 12};
  p.output = Bytes(60);
  // Stages wait for as many messages as above, and the last one for the last message alone.
  EXPECT_EQ(run(p).summary.time.exposed.ns(), (6 + (1 + 4 + 1) + (2 + 2 + 1) + (3 + 1)) * 60 / 4.0);
}

// Both chunks of a stage exchange their gradients once, while the backward pass goes on. Three replicas in a
// ring need 4 steps of 100 bytes, which take 100 ns each.
TEST(Pipeline, GradientsAreReducedAmongTheRanksOfAStage) {
  Pipeline p{PipelineSchedule::interleaved, 2, 4, 2, 3};
  p.gradients = Bytes(300);
  const Trained one = run(p);
  // The first chunk's is all that nothing hides.
  EXPECT_EQ(one.summary.time.exposed.ns(), 4 * 100);
  for (std::size_t stage = 0; stage < one.recording.parts.size(); ++stage) {
    const std::vector<Bytes>& payload = one.recording.phases_of(stage)->payload;
    EXPECT_EQ(payload[0], Bytes(2 * 4 * 100));
    EXPECT_EQ(payload[1], Bytes());
  }
  EXPECT_EQ(one.summary.parts[0].npus, 3u);
}

TEST(Pipeline, TrainingStepsFollowOneAnother) {
  Pipeline p{PipelineSchedule::one_forward_one_backward, 4, 8, 1, 2};
  p.gradients = Bytes(1000);
  const Trained once = run(p);
  p.passes = 3;
  const Trained thrice = run(p);
  ASSERT_EQ(thrice.summary.iteration_ends.size(), 3u);
  EXPECT_EQ(thrice.summary.iteration_ends[0], once.summary.total);
  EXPECT_EQ(thrice.summary.time.compute, once.summary.time.compute * 3);
  // A stage begins its next step when its own gradients are there, so steps overlap.
  EXPECT_LE(thrice.summary.total, once.summary.total * 3);
}

TEST(Pipeline, AloneMessagesTakeTheSameOnAllNetworks) {
  Pipeline p{PipelineSchedule::one_forward_one_backward, 4, 6};
  p.output = Bytes(60);  // takes less than a pass, so no message meets another
  p.latency_ns = 20;
  const Machine machine = machine_of(p);
  const Program program = pipeline_program(table_of(p), machine.topology, 1, native_dialect, {});
  const Recording shared = simulate(program, machine, plan_simulation(program, machine));
  for (const NetworkModel model : {&link_model, &fluid_model}) {
    Machine other = machine;
    other.network.model = model;
    const Recording met = simulate(program, other, plan_simulation(program, other));
    EXPECT_EQ(shared.end(), met.end());
    ASSERT_FALSE(met.links.empty());
    ASSERT_EQ(shared.links.size(), met.links.size());
    EXPECT_EQ(shared.links[0].load, met.links[0].load);
  }
}

}  // namespace
}  // namespace orrery::core::test::pipeline_test
