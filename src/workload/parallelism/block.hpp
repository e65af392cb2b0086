// The work of one rank for one part of a network and one micro-batch: operators and collectives, and what
// they wait for. It is made from a sharded graph (lower_block.hpp).
#pragma once

#include <cstdint>
#include <string>
#include <variant>
#include <vector>

#include "compute/operator.hpp"
#include "workload/parallelism/sharding.hpp"

namespace orrery::core {

enum class StepPhase : std::uint8_t { forward, recompute, input_gradient, weight_gradient };

// A collective along one axis. `bytes` are those of the full tensor. For an all-gather they are those of the
// result, and for the others those that each rank holds before it. (CollectiveRequest wants for an all-gather
// what each rank contributes: bytes / ranks of the axis.)
struct Exchange {
  Axis axis = Axis::tensor;
  CollectiveKind kind = CollectiveKind::all_reduce;
  double bytes = 0;
  // The data goes around in so many blocks, which include the rank's own. An operator that waits for an
  // all-gather works on the blocks that are there. A reduce-scatter begins with the blocks that an operator
  // has made.
  std::uint64_t blocks = 1;
};

inline constexpr int block_input = -1;  // the input from outside: activations; in backward passes gradients

struct Step {
  std::string name;
  StepPhase phase = StepPhase::forward;
  std::variant<Operator, Exchange> work;
  // Earlier steps of the same list, or block_input, in ascending order. If it is empty, the step may begin as
  // soon as it is the pass's turn (a gather of what was kept). Steps of a list may run in any order that
  // respects this: for example, an all-reduce of input gradients beside the products for weight gradients.
  // The order of the list makes good use of that when operators run one after another.
  std::vector<int> waits;
};

// A tensor of weights, as one rank holds it.
struct Parameter {
  std::string name;
  std::uint64_t elements = 0;  // those that the memory holds
  double index_bytes = 0;      // that say where these belong, if zeros are left out
  Layout layout;
  // Axes along which ranks have to add up their gradients once per step (axes of more than one rank). For
  // dense weights they are context, expert and data; for experts context and data; for norms under sequence
  // parallelism tensor, too.
  std::vector<Axis> gradient_axes;
  int gradient = block_input;  // the step of `backward` that makes its gradient
};

struct RankBlock {
  std::vector<Step> forward, backward;
  int output = block_input;  // the step of `forward` whose end makes the block's output
  int input_gradient =
      block_input;  // the step of `backward` whose end makes the gradient of the block's input
  std::vector<Parameter> parameters;
};

}  // namespace orrery::core
