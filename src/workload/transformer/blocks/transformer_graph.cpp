#include "workload/transformer/blocks/transformer_graph.hpp"

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
TensorId with_positions(ShardedGraphBuilder& b, TensorId x) {
  const Dim positions = b.graph.dimension("positions", b.model.positions);
  const TensorId numbers =
      b.graph.tensor("position numbers", {b.batch, b.sequence, positions}, b.tokens(), TensorRole::constant);
  const TensorId rows = lookup(b, "positions", numbers, b.weight("position weight", {positions, b.hidden}),
                               {b.batch, b.sequence, b.hidden}, {});
  return b.graph.sum("add positions", {x, rows}, {1, 1, 1});
}

Dim embedding_dim(ShardedGraphBuilder& b) {
  const std::uint64_t width = b.model.embedding_width;
  return width > 0 ? b.graph.dimension("embedding", width) : b.hidden;
}

// One-hot vectors are placed as logits are: cut along the vocabulary.
Layout one_hot_layout(ShardedGraphBuilder& b, Dim vocabulary) {
  Layout layout = b.tokens();
  layout[Axis::tensor] = sharded(vocabulary);
  return layout;
}

// Cross-entropy over a vocabulary that is cut: the largest logit, the sum of exponentials and the target's
// logit are found in parts. Backward there is one pass and nothing to exchange.
TensorId add_loss(ShardedGraphBuilder& b, TensorId logits, Dim vocabulary) {
  ShardedGraph& graph = b.graph;
  const double local = double(graph.local_size(vocabulary, graph[logits].layout));
  TensorId largest = graph.product("largest logit", {logits}, {b.batch, b.sequence});
  graph.last().kernel = Kernel::elementwise;
  graph.last().cost = {local, local, 1};
  graph[largest].role = TensorRole::constant;
  largest = graph.reshard(largest, Axis::tensor, duplicated);
  const TensorId targets =
      graph.tensor("targets", graph[logits].dims, one_hot_layout(b, vocabulary), TensorRole::constant);
  const TensorId exponentials = graph.pointwise("exponentials", {logits, largest}, {2, 1, 1, 2, 1, 1});
  graph.last().group = "cross-entropy";
  TensorId sum = graph.product("sum of exponentials", {exponentials}, {b.batch, b.sequence});
  graph.last().group = "cross-entropy";
  graph.last().kernel = Kernel::elementwise;
  graph.last().cost = {local, 0, 1};
  TensorId target = graph.product("target logit", {logits, targets}, {b.batch, b.sequence});
  graph.last().group = "cross-entropy";
  graph.last().kernel = Kernel::elementwise;
  graph.last().cost = {0, 1, 1};
  sum = graph.reshard(sum, Axis::tensor, duplicated);
  target = graph.reshard(target, Axis::tensor, duplicated);
  return graph.pointwise("loss", {sum, target}, {2, 2, 1, 2, 2, 2});
}

ShardedGraph layer_graph(const Transformer& model, const TransformerPlan& plan, bool with_experts) {
  ShardedGraphBuilder b(model, plan);
  const bool behind = model.norms_per_layer == 4;
  const TensorId x = b.input("input");
  TensorId branch = b.settled(add_attention(b, b.norm("attention norm", x, b.hidden)));
  if (behind) branch = b.norm("norm behind attention", branch, b.hidden);
  const TensorId middle = b.residual("attention residual", branch, model.biases.attention_output, x);
  const TensorId normed = b.norm("mlp norm", middle, b.hidden);
  branch = with_experts ? add_experts(b, normed) : b.settled(add_mlp(b, "mlp", normed, model.ffn));
  if (behind) branch = b.norm("norm behind mlp", branch, b.hidden);
  const bool shared_bias = with_experts && model.moe->shared_experts == 0;
  b.graph.output = b.residual("mlp residual", branch, model.biases.mlp && !shared_bias, middle);
  return std::move(b.graph);
}

ShardedGraph embedding_graph(const Transformer& model, const TransformerPlan& plan) {
  ShardedGraphBuilder b(model, plan);
  const Dim vocabulary = b.graph.dimension("vocabulary", padded_vocabulary(model, plan));
  const Dim width = embedding_dim(b);
  const TensorId tokens = b.graph.tensor("tokens", {b.batch, b.sequence, vocabulary},
                                         one_hot_layout(b, vocabulary), TensorRole::constant);
  const TensorId weight = b.weight("embedding weight", {vocabulary, width}, vocabulary);
  // The gradient of each row is added to those that are there already.
  TensorId x = b.settled(
      lookup(b, "embedding", tokens, weight, {b.batch, b.sequence, width}, {0, 1, 1, 0, 0, 0, 1, 2, 1}));
  if (width != b.hidden)
    x = b.graph.product("embedding projection",
                        {x, b.weight("embedding projection weight", {width, b.hidden})},
                        {b.batch, b.sequence, b.hidden});
  if (model.positions > 0) x = with_positions(b, x);
  if (model.embedding_norm) x = b.norm("embedding norm", x, b.hidden);
  if (model.dropout > 0) x = b.dropout("embedding dropout", x);
  b.graph.output = x;
  return std::move(b.graph);
}

ShardedGraph head_graph(const Transformer& model, const TransformerPlan& plan) {
  ShardedGraphBuilder b(model, plan);
  const Dim vocabulary = b.graph.dimension("vocabulary", padded_vocabulary(model, plan));
  const Dim width = embedding_dim(b);
  TensorId x = b.input("input");
  if (model.final_norm) x = b.norm("final norm", x, b.hidden);
  if (width != b.hidden)
    x = b.graph.product("head projection", {x, b.weight("head projection weight", {b.hidden, width})},
                        {b.batch, b.sequence, width});
  const std::string name = model.tied_embeddings ? "tied head weight" : "head weight";
  const TensorId logits =
      b.graph.product("head", {b.gathered(x), b.weight(name, {width, vocabulary}, vocabulary)},
                      {b.batch, b.sequence, vocabulary});
  b.graph[logits].type = Datatype::fp32;
  b.graph.output = add_loss(b, logits, vocabulary);
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
