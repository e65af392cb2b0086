#include "report/training/training_result.hpp"

#include <algorithm>
#include <numeric>
#include <variant>

#include "workload/training/training_memory.hpp"
#include "workload/transformer/model_flops.hpp"

namespace orrery::core {

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

// Communicators behind those of the axes exchange gradients and weights.
std::array<Time, axis_count> by_axis(const std::vector<Time>& exposed_by_communicator) {
  std::array<Time, axis_count> by_axis{};
  for (std::size_t i = 0; i < exposed_by_communicator.size(); ++i)
    by_axis[i < axis_count ? i : static_cast<std::size_t>(Axis::data)] += exposed_by_communicator[i];
  return by_axis;
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

}  // namespace

TrainingResult training_result(const TrainingSetup& setup, const StageCosts& costs, const Program& program,
                               const Breakdown& breakdown) {
  TrainingResult result;
  result.step = breakdown.step;
  result.is_inference = setup.plan.forward_only;
  result.last_rank = breakdown.last_rank;
  result.rank_0_end = breakdown.classes.front().end;
  const auto stages = static_cast<double>(program.parts.size());
  for (std::size_t stage = 0; stage < program.parts.size(); ++stage) {
    const BlockTime busy = busy_of(costs.of(stage), static_cast<double>(setup.plan.micro_batches()));
    const ProgramPart& part = program.parts[stage];
    const PartTime& time = breakdown.parts[stage];
    result.stages.push_back({part.name, time.parts, by_axis(time.exposed), time.exposed_messages,
                             part.micro_batches_in_flight, memory_of_stage(setup, stage, costs.parts())});
    result.hardware_flops += busy.product_flops * static_cast<double>(setup.gpus()) / stages;
  }
  result.time = breakdown.mean;
  result.exposed = by_axis(breakdown.exposed);
  result.exposed_pipeline = breakdown.exposed_messages;

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

}  // namespace orrery::core
