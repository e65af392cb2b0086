#include "workload/parallelism/sharding.hpp"

#include <algorithm>

#include "base/diagnostics/unreachable.hpp"

namespace orrery::core {

std::string_view name_of(Axis axis) {
  constexpr std::array<std::string_view, axis_count> names{"tensor", "context", "expert", "data"};
  return names[static_cast<std::size_t>(axis)];
}

std::optional<Transition> transition(ShardState from, ShardState to) {
  using Kind = ShardState::Kind;
  if (from == to) return Transition::none;
  switch (to.kind) {
    case Kind::partial:
      return std::nullopt;
    case Kind::duplicated:
      return from.kind == Kind::partial ? Transition::all_reduce : Transition::all_gather;
    case Kind::sharded:
      if (from.kind == Kind::duplicated) return Transition::slice;
      return from.kind == Kind::partial ? Transition::reduce_scatter : Transition::all_to_all;
  }
  unreachable("the transition to every state is known");
}

std::optional<CollectiveKind> collective_of(Transition transition) {
  switch (transition) {
    case Transition::all_gather:
      return CollectiveKind::all_gather;
    case Transition::all_reduce:
      return CollectiveKind::all_reduce;
    case Transition::reduce_scatter:
      return CollectiveKind::reduce_scatter;
    case Transition::all_to_all:
      return CollectiveKind::all_to_all;
    default:
      return std::nullopt;
  }
}

ShardState state_of_gradient(ShardState state) {
  return state == partial ? duplicated : state;
}

std::optional<ShardState> state_of_result(std::span<const PlacedOperand> operands,
                                          std::span<const Dim> result) {
  std::optional<Dim> cut;
  int partials = 0;
  for (const PlacedOperand& operand : operands) {
    if (operand.state == partial) ++partials;
    if (operand.state.kind != ShardState::Kind::sharded) continue;
    if (cut && *cut != operand.state.dim) return std::nullopt;
    cut = operand.state.dim;
  }
  if (!cut) {
    if (partials > 1) return std::nullopt;  // a product of sums is not the sum of products
    return partials == 1 ? partial : duplicated;
  }
  if (partials > 0) return std::nullopt;
  for (const PlacedOperand& operand : operands) {
    const bool has_dim = std::find(operand.dims.begin(), operand.dims.end(), *cut) != operand.dims.end();
    if (has_dim && operand.state != sharded(*cut)) return std::nullopt;
  }
  return std::find(result.begin(), result.end(), *cut) != result.end() ? sharded(*cut) : partial;
}

}  // namespace orrery::core
