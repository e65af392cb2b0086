// The elements that the parts of a transformer share: dimensions, placements, norms and residual connections.
#pragma once

#include <string>
#include <vector>

#include "workload/parallelism/sharded_graph.hpp"
#include "workload/transformer/transformer_plan.hpp"

namespace orrery {

class GraphBuilder {
 public:
  GraphBuilder(const Transformer& model, const TransformerPlan& plan);

  const Transformer& model;
  const TransformerPlan& plan;
  ShardedGraph graph;
  Dim batch, sequence, hidden;

  // Tokens outside of what tensor parallelism cuts: along batch and sequence.
  Layout tokens() const;
  ShardState tensor_state_of_tokens() const;  // S(sequence) under sequence parallelism, else D

  TensorId input(const std::string& name);
  // Whole on every rank, but cut along `cut` by tensor parallelism.
  TensorId weight(const std::string& name, std::vector<Dim> dims);
  TensorId weight(const std::string& name, std::vector<Dim> dims, Dim cut);

  // Whole on all ranks of tensor parallelism: gathered, and gathered again in the backward pass.
  TensorId gathered(TensorId id);
  // As tokens() say on the tensor axis: partial sums are added up.
  TensorId settled(TensorId id);

  TensorId norm(const std::string& name, TensorId rows, Dim width);
  // Adds a bias in the product's last pass, which costs nothing.
  TensorId with_bias(TensorId id, const std::string& name, std::vector<Dim> dims, bool cut, Dim dim);
  // `branch`, with bias and dropout, onto `trunk`.
  TensorId residual(const std::string& name, TensorId branch, bool bias, TensorId trunk);
  TensorId dropout(const std::string& name, TensorId id);

 private:
  double mask() const;  // elements that a byte of a mask stands for
};

// From the normed input of the layer to the output projection, whose sums are still partial.
TensorId add_attention(GraphBuilder& builder, TensorId tokens);
// The plain MLP; partial sums.
TensorId add_mlp(GraphBuilder& builder, const std::string& name, TensorId tokens, std::uint64_t width);
// Router, experts and shared experts; settled.
TensorId add_experts(GraphBuilder& builder, TensorId tokens);

// Operations per element of an activation function: forward, backward.
struct ActivationCost {
  double forward, backward;
};
ActivationCost activation_cost(Activation activation);

}  // namespace orrery
