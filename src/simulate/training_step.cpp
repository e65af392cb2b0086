#include "simulate/training_step.hpp"

#include <algorithm>
#include <map>
#include <numeric>

#include "workload/training/step_clock.hpp"
#include "workload/training/training_memory.hpp"
#include "workload/training/training_program.hpp"
#include "workload/transformer/model_flops.hpp"

namespace orrery {

namespace {

// What a stage is busy with for all micro-batches.
BlockTime busy_of(const StageCost& cost, double micro_batches) {
  BlockTime busy;
  for (const ChunkCost& chunk : cost.chunks) {
    busy += chunk.forward;
    busy += chunk.all_of_backward();
  }
  return busy * micro_batches;
}

double end_of(const std::vector<StageRecording>& recordings) {
  Time end;
  for (const StageRecording& recording : recordings) end = std::max(end, recording.finish);
  return end.ns() * 1e-9;
}

// How long the stage that ends last waits for its exchanges of gradients and weights.
double awaited_exchanges(const ParallelProgram& program, const std::vector<StageRecording>& recordings) {
  const auto last =
      std::max_element(recordings.begin(), recordings.end(),
                       [](const StageRecording& a, const StageRecording& b) { return a.finish < b.finish; });
  const ExecutionGraph& graph = program.parts[static_cast<std::size_t>(last - recordings.begin())].graph;
  Time waited;
  for (ExecutionGraph::Id id = 0; id < graph.size(); ++id) {
    const auto predecessors = graph.predecessors(id);
    if (predecessors.size() < 2) continue;
    Time own = last->operations[predecessors[0]].end, exchanges = own;
    for (const ExecutionGraph::Id wait : predecessors.subspan(1))
      if (graph[wait].kind == OperationKind::collective)
        exchanges = std::max(exchanges, last->operations[wait].end);
    waited += exchanges - own;
  }
  return waited.ns() * 1e-9;
}

// What messages take, worked out once for each pair of stages.
class KnownMessages {
 public:
  explicit KnownMessages(const StageCosts& costs) : costs_(costs) {}

  double operator()(std::size_t from, std::size_t to) {
    const auto [known, first] = seconds_.try_emplace({from, to}, 0.0);
    if (first) known->second = costs_.send_seconds(from, to);
    return known->second;
  }

 private:
  const StageCosts& costs_;
  std::map<std::pair<std::size_t, std::size_t>, double> seconds_;
};

StageResult stage_result(const TrainingSetup& setup, std::size_t stage, const StageCost& cost,
                         const BlockTime& busy, const ProgramPart& part, const ModelParts& parts) {
  StageResult result;
  result.name = part.name;
  result.compute = busy.compute + cost.optimizer;
  result.exposed = busy.exposed;
  result.micro_batches_in_flight = part.micro_batches_in_flight;
  result.memory = memory_of_stage(setup, stage, parts);
  return result;
}

}  // namespace

double TrainingResult::exposed_total() const {
  return std::accumulate(exposed.begin(), exposed.end(), exposed_pipeline);
}

double training_step_seconds(const TrainingSetup& setup) {
  BlockCosts blocks;
  return training_step_seconds(setup, blocks);
}

double training_step_seconds(const TrainingSetup& setup, BlockCosts& blocks) {
  return training_step_end(setup, StageCosts(setup, blocks)).ns() * 1e-9;
}

TrainingResult simulate_training_step(const TrainingSetup& setup) {
  const StageCosts costs(setup);
  const ModelParts parts = model_parts(setup.model, setup.plan);
  TrainingResult result;
  result.program = training_program(setup, costs);
  const MessageSeconds message = KnownMessages(costs);
  result.recordings = simulate_training(result.program, message);
  result.step = end_of(result.recordings);

  const auto stages = static_cast<double>(result.program.parts.size());
  for (std::size_t stage = 0; stage < result.program.parts.size(); ++stage) {
    const BlockTime busy = busy_of(costs.of(stage), static_cast<double>(setup.plan.micro_batches()));
    const StageResult& one = result.stages.emplace_back(
        stage_result(setup, stage, costs.of(stage), busy, result.program.parts[stage], parts));
    result.hardware_flops += busy.product_flops * static_cast<double>(setup.gpus()) / stages;
    result.compute += one.compute / stages;
    for (std::size_t axis = 0; axis < axis_count; ++axis) result.exposed[axis] += one.exposed[axis] / stages;
  }
  const double busy = result.compute + result.exposed_total();
  const double free = end_of(simulate_training(result.program, message, false));
  result.bubble = std::max(0.0, free - busy);
  // Operations are simulated in whole picoseconds: a step may end a rounding before what keeps it busy.
  const double rest = std::max(0.0, result.step - busy - result.bubble);
  const double data = std::min(rest, awaited_exchanges(result.program, result.recordings));
  result.exposed[static_cast<std::size_t>(Axis::data)] += data;
  result.exposed_pipeline = rest - data;

  result.tokens_per_second =
      static_cast<double>(setup.plan.global_batch * setup.model.sequence) / result.step;
  result.model_flops = step_model_flops(setup.model, setup.plan);
  result.peak_flops = setup.device.facts.product_peak(setup.plan.type) * static_cast<double>(setup.gpus());
  return result;
}

}  // namespace orrery
