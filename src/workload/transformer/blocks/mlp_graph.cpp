// MLPs: plain, and mixtures of experts.
#include <algorithm>
#include <utility>

#include "workload/transformer/blocks/sharded_graph_builder.hpp"

namespace orrery::core {
namespace {

// The differences between a plain MLP and experts: the dimensions before the last one.
struct MlpShape {
  std::vector<Dim> rows;     // of activations
  std::vector<Dim> experts;  // of weights
  Dim width;
  Layout up, down;  // of weights
};

TensorId weight_of(ShardedGraphBuilder& b, const std::string& name, std::vector<Dim> dims,
                   const MlpShape& shape, const Layout& layout, std::vector<Dim> last) {
  dims.insert(dims.begin(), shape.experts.begin(), shape.experts.end());
  dims.insert(dims.end(), last.begin(), last.end());
  return b.graph.tensor(name, std::move(dims), layout, TensorRole::weight);
}

TensorId up(ShardedGraphBuilder& b, const std::string& name, const std::string& part, TensorId tokens,
            const MlpShape& shape) {
  std::vector<Dim> result = shape.rows;
  result.push_back(shape.width);
  const TensorId weight =
      weight_of(b, name + " " + part + " weight", {b.hidden}, shape, shape.up, {shape.width});
  const TensorId id = b.graph.product(name + " " + part, {tokens, weight}, std::move(result));
  b.graph.last().group = name + " up";
  return id;
}

TensorId mlp(ShardedGraphBuilder& b, const std::string& name, TensorId tokens, const MlpShape& shape) {
  TensorId wide = up(b, name, "up", tokens, shape);
  TensorId gate{};
  if (b.model.gated) gate = up(b, name, "gate", tokens, shape);
  const auto biased = [&](TensorId id, const std::string& part) {
    const TensorId bias = weight_of(b, name + " " + part + " bias", {}, shape, shape.up, {shape.width});
    return b.graph.sum(name + " " + part, {id, bias}, {});
  };
  if (b.model.biases.mlp) {
    wide = biased(wide, "up");
    if (b.model.gated) gate = biased(gate, "gate");
  }
  const ActivationCost cost = activation_cost(b.model.activation);
  const TensorId active = b.model.gated ? b.graph.pointwise(name + " activation", {gate, wide},
                                                            {cost.forward + 1, 2, 1, cost.backward + 2, 3, 2})
                                        : b.graph.pointwise(name + " activation", {wide},
                                                            {cost.forward, 1, 1, cost.backward, 2, 1});
  b.graph.last().pointwise = b.model.gated ? PointwiseKind::gated_activation : PointwiseKind::activation;
  std::vector<Dim> result = shape.rows;
  result.push_back(b.hidden);
  const TensorId weight = weight_of(b, name + " down weight", {shape.width}, shape, shape.down, {b.hidden});
  return b.graph.product(name + " down", {active, weight}, std::move(result));
}

MlpShape plain_shape(ShardedGraphBuilder& b, const std::string& name, std::uint64_t width) {
  MlpShape shape{{b.batch, b.sequence}, {}, b.graph.dimension(name + " width", width), {}, {}};
  shape.up[Axis::tensor] = shape.down[Axis::tensor] = sharded(shape.width);
  return shape;
}

// Sends tokens to the ranks of their experts, through these experts, and back.
TensorId routed(ShardedGraphBuilder& b, TensorId tokens, Dim experts, TensorId gates) {
  const MixtureOfExperts& moe = *b.model.moe;
  const double copies = double(moe.experts_per_token) * moe.capacity_factor;
  const TensorId all = b.graph.tensor("all experts", {experts}, {}, TensorRole::constant);
  TensorId rows = b.graph.product("dispatch", {tokens, all}, {experts, b.batch, b.sequence, b.hidden});
  b.graph.last().kernel = Kernel::elementwise;
  b.graph.last().cost = {0, 1, 1, 1, 1, 1 / copies};
  b.graph[rows].density = copies / double(moe.experts);
  rows = b.graph.reshard(rows, Axis::expert, sharded(experts));
  MlpShape shape{
      {experts, b.batch, b.sequence}, {experts}, b.graph.dimension("expert width", moe.ffn), {}, {}};
  shape.up[Axis::expert] = shape.down[Axis::expert] = sharded(experts);
  if (b.plan.expert_tensor) {
    shape.up[Axis::tensor] = shape.down[Axis::tensor] = sharded(shape.width);
    rows = b.gathered(rows);
  }
  TensorId result = b.settled(mlp(b, "expert", rows, shape));
  if (b.model.biases.mlp) {
    Layout layout;
    layout[Axis::expert] = sharded(experts);
    const TensorId bias = b.graph.tensor("expert down bias", {experts, b.hidden}, layout, TensorRole::weight);
    result = b.graph.sum("expert down", {result, bias}, {});
  }
  result = b.graph.reshard(result, Axis::expert, sharded(b.batch));
  const TensorId combined = b.graph.product("combine", {result, gates}, {b.batch, b.sequence, b.hidden});
  b.graph.last().kernel = Kernel::elementwise;
  b.graph.last().cost = {2 * copies, copies, 1, 4 * copies, 1 + copies, copies};
  b.graph[combined].density = 1;
  return combined;
}

}  // namespace

TensorId add_mlp(ShardedGraphBuilder& b, const std::string& name, TensorId tokens, std::uint64_t width) {
  return mlp(b, name, b.gathered(tokens), plain_shape(b, name, width));
}

TensorId add_experts(ShardedGraphBuilder& b, TensorId tokens) {
  const MixtureOfExperts& moe = *b.model.moe;
  const Dim experts = b.graph.dimension("experts", moe.experts);
  TensorId logits = b.graph.product("router", {tokens, b.weight("router weight", {b.hidden, experts})},
                                    {b.batch, b.sequence, experts});
  b.graph.last().precise = true;
  if (b.model.biases.router) logits = b.with_bias(logits, "router", {experts}, false, experts);
  const TensorId gates = b.graph.row_wise("gates", {logits}, experts, {5, 1, 1, 8, 2, 1});
  b.graph.last().pointwise = PointwiseKind::softmax;
  const TensorId result = routed(b, tokens, experts, gates);
  if (moe.shared_experts == 0) return result;
  const TensorId shared = b.settled(add_mlp(b, "shared expert", tokens, moe.shared_experts * moe.ffn));
  return b.graph.sum("experts", {result, shared}, {1, 2, 1});
}

}  // namespace orrery::core
