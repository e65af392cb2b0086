// Derives the backward pass of a sharded graph from its forward pass.
//
// The gradient of a product's operand is the product of the result's gradient with the other operands. So its
// placement follows from the same rule as the forward pass's (state_of_result). Where it is not placed as its
// tensor needs it (state_of_gradient), a collective is needed: summands of a duplicated tensor's gradient
// make an all-reduce, those of a sharded one a reduce-scatter, and so on.
#pragma once

#include <cstddef>
#include <vector>

#include "workload/parallelism/sharded_graph.hpp"

namespace orrery::core {

// Gradients come in summands, one per use of a tensor. Summands that are placed alike are added up before
// they are moved.
struct GradientAction {
  enum class Kind : std::uint8_t {
    gather,    // makes the copy of `operation`, a reshard, again: it was not kept
    gradient,  // of input `input` of `operation`, which is `tensor`: a new summand, placed as `to`
    pass,  // all summands of `operation`'s result that are placed as `from` are one of its input, `tensor`;
           // `to` is the same in the input's names of dimensions
    move,  // all summands of `tensor` that are placed as `from` are moved along `axis`, to be as `to`
    accumulate,  // all summands of `tensor` are added up: its gradient
  };
  Kind kind = Kind::gradient;
  std::size_t operation = 0, input = 0;
  TensorId tensor{};
  Axis axis = Axis::tensor;
  Layout from = {}, to = {};
  Transition transition = Transition::none;  // for gather and move
};

// Returns the actions in an order of execution, for a gradient of graph.output that is placed as
// state_of_gradient() says. The gradients of weights are accumulated where they are made, but not moved.
std::vector<GradientAction> gradient_program(const ShardedGraph& graph);

// Returns the layout of the complete gradient of a tensor placed as `layout`.
Layout layout_of_gradient(const Layout& layout);

}  // namespace orrery::core
