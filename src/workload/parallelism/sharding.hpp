// The algebra of sharded tensors. It says which collective leads from one placement to another, and how the
// result of an operation is placed.
//
// Along every axis of parallelism a tensor is in one of three states. D: every rank has all of it. S(d): it
// is cut along its dimension d. P: every rank has a tensor of full size, and their sum is meant.
//
//   from \ to   D             S(d')                          P
//   D           none          slice, without communication   not allowed
//   S(d)        all-gather    none if d = d', else           not allowed
//                             all-to-all
//   P           all-reduce    reduce-scatter                 none
//
// Source: the placements of GSPMD (Xu et al., 2021) and of PyTorch's DTensor.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "collective/plan/system_config.hpp"

namespace orrery::core {

enum class Axis : std::uint8_t {
  tensor,
  context,
  expert,  // ranks with different samples that share the experts
  data,    // ranks with different samples and the same weights: without the expert axis
};
inline constexpr std::size_t axis_count = 4;
inline constexpr std::array<Axis, axis_count> all_axes{Axis::tensor, Axis::context, Axis::expert, Axis::data};
std::string_view name_of(Axis axis);

// A dimension by its number in a graph (sharded_graph.hpp).
enum class Dim : std::uint8_t {};

struct ShardState {
  enum class Kind : std::uint8_t { duplicated, sharded, partial };
  Kind kind = Kind::duplicated;
  Dim dim{};  // the dimension that S cuts

  bool operator==(const ShardState&) const = default;
};

inline constexpr ShardState duplicated{};
inline constexpr ShardState partial{ShardState::Kind::partial, Dim{}};
constexpr ShardState sharded(Dim dim) {
  return {ShardState::Kind::sharded, dim};
}

// The placement of a tensor: a state per axis.
struct Layout {
  std::array<ShardState, axis_count> states{};

  ShardState& operator[](Axis axis) { return states[static_cast<std::size_t>(axis)]; }
  const ShardState& operator[](Axis axis) const { return states[static_cast<std::size_t>(axis)]; }
  bool operator==(const Layout&) const = default;
};

enum class Transition : std::uint8_t { none, slice, all_gather, all_reduce, reduce_scatter, all_to_all };

// Returns the transition by the table above, or nothing where it is not allowed.
std::optional<Transition> transition(ShardState from, ShardState to);
// Returns the collective that does a transition. There is none for `none` and `slice`.
std::optional<CollectiveKind> collective_of(Transition transition);

// Returns how a tensor's gradient must be placed where the tensor is made. A rank that holds a summand needs
// the whole gradient, so the gradient of P is D. All other gradients are placed like their tensors.
ShardState state_of_gradient(ShardState state);

// An operand of an operation, on one axis.
struct PlacedOperand {
  std::span<const Dim> dims;
  ShardState state;
};

// Returns how the result of a multilinear operation (an "einsum" over named dimensions) is placed along one
// axis. It is D if all operands are D. If operands are cut along d, it is S(d) when the result has d, and P
// otherwise, as d is summed over. It is P if one operand is P and the others are D. Every operand that has d
// must be cut along d. Returns nothing where that does not hold.
std::optional<ShardState> state_of_result(std::span<const PlacedOperand> operands,
                                          std::span<const Dim> result);

}  // namespace orrery::core
