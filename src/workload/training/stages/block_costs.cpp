#include "workload/training/stages/block_costs.hpp"

#include "collective/library/library_time.hpp"
#include "workload/training/training_communicators.hpp"
#include "workload/transformer/blocks/transformer_blocks.hpp"

namespace orrery::core {

namespace {

GroupPlacement placement_along(Axis axis, const TrainingSetup& setup, const RankMesh& mesh) {
  return placement_of(mesh.communicator({}, std::array{mesh_axis(axis)}), setup.gpus_per_node());
}

BlockCost cost_of_block(const RankBlock& block, const TrainingSetup& setup) {
  const ExchangeTime exchange = exchange_time_of(setup);
  const auto timed = [&](const std::vector<Step>& steps) {
    return launched_by_host(time_of_steps(steps, device_of(setup), exchange),
                            setup.stack.host_time_per_operator, setup.stack.host_time_per_exchange);
  };
  return {timed(block.forward), timed(block.backward)};
}

}  // namespace

ExchangeTime exchange_time_of(const TrainingSetup& setup) {
  if (setup.exchange_time) return setup.exchange_time;
  if (setup.transfers)
    return [times = setup.transfers, communicators = TrainingCommunicators(setup)](const Exchange& one) {
      const CollectiveRequest request = request_of(one, communicators);
      return times->collective(request, communicators[request.communicator]);
    };
  if (!setup.library) return [](const Exchange&) { return Seconds(); };
  return [&setup, mesh = setup.mesh()](const Exchange& one) {
    return Seconds(setup.library->seconds(one.kind, one.bytes, placement_along(one.axis, setup, mesh))) /
           setup.stack.exchange_efficiency;
  };
}

RankBlock block_of(BlockKind kind, const TrainingSetup& setup) {
  return rank_block(kind, setup.model, plan_of_blocks(setup.plan));
}

RankDevice device_of(const TrainingSetup& setup) {
  return {*setup.device.model,
          {setup.stack.kernel_slowdown, setup.stack.elementwise_slowdown},
          setup.contended.get()};
}

TransformerPlan plan_of_blocks(const TransformerPlan& plan) {
  TransformerPlan blocks = plan;
  blocks.pipeline = blocks.chunks = 1;
  blocks.layers_per_chunk.clear();
  blocks.zero = 0;
  blocks.shard = 0;
  blocks.data = plan.data > plan.expert ? 2 * plan.expert : plan.expert;
  blocks.global_batch = blocks.micro_batch * blocks.data;
  return blocks;
}

TransformerPlan plan_of_weights(const TransformerPlan& plan) {
  TransformerPlan weights = plan_of_blocks(plan);
  weights.sequence_parallel = false;
  weights.recompute = Recompute::none;
  weights.micro_batch = 1;
  weights.global_batch = weights.data;
  return weights;
}

BlockCosts::Key BlockCosts::key_of(BlockKind kind, const TrainingSetup& setup) {
  Key key{kind, plan_of_blocks(setup.plan), {}, {}};
  const RankMesh mesh = setup.mesh();
  for (const Axis axis : all_axes) {
    // Only the embedding's block exchanges something with ranks that have other samples.
    if (axis == Axis::data && kind != BlockKind::embedding) continue;
    const auto place = static_cast<std::size_t>(axis);
    key.placement[place] = placement_along(axis, setup, mesh);
    if (setup.transfers) key.strides[place] = mesh.stride(mesh_axis(axis));
  }
  return key;
}

std::size_t BlockCosts::Hash::operator()(const TransformerPlan& plan) const {
  std::size_t hash = 0;
  for (const std::uint64_t part :
       {plan.tensor, plan.context, plan.expert, plan.data, plan.micro_batch,
        static_cast<std::uint64_t>(plan.sequence_parallel), static_cast<std::uint64_t>(plan.recompute)})
    hash = hash * 1'000'003 + part;
  return hash;
}

std::size_t BlockCosts::Hash::operator()(const Key& key) const {
  return (*this)(key.plan) * block_kinds + static_cast<std::size_t>(key.kind);
}

const BlockCost& BlockCosts::of(BlockKind kind, const TrainingSetup& setup) {
  const Key key = key_of(kind, setup);
  return costs_.get(key, [&] { return cost_of_block(rank_block(kind, setup.model, key.plan), setup); });
}

const ModelParts& BlockCosts::parts(const TrainingSetup& setup) {
  const TransformerPlan plan = plan_of_weights(setup.plan);
  return parts_.get(plan, [&] { return model_parts(setup.model, plan); });
}

}  // namespace orrery::core
