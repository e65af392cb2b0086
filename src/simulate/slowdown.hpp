// Computes the times of ranks that are slower or faster than the workload says.
#pragma once

#include "base/diagnostics/diagnostics.hpp"
#include "base/dialect.hpp"

namespace orrery::core {

// Returns `factor` times `duration`, rounded as the dialect rounds delays.
inline Time slowed(Time duration, double factor, const Dialect& dialect) {
  if (factor == 1) return duration;
  const double ns = duration.ns() * factor;
  constexpr double longest_ns = 9e15;  // what a Time can hold
  if (!(ns < longest_ns)) {
    throw InputError({}, "a slowed compute time exceeds 104 days, check the slowdown and the units of times");
  }
  return dialect.round_delay(ns);
}

}  // namespace orrery::core
