// The rules in which simulators of this family differ, as data. docs/dialects.md explains each with its
// effect.
#pragma once

#include <array>
#include <string_view>

#include "base/time.hpp"
#include "base/words.hpp"

namespace orrery {

// Who has to end a phase before a chunk may go on to its next one.
enum class PhaseBarrier {
  next_group,  // the ranks that take part in the next phase
  machine,     // every rank of the machine
};

struct Dialect {
  std::string_view name = "native";
  PhaseBarrier phase_barrier = PhaseBarrier::next_group;
  // Time a training loop spends on every step from one state to the next.
  Time state_transition;
  // Scale factors are binary32, and values are rounded to binary32 even when the factor is 1.
  bool single_precision_scaling = false;
  // Every term of a message's duration, and every delay computed from bytes, is cut to whole nanoseconds.
  bool whole_nanoseconds = false;
  // Themis forgets its loads when rank 0 issues, so a rank that issues earlier plans with stale ones.
  bool themis_resets_with_rank0 = false;

  // Whether the second half of a direct all-reduce may start with what arrives in the very instant in which a
  // message is ready for it: always, or only if the arrival's event comes first.
  bool gate_counts_whole_instant = true;

  // A model-parallel group that does not fit the machine is made to: cut to fill the dimensions below its
  // last one, or ignored when it is larger than the machine. Else it is an error.
  bool lenient_groups = false;

  // A message has the bandwidth of one link, and the two ways around a ring are links of their own. Else it
  // has that of all links toward its peer, in a ring of those of both ways, which messages of either way
  // share.
  bool one_link_per_message = false;

  // A delay computed in real nanoseconds, as this dialect rounds it.
  Time round_delay(double ns) const {
    return whole_nanoseconds ? Time::from_ns_truncated(ns) : Time::from_ns_rounded(ns);
  }
};

inline constexpr Dialect native_dialect{};
inline constexpr Dialect astra_sim_1_dialect{
    "astra-sim-1.0", PhaseBarrier::machine, Time::from_ns(1), true, true, true, false, true};
// What its traces run by. Its collectives have no barrier at all (collective/streams/).
inline constexpr Dialect astra_sim_2_dialect{
    "astra-sim-2", PhaseBarrier::next_group, Time(), false, true, false, false, false, true};

// The words by which users choose one.
inline constexpr std::array<Word<const Dialect*>, 2> dialect_words{{
    {native_dialect.name, &native_dialect},
    {astra_sim_1_dialect.name, &astra_sim_1_dialect},
}};

}  // namespace orrery
