#include "workload/training/stages/stage_cost.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numeric>

#include "collective/library/library_time.hpp"
#include "workload/parallelism/gradient_exchange.hpp"
#include "workload/training/stages/exchange_lane.hpp"
#include "workload/transformer/blocks/transformer_blocks.hpp"

namespace orrery::core {

struct StageCosts::Layer {
  const BlockCost& cost;
  const BlockParameters& parameters;
  Time gather, reduction;  // of its weights and its gradients by themselves
};

namespace {

template <class Layer>
BlockTime with_exchanges(const std::vector<const Layer*>& layers, BlockTime BlockCost::*pass, bool reduces) {
  BlockTime sum;
  std::vector<OverlappedLayer> overlapped;
  for (const Layer* layer : layers) {
    const BlockTime& time = layer->cost.*pass;
    overlapped.push_back(
        {time.total, contention_of(time), layer->gather, reduces ? layer->reduction : Time()});
    sum += time;
  }
  const OverlapCosts costs = costs_of_overlap(overlapped);
  const Time waits = std::accumulate(costs.waits.begin(), costs.waits.end(), costs.wait_at_end);
  const Time longer = std::accumulate(costs.longer.begin(), costs.longer.end(), Time());
  sum.exposed[static_cast<std::size_t>(Axis::data)] += Seconds::of(waits);
  sum.compute += Seconds::of(longer);
  sum.contended += Seconds::of(longer);
  for (Seconds* const total : {&sum.total, &sum.beside}) *total += Seconds::of(waits + longer);
  return sum;
}

bool communicates(const OverlappedLayer& layer) {
  return layer.gather > Time() || layer.reduction > Time();
}

}  // namespace

Time ParameterExchange::alone() const {
  return std::accumulate(times.begin(), times.end(), Time());
}

OverlapCosts costs_of_overlap(const std::vector<OverlappedLayer>& layers) {
  OverlapCosts costs{std::vector<Time>(layers.size()), std::vector<Time>(layers.size()), {}};
  if (std::ranges::none_of(layers, communicates)) return costs;
  ExchangeLane lane;
  Time now;
  constexpr std::size_t none = std::numeric_limits<std::size_t>::max();
  const auto begin_gather = [&](const OverlappedLayer& layer) {
    return layer.gather > Time() ? lane.add(now, layer.gather) : none;
  };
  std::size_t gather = begin_gather(layers.front());  // of the next layer's weights
  for (std::size_t i = 0; i < layers.size(); ++i) {
    // A layer without a gather does not wait for the reductions before it.
    const Time gathered = gather == none ? now : lane.end_of(gather);
    costs.waits[i] = std::max(Time(), gathered - now);
    now += costs.waits[i];
    gather = i + 1 < layers.size() ? begin_gather(layers[i + 1]) : none;
    const Time alone = layers[i].total.rounded(), end = lane.compute(now, alone, layers[i].contention);
    costs.longer[i] = end - now - alone;
    now = end;
    if (layers[i].reduction > Time()) lane.add(now, layers[i].reduction);
  }
  costs.wait_at_end = std::max(Time(), lane.end_of_all() - now);
  return costs;
}

BlockTime ChunkCost::all_of_backward() const {
  BlockTime sum;
  for (const BackwardPiece& piece : backward) sum += piece.time;
  return sum;
}

Operator optimizer_step(double parameters, Optimizer optimizer, Precision precision) {
  const ParameterState bytes = bytes_per_parameter(optimizer, precision);
  // Everything is read once, and all but the gradients is written.
  constexpr double operations = 11;
  Elementwise work;
  work.flops = operations * parameters;
  const double element = bytes_of(Datatype::fp32);
  work.elements_read = static_cast<std::uint64_t>(parameters * bytes.total() / element);
  work.elements_written =
      static_cast<std::uint64_t>(parameters * (bytes.weights + bytes.optimizer) / element);
  return {"optimizer", work, Datatype::fp32};
}

StageCosts::StageCosts(const TrainingSetup& setup) : StageCosts(setup, *std::make_unique<BlockCosts>()) {}

StageCosts::StageCosts(const TrainingSetup& setup, BlockCosts& blocks)
    : setup_(setup),
      blocks_(&blocks),
      parts_(blocks.parts(setup)),
      mesh_(setup.mesh()),
      communicators_(setup) {
  for (const Communicator& communicator : communicators_.all())
    placements_.push_back(placement_of(communicator, setup.gpus_per_node()));
  std::vector<StageParts> known;
  for (std::size_t stage = 0; stage < setup.plan.pipeline; ++stage) {
    StageParts parts = parts_of(stage);
    const auto found = std::find(known.begin(), known.end(), parts);
    kinds_.push_back(static_cast<std::size_t>(found - known.begin()));
    if (found != known.end()) continue;
    costs_.push_back(cost_of(parts));
    known.push_back(std::move(parts));
  }
  blocks_ = nullptr;
  layers_ = {};
}

const StageCosts::Layer& StageCosts::layer_of(BlockKind kind) {
  auto& layer = layers_[static_cast<std::size_t>(kind)];
  if (!layer) {
    const BlockParameters& parameters = parts_[static_cast<std::size_t>(kind)];
    const bool gradients_in_parts = setup_.plan.zero >= 2;
    layer = std::make_shared<const Layer>(Layer{blocks_->of(kind, setup_), parameters,
                                                weights(parameters).alone(),
                                                gradients_in_parts ? reduction(parameters).alone() : Time()});
  }
  return *layer;
}

StageCosts::StageParts StageCosts::parts_of(std::size_t stage) const {
  const TransformerPlan& plan = setup_.plan;
  StageParts parts{blocks_of_stage(setup_.model, plan, stage)};
  const bool last = stage + 1 == plan.pipeline;
  parts.shares_embedding = setup_.model.tied_embeddings && plan.pipeline > 1 && (stage == 0 || last);
  return parts;
}

StageCost StageCosts::cost_of(const StageParts& parts) {
  StageCost cost;
  for (const std::vector<BlockKind>& blocks : parts.chunks) add_chunk(blocks, cost);
  finish(parts, cost);
  return cost;
}

void StageCosts::add_chunk(const std::vector<BlockKind>& blocks, StageCost& cost) {
  std::vector<const Layer*> layers;
  for (const BlockKind kind : blocks) layers.push_back(&layer_of(kind));

  for (const Layer* layer : layers) cost.parameters += layer->parameters;
  BlockTime besides;  // what the framework takes for a pass
  besides.total = besides.compute = besides.without_communication = besides.beside =
      Seconds::of(setup_.stack.time_per_pass);

  ChunkCost& one = cost.chunks.emplace_back();
  one.forward = with_exchanges(layers, &BlockCost::forward, false);
  one.forward += besides;
  std::ranges::reverse(layers);
  if (setup_.plan.zero >= 2) {
    one.backward.push_back({with_exchanges(layers, &BlockCost::backward, true), {}});
  } else {
    for (const Layer* layer : layers) one.backward.push_back({layer->cost.backward, layer->parameters});
    if (one.backward.empty()) one.backward.emplace_back();  // a stage between others may have no layers
  }
  if (!setup_.plan.forward_only) one.backward.front().time += besides;
}

// An all-gather's request names what each rank contributes.
ParameterExchange StageCosts::exchange(ExchangeMoment moment, const BlockParameters& parameters) const {
  const TransformerPlan& plan = setup_.plan;
  if (plan.forward_only) return {};
  const ParameterState bytes = bytes_per_parameter(setup_.optimizer, setup_.precision);
  ParameterExchange made;
  for (const bool of_experts : {false, true}) {
    const std::uint64_t count = of_experts ? parameters.experts : parameters.dense;
    if (count == 0) continue;
    const std::uint64_t shards = plan.shards(of_experts);
    for (const GradientExchange& one : gradient_exchanges(plan.zero, shards < plan.copies(of_experts))) {
      if (one.moment != moment) continue;
      double size = static_cast<double>(count) * (one.of_weights ? bytes.weights : bytes.gradients);
      if (one.among_copies) size /= static_cast<double>(shards);
      const std::uint32_t group = plan.zero == 0     ? communicators_.same(of_experts)
                                  : one.among_copies ? communicators_.copies(of_experts)
                                                     : communicators_.shards(of_experts);
      if (placements_[group].members == 1) continue;
      if (one.kind == CollectiveKind::all_gather) size /= placements_[group].members;
      CollectiveRequest request{one.kind, Bytes::rounded(size), DimensionSet().set()};
      request.communicator = group;
      request.efficiency = setup_.stack.sharding_efficiency;
      made.times.push_back(setup_.transfers
                               ? setup_.transfers->collective(request, communicators_[group]).rounded()
                           : setup_.library ? time_of(*setup_.library, request, placements_[group])
                                            : Time());
      made.requests.push_back(request);
    }
  }
  return made;
}

ParameterExchange StageCosts::reduction(const BlockParameters& parameters) const {
  return exchange(ExchangeMoment::after_backward, parameters);
}

ParameterExchange StageCosts::weights(const BlockParameters& parameters) const {
  return exchange(ExchangeMoment::before_forward, parameters);
}

Bytes StageCosts::message() const {
  return Bytes::rounded(stage_boundary_bytes(setup_.model, setup_.plan));
}

Time StageCosts::message_time(std::size_t from, std::size_t to) const {
  if (setup_.transfers) return setup_.transfers->messages(message(), distance(from, to)).rounded();
  const auto gpus = static_cast<std::uint64_t>(setup_.gpus_per_node());
  const bool same_node = mesh_.first_of_stage(from) / gpus == mesh_.first_of_stage(to) / gpus;
  return Seconds(setup_.library->send_seconds(message().as_double(), same_node)).rounded();
}

std::uint64_t StageCosts::distance(std::size_t from, std::size_t to) const {
  return mesh_.first_of_stage(std::max(from, to)) - mesh_.first_of_stage(std::min(from, to));
}

void StageCosts::finish(const StageParts& parts, StageCost& cost) const {
  if (setup_.plan.forward_only) return;
  const bool shared = setup_.plan.zero >= 1;
  const auto updated_part = [&](std::uint64_t parameters, bool of_experts) {
    return static_cast<double>(parameters) /
           (shared ? static_cast<double>(setup_.plan.shards(of_experts)) : 1.0);
  };
  cost.updated = updated_part(cost.parameters.dense, false) + updated_part(cost.parameters.experts, true);
  cost.optimizer = Seconds(
      setup_.device.model->cost(optimizer_step(cost.updated, setup_.optimizer, setup_.precision)).seconds);
  const ParameterState bytes = bytes_per_parameter(setup_.optimizer, setup_.precision);
  if (parts.shares_embedding) {
    const std::uint64_t columns = padded_vocabulary(setup_.model, setup_.plan) / setup_.plan.tensor;
    const auto embedding = static_cast<double>(columns * setup_.model.hidden);
    const bool one_node = mesh_.ranks() <= static_cast<std::uint64_t>(setup_.gpus_per_node());
    cost.embedding_gradients = Bytes::rounded(bytes.gradients * embedding);
    // Without a library, the two stages send each other all of them.
    if (setup_.transfers)
      cost.shared_embedding =
          setup_.transfers->messages(cost.embedding_gradients, distance(0, setup_.plan.pipeline - 1));
    else if (setup_.library)
      cost.shared_embedding = Seconds(setup_.library->seconds(
          CollectiveKind::all_reduce, bytes.gradients * embedding, {2, one_node ? 2 : 1}));
  }
  cost.gather = exchange(ExchangeMoment::after_optimizer, cost.parameters);
}

}  // namespace orrery::core
