#include "workload/transformer/blocks/sharded_graph_builder.hpp"

#include "base/diagnostics/unreachable.hpp"

namespace orrery::core {

// The operations per element of norms, softmax, dropout and GELU are those of Isaev et al., "Calculon", 2023.
// Those of the others were counted.
ShardedGraphBuilder::ShardedGraphBuilder(const Transformer& m, const TransformerPlan& p)
    : model(m), plan(p), graph({p.tensor, p.context, p.expert, p.data / p.expert}) {
  batch = graph.dimension("batch", p.micro_batch * p.data);
  sequence = graph.dimension("sequence", m.sequence);
  hidden = graph.dimension("hidden", m.hidden);
}

ShardState ShardedGraphBuilder::tensor_state_of_tokens() const {
  return plan.sequence_parallel ? sharded(sequence) : duplicated;
}

Layout ShardedGraphBuilder::tokens() const {
  return {{tensor_state_of_tokens(), sharded(sequence), sharded(batch), sharded(batch)}};
}

Dim ShardedGraphBuilder::embedding_dim() {
  return model.embedding_width > 0 ? graph.dimension("embedding", model.embedding_width) : hidden;
}

TensorId ShardedGraphBuilder::input(const std::string& name) {
  const TensorId id = graph.tensor(name, {batch, sequence, hidden}, tokens(), TensorRole::activation);
  graph.entry = id;
  return id;
}

TensorId ShardedGraphBuilder::weight(const std::string& name, std::vector<Dim> dims) {
  return graph.tensor(name, std::move(dims), {}, TensorRole::weight);
}

TensorId ShardedGraphBuilder::weight(const std::string& name, std::vector<Dim> dims, Dim cut) {
  Layout layout;
  layout[Axis::tensor] = sharded(cut);
  return graph.tensor(name, std::move(dims), layout, TensorRole::weight);
}

TensorId ShardedGraphBuilder::gathered(TensorId id) {
  return graph.reshard(id, Axis::tensor, duplicated, Keep::no);
}

TensorId ShardedGraphBuilder::settled(TensorId id) {
  return graph.reshard(id, Axis::tensor, tensor_state_of_tokens());
}

TensorId ShardedGraphBuilder::norm(const std::string& name, TensorId rows, Dim width) {
  std::vector<TensorId> inputs{rows, weight(name + " weight", {width})};
  if (model.biases.norm) inputs.push_back(weight(name + " bias", {width}));
  // The gradient of weights passes over its operands once more.
  const ElementCost cost = model.norm == NormKind::layer ? ElementCost{9, 1, 1, 14, 2, 1, 7, 2, 0}
                                                         : ElementCost{5, 1, 1, 9, 2, 1, 3, 2, 0};
  const TensorId normed = graph.row_wise(name, std::move(inputs), width, cost);
  graph.last().pointwise = PointwiseKind::norm;
  return normed;
}

TensorId ShardedGraphBuilder::with_bias(TensorId id, const std::string& name, std::vector<Dim> dims, bool cut,
                                        Dim dim) {
  const TensorId bias =
      cut ? weight(name + " bias", std::move(dims), dim) : weight(name + " bias", std::move(dims));
  return graph.sum(name, {id, bias}, {});
}

double ShardedGraphBuilder::mask() const {
  return 1 / bytes_of(plan.type);
}

TensorId ShardedGraphBuilder::dropout(const std::string& name, TensorId id) {
  if (model.dropout == 0 || plan.forward_only) return id;
  return graph.pointwise(name, {id}, {1, 1, 1 + mask(), 1, 1 + mask(), 1});
}

TensorId ShardedGraphBuilder::residual(const std::string& name, TensorId branch, bool bias, TensorId trunk) {
  std::vector<TensorId> inputs{branch};
  if (bias) inputs.push_back(weight(name + " bias", {hidden}));
  inputs.push_back(trunk);
  const std::size_t passed = inputs.size() - 1;
  if (model.dropout == 0 || plan.forward_only) return graph.sum(name, std::move(inputs), {1, 2, 1});
  const TensorId result = graph.pointwise(name, std::move(inputs), {2, 2, 1 + mask(), 1, 1 + mask(), 1});
  graph.last().passed_through = passed;
  return result;
}

ActivationCost activation_cost(Activation activation) {
  switch (activation) {
    case Activation::relu:
      return {1, 1};
    case Activation::squared_relu:
      return {2, 2};
    case Activation::gelu:
      return {8, 13};
    case Activation::silu:
      return {5, 8};
  }
  unreachable("every activation has a cost");
}

}  // namespace orrery::core
