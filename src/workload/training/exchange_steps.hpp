// The steps of a block that are collectives.
#pragma once

#include <variant>

#include "workload/parallelism/block.hpp"

namespace orrery::core {

// Returns null where the step is an operator.
inline const Exchange* exchange_of(const Step& step) {
  return std::get_if<Exchange>(&step.work);
}

// Returns whether a collective of the kind goes around in several blocks: operators work on those of an
// all-gather as they come, and those of a reduce-scatter are sent as they are made.
inline bool is_in_blocks(const Step& step, CollectiveKind kind) {
  const Exchange* exchange = exchange_of(step);
  return exchange && exchange->blocks > 1 && exchange->kind == kind;
}

}  // namespace orrery::core
