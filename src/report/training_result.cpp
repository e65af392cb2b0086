#include "report/training_result.hpp"

#include <algorithm>
#include <numeric>
#include <variant>

#include "report/stage_times.hpp"
#include "workload/training/training_memory.hpp"
#include "workload/transformer/model_flops.hpp"

namespace orrery {

namespace {

// Returns how long a stage is busy with all micro-batches, without waiting.
BlockTime busy_of(const StageCost& cost, double micro_batches) {
  BlockTime busy;
  for (const ChunkCost& chunk : cost.chunks) {
    busy += chunk.forward;
    busy += chunk.all_of_backward();
  }
  return busy * micro_batches;
}

// Returns the time of a stage's operations if they wait for nothing but each other.
Time busy_time(const ExecutionGraph& graph) {
  Time busy;
  for (ExecutionGraph::Id id = 0; id < graph.size(); ++id)
    if (graph[id].kind == OperationKind::compute) busy += graph[id].duration;
  return busy;
}

// Returns the mean over stages, never more than the longest time.
template <class TimeOf>
Time mean_of(const std::vector<StageResult>& stages, TimeOf time_of) {
  __extension__ __int128 sum = 0;
  for (const StageResult& stage : stages) sum += time_of(stage).ps();
  return Time::from_ps(static_cast<std::int64_t>(sum / static_cast<std::int64_t>(stages.size())));
}

// Returns how long the rank that ends last waits for its exchanges of gradients and weights.
Time awaited_exchanges(const Program& program, const Recording& recording) {
  const RecordedClass last = last_of_step(program, recording);
  const ProgramPart& part = program.parts[last.part];
  const ExecutionGraph& graph = part.graph;
  const std::vector<Interval>& operations = *last.operations;
  Time waited;
  for (ExecutionGraph::Id id = 0; id < graph.size(); ++id) {
    const auto predecessors = graph.predecessors(id);
    if (predecessors.size() < 2 || graph[id].kind == OperationKind::collective) continue;
    const Time own = operations[predecessors[0]].end;
    Time exchanges = own;
    for (const ExecutionGraph::Id wait : predecessors.subspan(1))
      if (graph[wait].kind == OperationKind::collective)
        exchanges = std::max(exchanges, operations[wait].end);
    const Time hidden = graph[id].kind == OperationKind::end ? hidden_at_end(part, operations) : Time();
    waited += std::max(Time(), exchanges - own - hidden);
  }
  return waited;
}

// Returns how a stage's time is divided where each pass is one node, computed from the parts of its passes.
// The times are whole picoseconds that add up to the stage's time.
StageTimes times_of_whole_passes(const BlockTime& busy, const ProgramPart& part) {
  StageTimes times;
  times.compute = busy_time(part.graph);
  for (std::size_t axis = 0; axis < axis_count; ++axis) {
    times.exposed[axis] = std::min(times.compute, busy.exposed[axis].rounded());
    times.compute -= times.exposed[axis];
  }
  return times;
}

// Returns what the time of a stage's ranks goes to, in the mean.
StageTimes mean_stage_times(const ProgramPart& part, const std::vector<RecordedClass>& classes) {
  std::vector<StageTimes> times;
  for (const RecordedClass& of : classes) times.push_back(stage_times(part, *of.operations));
  StageTimes mean;
  mean.compute = mean_over_ranks(classes, [&](std::size_t i) { return times[i].compute; });
  for (std::size_t axis = 0; axis < axis_count; ++axis)
    mean.exposed[axis] = mean_over_ranks(classes, [&](std::size_t i) { return times[i].exposed[axis]; });
  return mean;
}

// Returns the kinds of collectives along each axis.
std::array<std::set<CollectiveKind>, axis_count> collectives_of(const TrainingSetup& setup,
                                                                const StageCosts& costs) {
  std::array<std::set<CollectiveKind>, axis_count> kinds;
  std::set<BlockKind> blocks;
  for (std::uint64_t stage = 0; stage < setup.plan.pipeline; ++stage)
    for (const std::vector<BlockKind>& chunk : blocks_of_stage(setup.model, setup.plan, stage))
      blocks.insert(chunk.begin(), chunk.end());
  for (const BlockKind kind : blocks) {
    const RankBlock block = block_of(kind, setup);
    for (const std::vector<Step>* steps : {&block.forward, &block.backward})
      for (const Step& step : *steps)
        if (const auto* exchange = std::get_if<Exchange>(&step.work))
          kinds[static_cast<std::size_t>(exchange->axis)].insert(exchange->kind);
  }
  for (std::size_t stage = 0; stage < setup.plan.pipeline; ++stage) {
    const StageCost& cost = costs.of(stage);
    for (const ParameterExchange& exchange :
         {costs.reduction(cost.parameters), costs.weights(cost.parameters), cost.gather})
      for (const CollectiveRequest& request : exchange.requests)
        kinds[static_cast<std::size_t>(Axis::data)].insert(request.kind);
  }
  return kinds;
}

// Collectives within passes take their time without communication between stages, too.
void share_out_idle_time(const Program& program, const Recording& recording, TrainingResult& result) {
  const Time free = recording.without_communication;
  result.bubble = free - result.compute - result.exposed_total();
  const Time data = std::min(result.step - free, awaited_exchanges(program, recording));
  result.exposed[static_cast<std::size_t>(Axis::data)] += data;
  result.exposed_pipeline = result.step - free - data;
}

// The time that stages wait beyond their own collectives is divided into two parts: it is bubble as far as
// there would be one without any communication, and the rest is messages.
void share_out_measured_idle_time(const Recording& recording, TrainingResult& result) {
  const Time idle = std::max(Time(), result.step - result.compute - result.exposed_total());
  result.bubble = std::clamp(recording.without_communication - result.compute, Time(), idle);
  result.exposed_pipeline = idle - result.bubble;
}

}  // namespace

Time TrainingResult::exposed_total() const {
  return std::accumulate(exposed.begin(), exposed.end(), exposed_pipeline);
}

TrainingResult training_result(const TrainingSetup& setup, const StageCosts& costs, const Program& program,
                               const Recording& recording, PassDetail detail) {
  TrainingResult result;
  const RecordedClass last = last_of_step(program, recording);
  result.step = end_of_stage(program, last);
  result.last_rank = last.rank;

  const auto stages = static_cast<double>(program.parts.size());
  std::vector<std::vector<RecordedClass>> of_stages(program.parts.size());
  for (const RecordedClass& of : recorded_classes(program, recording)) of_stages[of.part].push_back(of);
  for (std::size_t stage = 0; stage < program.parts.size(); ++stage) {
    const BlockTime busy = busy_of(costs.of(stage), static_cast<double>(setup.plan.micro_batches()));
    const ProgramPart& part = program.parts[stage];
    const StageTimes times = detail == PassDetail::one_node ? times_of_whole_passes(busy, part)
                                                            : mean_stage_times(part, of_stages[stage]);
    result.stages.push_back(
        {part.name, times, part.micro_batches_in_flight, memory_of_stage(setup, stage, costs.parts())});
    result.hardware_flops += busy.product_flops * static_cast<double>(setup.gpus()) / stages;
  }
  result.compute = mean_of(result.stages, [](const StageResult& stage) { return stage.times.compute; });
  for (std::size_t axis = 0; axis < axis_count; ++axis)
    result.exposed[axis] =
        mean_of(result.stages, [axis](const StageResult& stage) { return stage.times.exposed[axis]; });
  if (detail == PassDetail::one_node)
    share_out_idle_time(program, recording, result);
  else
    share_out_measured_idle_time(recording, result);

  result.collectives = collectives_of(setup, costs);

  result.tokens_per_second =
      static_cast<double>(setup.plan.global_batch * setup.model.sequence) / Seconds::of(result.step).count();
  result.model_flops = step_model_flops(setup.model, setup.plan);
  const Device& device = setup.device.facts;
  const double peak = device.product_peak(setup.plan.type);
  const double linear_peak = device.product_peak(setup.plan.linear_type.value_or(setup.plan.type));
  result.peak_flops = std::max(peak, linear_peak) * static_cast<double>(setup.gpus());
  return result;
}

}  // namespace orrery
