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

// Returns the mean over stages, never more than the longest time.
template <class TimeOf>
Time mean_of(const std::vector<StageResult>& stages, TimeOf time_of) {
  __extension__ __int128 sum = 0;
  for (const StageResult& stage : stages) sum += time_of(stage).ps();
  return Time::from_ps(static_cast<std::int64_t>(sum / static_cast<std::int64_t>(stages.size())));
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

// Takes out of the compute time what passes that are one node wait for collectives along each axis, and what
// the update of an embedding that two stages share waits for their gradients.
void take_out_communication(const BlockTime& busy, const StageCost& cost, const TrainingSetup& setup,
                            PassDetail detail, StageTimes& times) {
  if (!setup.collectives_are_messages)
    times.compute -= std::min(times.compute, cost.shared_embedding.rounded());
  if (detail != PassDetail::one_node) return;
  for (std::size_t axis = 0; axis < axis_count; ++axis) {
    const Time exposed = std::min(times.compute, busy.exposed[axis].rounded());
    times.exposed[axis] += exposed;
    times.compute -= exposed;
  }
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

// The time that stages wait beyond their own collectives is divided into two parts: it is bubble as far as
// there would be one without any communication, and the rest is waiting for other stages.
void share_out_idle_time(const Recording& recording, TrainingResult& result) {
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
    StageTimes times = mean_stage_times(part, of_stages[stage]);
    take_out_communication(busy, costs.of(stage), setup, detail, times);
    result.stages.push_back(
        {part.name, times, part.micro_batches_in_flight, memory_of_stage(setup, stage, costs.parts())});
    result.hardware_flops += busy.product_flops * static_cast<double>(setup.gpus()) / stages;
  }
  result.compute = mean_of(result.stages, [](const StageResult& stage) { return stage.times.compute; });
  for (std::size_t axis = 0; axis < axis_count; ++axis)
    result.exposed[axis] =
        mean_of(result.stages, [axis](const StageResult& stage) { return stage.times.exposed[axis]; });
  share_out_idle_time(recording, result);

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
