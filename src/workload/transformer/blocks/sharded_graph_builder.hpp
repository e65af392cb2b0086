// The elements that the parts of a transformer share: dimensions, placements, norms and residual connections.
#pragma once

#include <string>
#include <vector>

#include "workload/parallelism/sharded_graph.hpp"
#include "workload/transformer/transformer_plan.hpp"

namespace orrery::core {

class ShardedGraphBuilder {
 public:
  ShardedGraphBuilder(const Transformer& model, const TransformerPlan& plan);

  const Transformer& model;
  const TransformerPlan& plan;
  ShardedGraph graph;
  Dim batch, sequence, hidden;

  // Returns the layout of tokens where tensor parallelism does not cut them: along batch and sequence.
  Layout tokens() const;
  ShardState tensor_state_of_tokens() const;  // S(sequence) under sequence parallelism, else D

  Dim embedding_dim();  // that of `hidden` unless embeddings have another width

  TensorId input(const std::string& name);
  // Adds a weight that is whole on every rank, or with `cut` one that tensor parallelism cuts along that
  // dimension.
  TensorId weight(const std::string& name, std::vector<Dim> dims);
  TensorId weight(const std::string& name, std::vector<Dim> dims, Dim cut);

  // Returns the tensor whole on all ranks of tensor parallelism. It is gathered, and gathered again in the
  // backward pass.
  TensorId gathered(TensorId id);
  // Returns the tensor placed as tokens() says on the tensor axis, where partial sums are added up.
  TensorId settled(TensorId id);

  TensorId norm(const std::string& name, TensorId rows, Dim width);
  // Adds a bias in the product's last pass, which costs nothing.
  TensorId with_bias(TensorId id, const std::string& name, std::vector<Dim> dims, bool cut, Dim dim);
  // Adds `branch`, with bias and dropout, to `trunk`.
  TensorId residual(const std::string& name, TensorId branch, bool bias, TensorId trunk);
  // Returns the tensor itself where nothing is dropped.
  TensorId dropout(const std::string& name, TensorId id);

 private:
  double mask() const;  // elements that a byte of a mask stands for
};

// Adds attention, from the layer's normed input to the output projection. Returns its result, which is still
// in partial sums.
TensorId add_attention(ShardedGraphBuilder& builder, TensorId tokens);
// Adds the plain MLP. Returns its result, which is still in partial sums.
TensorId add_mlp(ShardedGraphBuilder& builder, const std::string& name, TensorId tokens, std::uint64_t width);
// Adds router, experts and shared experts. Returns their result, settled.
TensorId add_experts(ShardedGraphBuilder& builder, TensorId tokens);

// Operations per element of an activation function: forward, backward.
struct ActivationCost {
  double forward, backward;
};
ActivationCost activation_cost(Activation activation);

}  // namespace orrery::core
