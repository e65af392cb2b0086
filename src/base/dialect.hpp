// The rules in which simulators of this family differ, as data. docs/dialects.md explains each with its
// effect.
#pragma once

#include <array>
#include <string_view>

#include "base/time.hpp"
#include "base/words.hpp"

namespace orrery {

// The ranks that have to end a phase before a chunk may go on to its next one.
enum class PhaseBarrier {
  next_group,  // the ranks that take part in the next phase
  machine,     // every rank of the machine
};

struct Dialect {
  std::string_view name = "native";
  PhaseBarrier phase_barrier = PhaseBarrier::next_group;
  // Time a training loop spends on every step from one state to the next.
  Time state_transition = Time();
  // Scale factors are binary32, and values are rounded to binary32 even when the factor is 1.
  bool single_precision_scaling = false;
  // Every term of a message's duration, and every delay computed from bytes, is cut to whole nanoseconds.
  bool whole_nanoseconds = false;
  // Themis forgets its loads when rank 0 issues, so a rank that issues earlier plans with stale ones.
  bool themis_resets_with_rank0 = false;

  // The second half of a direct all-reduce may always start with data that arrives in the very instant in
  // which a message is ready for it. Else it may only if the arrival's event comes first.
  bool gate_counts_whole_instant = true;

  // A model-parallel group that does not fit the machine is made to fit: it is cut to fill the dimensions
  // below its last one, or ignored when it is larger than the machine. Else it is an error.
  bool lenient_groups = false;

  // A message has the bandwidth of one link, and the two ways around a ring are links of their own. Else it
  // has that of all links toward its peer, in a ring of those of both ways, which messages of either way
  // share.
  bool one_link_per_message = false;

  // A hop takes the whole message before it passes it on. Else the message's front goes on at once
  // (cut-through).
  bool stores_and_forwards = false;

  // Without contention, any number of messages pass over a link at its full bandwidth. Else what a link
  // carries takes the time of its bytes, in the analytical network too (collective/link_turns.hpp).
  bool overloads_links = false;

  // Adding a received message to own data takes the time to move its bytes three times at this rate (two
  // reads and one write). With 0 it takes no time.
  double reduction_bytes_per_ns = 0;

  // A collective is cut into as many chunks as asked for, whose sizes differ by a byte at most. Else all but
  // the last have the size divided by that number, cut to whole bytes, and what is left over makes further
  // ones.
  bool even_chunks = true;

  // If Themis has nothing to gain, an all-gather visits the dimensions in ascending order, although it grows
  // on its way, and their loads are booked on the mirrored dimensions. Else it visits them in descending
  // order.
  bool themis_mirrors_gathers = false;

  // Dimensions of one NPU, and those that a collective leaves out, count in the orders of Themis and
  // round-robin.
  bool idle_dimensions_count = false;

  // An algorithm that spans the machine runs among the NPUs of the collective's group. Else it runs among all
  // of the machine if the group uses the first dimension, and not at all if it does not.
  bool groups_limit_spans = true;

  // A rank issues its operations by their ids, one at a time in each of its slots, and plans its own
  // collectives as streams (collective/streams/). Else it issues all that is ready, and one plan of a
  // collective serves all ranks.
  bool issues_in_slots = false;

  // Returns a delay computed in real nanoseconds, as this dialect rounds it.
  Time round_delay(double ns) const {
    return whole_nanoseconds ? Time::from_ns_truncated(ns) : Time::from_ns_rounded(ns);
  }
};

inline constexpr Dialect native_dialect{};
inline constexpr Dialect astra_sim_1_dialect{
    .name = "astra-sim-1.0",
    .phase_barrier = PhaseBarrier::machine,
    .state_transition = Time::from_ns(1),
    .single_precision_scaling = true,
    .whole_nanoseconds = true,
    .themis_resets_with_rank0 = true,
    .gate_counts_whole_instant = false,
    .lenient_groups = true,
    .stores_and_forwards = true,
    .overloads_links = true,
    .reduction_bytes_per_ns = 500'000,
    .even_chunks = false,
    .themis_mirrors_gathers = true,
    .idle_dimensions_count = true,
    .groups_limit_spans = false,
};
// The rules by which traces of ASTRA-sim 2 run. Its collectives have no barrier at all (collective/streams/).
inline constexpr Dialect astra_sim_2_dialect{
    .name = "astra-sim-2",
    .whole_nanoseconds = true,
    .gate_counts_whole_instant = false,
    .one_link_per_message = true,
    .stores_and_forwards = true,
    .overloads_links = true,
    .issues_in_slots = true,
};

// The words by which users choose a dialect.
inline constexpr std::array<Word<const Dialect*>, 2> dialect_words{{
    {native_dialect.name, &native_dialect},
    {astra_sim_1_dialect.name, &astra_sim_1_dialect},
}};

}  // namespace orrery
