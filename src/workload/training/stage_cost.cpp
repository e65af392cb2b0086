#include "workload/training/stage_cost.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "workload/parallelism/gradient_exchange.hpp"
#include "workload/transformer/transformer_blocks.hpp"

namespace orrery {

namespace {

// Layers that compute one after the other, while the weights of the next one are gathered (`before`) and the
// gradients of the last one reduced (`after`).
BlockTime with_exchanges(const std::vector<BlockTime>& layers, const std::vector<double>& before,
                         const std::vector<double>& after) {
  BlockTime sum;
  double now = 0, lane = 0, gathered = before.empty() ? 0 : before.front();
  for (std::size_t i = 0; i < layers.size(); ++i) {
    lane = std::max(lane, i == 0 ? gathered : 0.0);
    now = std::max(now, gathered);
    if (i + 1 < layers.size()) {
      lane = std::max(lane, now) + before[i + 1];
      gathered = lane;
    }
    now += layers[i].seconds;
    sum += layers[i];
    lane = std::max(lane, now) + after[i];
  }
  const double end = std::max(now, lane);
  sum.exposed[static_cast<std::size_t>(Axis::data)] += end - sum.seconds;
  sum.seconds = end;
  return sum;
}

}  // namespace

struct StageCosts::Layer {
  BlockTime forward, backward;
  double dense = 0, experts = 0;  // parameters of a rank
};

BlockTime ChunkCost::all_of_backward() const {
  BlockTime sum;
  for (const BackwardPiece& piece : backward) sum += piece.time;
  return sum;
}

Slowdown slowdown_of(const SoftwareStack& stack) {
  return {stack.kernel_slowdown, stack.elementwise_slowdown};
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

StageCosts::StageCosts(const TrainingSetup& setup) : setup_(setup), mesh_(setup.mesh()) {
  for (std::size_t stage = 0; stage < setup.plan.pipeline; ++stage) {
    StageCost cost;
    for (std::size_t chunk = 0; chunk < setup.plan.chunks; ++chunk)
      add_chunk(stage + chunk * setup.plan.pipeline, cost);
    finish(stage, cost);
    stages_.push_back(std::move(cost));
  }
}

GroupPlacement StageCosts::placement(std::initializer_list<MeshAxis> axes) const {
  return mesh_.placement(std::vector<MeshAxis>(axes),
                         static_cast<std::uint64_t>(setup_.library.links().gpus_per_node));
}

ExchangeSeconds StageCosts::exchange() const {
  return [this](const Exchange& one) {
    return setup_.library.seconds(one.kind, one.bytes, placement({mesh_axis(one.axis)})) /
           setup_.stack.exchange_efficiency;
  };
}

StageCosts::Layer StageCosts::layer_of(const RankBlock& block) const {
  Layer layer;
  const auto timed = [&](const std::vector<Step>& steps) {
    return launched_by_host(time_of_steps(steps, *setup_.device.model, exchange(), slowdown_of(setup_.stack)),
                            setup_.stack.host_seconds_per_operator, setup_.stack.host_seconds_per_exchange);
  };
  layer.forward = timed(block.forward);
  layer.backward = timed(block.backward);
  for (const Parameter& parameter : block.parameters) {
    const auto& axes = parameter.gradient_axes;
    const bool dense =
        setup_.plan.expert == 1 || std::find(axes.begin(), axes.end(), Axis::expert) != axes.end();
    (dense ? layer.dense : layer.experts) += static_cast<double>(parameter.elements);
  }
  return layer;
}

const StageCosts::Layer& StageCosts::layer_kind(bool with_experts) {
  auto& kind = kinds_[with_experts ? 1 : 0];
  if (!kind)
    kind = std::make_shared<const Layer>(layer_of(layer_block(setup_.model, setup_.plan, with_experts)));
  return *kind;
}

void StageCosts::add_chunk(std::size_t chunk, StageCost& cost) {
  const std::vector<std::uint64_t> counts = setup_.plan.layers_of_chunks(setup_.model);
  std::uint64_t first = 0;
  for (std::size_t c = 0; c < chunk; ++c) first += counts[c];
  std::vector<Layer> layers;
  if (chunk == 0) layers.push_back(layer_of(embedding_block(setup_.model, setup_.plan)));
  for (std::uint64_t i = first; i < first + counts[chunk]; ++i)
    layers.push_back(layer_kind(setup_.model.has_experts(i)));
  if (chunk + 1 == counts.size()) layers.push_back(layer_of(head_block(setup_.model, setup_.plan)));

  ChunkCost& one = cost.chunks.emplace_back();
  std::vector<BlockTime> forward, backward;
  std::vector<double> gathers, reductions, nothing(layers.size(), 0.0);
  const bool gradients_in_parts = setup_.plan.zero >= 2;
  for (const Layer& layer : layers) {
    forward.push_back(layer.forward);
    gathers.push_back(exchange_seconds(ExchangeMoment::before_forward, layer.dense, layer.experts));
    cost.dense_parameters += layer.dense;
    cost.expert_parameters += layer.experts;
  }
  BlockTime pass;  // what the framework takes for it
  pass.seconds = pass.compute = setup_.stack.seconds_per_pass;
  one.forward = with_exchanges(forward, gathers, nothing);
  one.forward += pass;
  if (!gradients_in_parts) {
    for (auto layer = layers.rbegin(); layer != layers.rend(); ++layer)
      one.backward.push_back({layer->backward, layer->dense, layer->experts});
    if (one.backward.empty()) one.backward.emplace_back();  // a stage between others may have no layers
    one.backward.front().time += pass;
    return;
  }
  for (std::size_t i = layers.size(); i-- > 0;) {
    backward.push_back(layers[i].backward);
    reductions.push_back(reduce_seconds(layers[i].dense, layers[i].experts));
  }
  std::reverse(gathers.begin(), gathers.end());
  one.backward.push_back({with_exchanges(backward, gathers, reductions), 0, 0});
  one.backward.front().time += pass;
}

double StageCosts::exchange_seconds(ExchangeMoment moment, double dense, double experts) const {
  const TransformerPlan& plan = setup_.plan;
  const ParameterState bytes = bytes_per_parameter(setup_.optimizer, setup_.precision);
  double seconds = 0;
  for (const bool of_experts : {false, true}) {
    const double parameters = of_experts ? experts : dense;
    if (parameters <= 0) continue;
    const std::uint64_t shards = plan.shards(of_experts);
    const GroupPlacement all = of_experts ? placement({MeshAxis::context, MeshAxis::data})
                                          : placement({MeshAxis::context, MeshAxis::expert, MeshAxis::data});
    for (const GradientExchange& exchange : gradient_exchanges(plan.zero, shards < plan.copies(of_experts))) {
      if (exchange.moment != moment) continue;
      double size = parameters * (exchange.of_weights ? bytes.weights : bytes.gradients);
      if (exchange.among_copies) size /= static_cast<double>(shards);
      const GroupPlacement group = plan.zero == 0          ? all
                                   : exchange.among_copies ? across_parts(all, shards)
                                                           : part_of(all, shards);
      seconds += setup_.library.seconds(exchange.kind, size, group);
    }
  }
  return seconds / setup_.stack.sharding_efficiency;
}

double StageCosts::reduce_seconds(double dense, double experts) const {
  return exchange_seconds(ExchangeMoment::after_backward, dense, experts);
}

double StageCosts::send_seconds(std::size_t from, std::size_t to) const {
  const auto gpus = static_cast<std::uint64_t>(setup_.library.links().gpus_per_node);
  const bool same_node = mesh_.first_of_stage(from) / gpus == mesh_.first_of_stage(to) / gpus;
  return setup_.library.send_seconds(stage_boundary_bytes(setup_.model, setup_.plan), same_node);
}

void StageCosts::finish(std::size_t stage, StageCost& cost) const {
  const bool shared = setup_.plan.zero >= 1;
  const auto updated_part = [&](double parameters, bool of_experts) {
    return shared ? parameters / static_cast<double>(setup_.plan.shards(of_experts)) : parameters;
  };
  const double updated =
      updated_part(cost.dense_parameters, false) + updated_part(cost.expert_parameters, true);
  cost.optimizer =
      setup_.device.model->cost(optimizer_step(updated, setup_.optimizer, setup_.precision)).seconds;
  const ParameterState bytes = bytes_per_parameter(setup_.optimizer, setup_.precision);
  const bool last = stage + 1 == setup_.plan.pipeline;
  if (setup_.model.tied_embeddings && setup_.plan.pipeline > 1 && (stage == 0 || last)) {
    const std::uint64_t columns = padded_vocabulary(setup_.model, setup_.plan) / setup_.plan.tensor;
    const auto embedding = static_cast<double>(columns * setup_.model.hidden);
    const bool one_node = mesh_.ranks() <= static_cast<std::uint64_t>(setup_.library.links().gpus_per_node);
    cost.optimizer += setup_.library.seconds(CollectiveKind::all_reduce, bytes.gradients * embedding,
                                             {2, one_node ? 2 : 1});
  }
  cost.gather_parameters =
      exchange_seconds(ExchangeMoment::after_optimizer, cost.dense_parameters, cost.expert_parameters);
}

}  // namespace orrery
