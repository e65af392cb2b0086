#include "workload/transformer/blocks/head_graph.hpp"

#include <utility>

#include "workload/transformer/blocks/sharded_graph_builder.hpp"

namespace orrery::core {
namespace {

// Takes some tokens of each sequence. Of a sequence that is cut, each rank gives those that it has.
TensorId selected(ShardedGraphBuilder& b, const std::string& name, TensorId x, std::uint64_t tokens) {
  const Dim rows = b.graph.dimension(name, tokens);
  const TensorId places =
      b.graph.tensor(name + " places", {b.batch, rows, b.sequence}, b.tokens(), TensorRole::constant);
  TensorId taken = b.graph.product(name, {x, places}, {b.batch, rows, b.hidden});
  b.graph.last().kernel = Kernel::elementwise;
  // The gradient of the tokens that are not taken is zero, which is written, too.
  const double zeros = double(b.model.sequence) / double(tokens);
  b.graph.last().cost = {0, 1, 1, 0, 1, zeros};
  for (const Axis axis : {Axis::tensor, Axis::context}) taken = b.graph.reshard(taken, axis, duplicated);
  return taken;
}

// Adds a product with a square weight and a bias, and an activation.
TensorId dense(ShardedGraphBuilder& b, const std::string& name, TensorId rows, const ActivationCost& cost) {
  const Dim width = b.graph.dimension(name + " width", b.model.hidden);
  std::vector<Dim> dims = b.graph[rows].dims;
  dims.back() = width;
  TensorId x = b.graph.product(name, {rows, b.weight(name + " weight", {b.hidden, width})}, dims);
  x = b.with_bias(x, name, {width}, false, width);
  x = b.graph.pointwise(name + " activation", {x}, {cost.forward, 1, 1, cost.backward, 2, 1});
  b.graph.last().pointwise = PointwiseKind::activation;
  return b.graph.rename(x, width, b.hidden);
}

// Finds the largest of a row of logits, over all ranks that have a part of the row.
TensorId largest_logit(ShardedGraphBuilder& b, TensorId logits, Dim vocabulary) {
  ShardedGraph& graph = b.graph;
  const double local = double(graph.local_size(vocabulary, graph[logits].layout));
  std::vector<Dim> rows = graph[logits].dims;
  rows.pop_back();
  const TensorId largest = graph.product("largest logit", {logits}, std::move(rows));
  graph.last().kernel = Kernel::elementwise;
  graph.last().cost = {local, local, 1};
  graph[largest].role = TensorRole::constant;
  return graph.reshard(largest, Axis::tensor, duplicated);
}

// Cross-entropy over a vocabulary that is cut: the largest logit, the sum of exponentials and the target's
// logit are found in parts. Backward there is one pass and nothing to exchange.
TensorId add_loss(ShardedGraphBuilder& b, TensorId logits, Dim vocabulary) {
  ShardedGraph& graph = b.graph;
  const double local = double(graph.local_size(vocabulary, graph[logits].layout));
  const TensorId largest = largest_logit(b, logits, vocabulary);
  const std::vector<Dim> rows = graph[largest].dims;
  const TensorId targets =
      graph.tensor("targets", graph[logits].dims, graph[logits].layout, TensorRole::constant);
  const TensorId exponentials = graph.pointwise("exponentials", {logits, largest}, {2, 1, 1, 2, 1, 1});
  graph.last().group = "cross-entropy";
  graph.last().pointwise = PointwiseKind::loss;
  TensorId sum = graph.product("sum of exponentials", {exponentials}, rows);
  graph.last().group = "cross-entropy";
  graph.last().kernel = Kernel::elementwise;
  graph.last().cost = {local, 0, 1};
  TensorId target = graph.product("target logit", {logits, targets}, rows);
  graph.last().group = "cross-entropy";
  graph.last().kernel = Kernel::elementwise;
  graph.last().cost = {0, 1, 1};
  sum = graph.reshard(sum, Axis::tensor, duplicated);
  target = graph.reshard(target, Axis::tensor, duplicated);
  return graph.pointwise("loss", {sum, target}, {2, 2, 1, 2, 2, 2});
}

// Tells the class of a sequence from its first token.
TensorId add_classes(ShardedGraphBuilder& b, TensorId x) {
  constexpr ActivationCost tanh{4, 5};
  const TensorId pooled = dense(b, "pooler", selected(b, "first token", x, 1), tanh);
  const Dim classes = b.graph.dimension("classes", b.model.masked->classes);
  std::vector<Dim> dims = b.graph[pooled].dims;
  dims.back() = classes;
  const TensorId scores = b.graph.product(
      "classifier", {pooled, b.weight("classifier weight", {b.hidden, classes})}, std::move(dims));
  return b.with_bias(scores, "classifier", {classes}, false, classes);
}

// The loss of a sequence's class, and the sum with that of its tokens.
TensorId with_class_loss(ShardedGraphBuilder& b, TensorId loss, TensorId scores) {
  const Dim token = b.graph[scores].dims[1];
  const TensorId of_class = b.graph.product("class loss", {scores}, {b.batch, token});
  b.graph.last().kernel = Kernel::elementwise;
  b.graph.last().cost = {8, 1, 1, 8, 1, 1};
  const TensorId of_sequence = b.graph.product("sequence loss", {of_class}, {b.batch});
  b.graph.last().kernel = Kernel::elementwise;
  return b.graph.pointwise("sum of losses", {loss, of_sequence}, {1, 2, 1, 0, 1, 1});
}

TensorId logits_of(ShardedGraphBuilder& b, TensorId x, Dim vocabulary) {
  const Transformer& model = b.model;
  if (model.masked && model.masked->transform) {
    x = dense(b, "head transform", x, activation_cost(model.activation));
    x = b.norm("head norm", x, b.hidden);
  }
  const Dim width = b.embedding_dim();
  std::vector<Dim> dims = b.graph[x].dims;
  if (width != b.hidden) {
    dims.back() = width;
    x = b.graph.product("head projection", {x, b.weight("head projection weight", {b.hidden, width})}, dims);
  }
  dims.back() = vocabulary;
  const std::string name = model.tied_embeddings ? "tied head weight" : "head weight";
  TensorId logits =
      b.graph.product("head", {b.gathered(x), b.weight(name, {width, vocabulary}, vocabulary)}, dims);
  if (model.biases.head) logits = b.with_bias(logits, "head", {vocabulary}, true, vocabulary);
  b.graph[logits].type = Datatype::fp32;
  return logits;
}

}  // namespace

ShardedGraph head_graph(const Transformer& model, const TransformerPlan& plan) {
  ShardedGraphBuilder b(model, plan);
  const Dim vocabulary = b.graph.dimension("vocabulary", padded_vocabulary(model, plan));
  TensorId x = b.input("input");
  if (model.final_norm) x = b.norm("final norm", x, b.hidden);
  const bool classifies = model.masked && model.masked->classes > 0;
  const TensorId scores = classifies ? add_classes(b, x) : x;
  if (plan.forward_only && model.masked) {  // an encoder's words are hidden in training only
    b.graph.output = scores;
    return std::move(b.graph);
  }
  const std::uint64_t tokens = predicted_tokens(model, plan);
  if (tokens != model.sequence) x = selected(b, "predicted tokens", x, tokens);
  const TensorId logits = logits_of(b, x, vocabulary);
  b.graph.output = plan.forward_only ? largest_logit(b, logits, vocabulary) : add_loss(b, logits, vocabulary);
  if (classifies) b.graph.output = with_class_loss(b, b.graph.output, scores);
  return std::move(b.graph);
}

}  // namespace orrery::core
