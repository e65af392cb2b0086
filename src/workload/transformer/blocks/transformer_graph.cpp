#include "workload/transformer/blocks/transformer_graph.hpp"

#include "workload/transformer/blocks/head_graph.hpp"
#include "workload/transformer/blocks/sharded_graph_builder.hpp"

namespace orrery::core {
namespace {

// Looks up a row of a matrix for each token.
TensorId lookup(ShardedGraphBuilder& b, const std::string& name, TensorId tokens, TensorId weight,
                std::vector<Dim> result, const ElementCost& cost) {
  const TensorId rows = b.graph.product(name, {tokens, weight}, std::move(result));
  b.graph.last().kernel = Kernel::elementwise;
  b.graph.last().cost = cost;
  return rows;
}

// Every token looks its row up, as software does it. So a weight's gradient is a sum over ranks only when the
// step ends.
TensorId with_vectors(ShardedGraphBuilder& b, TensorId x, const std::string& name, std::uint64_t vectors) {
  const Dim kinds = b.graph.dimension(name + "s", vectors);
  const TensorId numbers =
      b.graph.tensor(name + " numbers", {b.batch, b.sequence, kinds}, b.tokens(), TensorRole::constant);
  const TensorId rows = lookup(b, name + "s", numbers, b.weight(name + " weight", {kinds, b.hidden}),
                               {b.batch, b.sequence, b.hidden}, {});
  return b.graph.sum("add " + name + "s", {x, rows}, {1, 1, 1});
}

ShardedGraph layer_graph(const Transformer& model, const TransformerPlan& plan, bool with_experts) {
  ShardedGraphBuilder b(model, plan);
  const bool behind = model.norms_per_layer == 4;
  const auto norm_at = [&](NormPlace place, const std::string& name, TensorId id) {
    return model.norm_place == place ? b.norm(name, id, b.hidden) : id;
  };
  const TensorId x = b.input("input");
  TensorId branch = b.settled(add_attention(b, norm_at(NormPlace::before, "attention norm", x)));
  if (behind) branch = b.norm("norm behind attention", branch, b.hidden);
  const TensorId middle = norm_at(NormPlace::behind, "attention norm",
                                  b.residual("attention residual", branch, model.biases.attention_output, x));
  const TensorId normed = norm_at(NormPlace::before, "mlp norm", middle);
  branch = with_experts ? add_experts(b, normed) : b.settled(add_mlp(b, "mlp", normed, model.ffn));
  if (behind) branch = b.norm("norm behind mlp", branch, b.hidden);
  const bool shared_bias = with_experts && model.moe->shared_experts == 0;
  b.graph.output = norm_at(NormPlace::behind, "mlp norm",
                           b.residual("mlp residual", branch, model.biases.mlp && !shared_bias, middle));
  return std::move(b.graph);
}

ShardedGraph embedding_graph(const Transformer& model, const TransformerPlan& plan) {
  ShardedGraphBuilder b(model, plan);
  const Dim vocabulary = b.graph.dimension("vocabulary", padded_vocabulary(model, plan));
  const Dim width = b.embedding_dim();
  Layout one_hot = b.tokens();
  one_hot[Axis::tensor] = sharded(vocabulary);
  const TensorId tokens =
      b.graph.tensor("tokens", {b.batch, b.sequence, vocabulary}, one_hot, TensorRole::constant);
  const TensorId weight = b.weight("embedding weight", {vocabulary, width}, vocabulary);
  // The gradient of each row is added to those that are there already.
  TensorId x = b.settled(
      lookup(b, "embedding", tokens, weight, {b.batch, b.sequence, width}, {0, 1, 1, 0, 0, 0, 1, 2, 1}));
  if (width != b.hidden)
    x = b.graph.product("embedding projection",
                        {x, b.weight("embedding projection weight", {width, b.hidden})},
                        {b.batch, b.sequence, b.hidden});
  if (model.positions > 0) x = with_vectors(b, x, "position", model.positions);
  if (model.token_types > 0) x = with_vectors(b, x, "token type", model.token_types);
  if (model.embedding_norm) x = b.norm("embedding norm", x, b.hidden);
  b.graph.output = b.dropout("embedding dropout", x);
  return std::move(b.graph);
}

}  // namespace

ShardedGraph block_graph(BlockKind kind, const Transformer& model, const TransformerPlan& plan) {
  switch (kind) {
    case BlockKind::embedding:
      return embedding_graph(model, plan);
    case BlockKind::head:
      return head_graph(model, plan);
    default:
      return layer_graph(model, plan, kind == BlockKind::layer_with_experts);
  }
}

}  // namespace orrery::core
