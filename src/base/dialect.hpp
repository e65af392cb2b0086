// The rules in which simulators of this family differ, as data. docs/dialects.md explains each rule and its
// effect.
#pragma once

#include <array>
#include <string_view>

#include "base/diagnostics/words.hpp"
#include "base/units/time.hpp"

namespace orrery::core {

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

  // If true, the second half of a direct all-reduce may always start with data that arrives in the very
  // instant in which a message is ready for it. If false, it may do so only if the event of the arrival comes
  // first.
  bool gate_counts_whole_instant = true;

  // If true, a model-parallel group that does not fit the machine is made to fit: it is cut to fill the
  // dimensions below its last one, or ignored when it is larger than the machine. If false, it is an error.
  bool lenient_groups = false;

  // If true, a message has the bandwidth of one link, and the two directions of a ring are links of their
  // own. If false, a message has the bandwidth of all links toward its peer. In a ring these are the links of
  // both directions, which messages of either direction share.
  bool one_link_per_message = false;

  // If true, a hop receives the whole message before it passes it on. If false, the message's front goes on
  // at once (cut-through).
  bool stores_and_forwards = false;

  // If true, any number of messages pass over a link at its full bandwidth where no contention is simulated.
  // If false, the messages that a link carries take the time of their bytes one after the other, in the
  // analytical network too: what a link carries in a phase bounds how long the phase takes
  // (collective/timelines/link_reservations.hpp).
  bool overloads_links = false;

  // Adding a received message to the rank's own data takes the time to move the message's bytes three times
  // at this rate (two reads and one write). With 0 it takes no time.
  double reduction_bytes_per_ns = 0;

  // If true, a collective is cut into as many chunks as asked for, whose sizes differ by a byte at most. If
  // false, the size divided by that number and cut to whole bytes is the size of all chunks but the last, and
  // what is left over makes further chunks.
  bool even_chunks = true;

  // If true, an all-gather for which Themis has nothing to gain visits the dimensions in ascending order,
  // although it grows on its way, and its loads are booked on the mirrored dimensions. If false, it visits
  // them in descending order.
  bool themis_mirrors_gathers = false;

  // If true, dimensions of one NPU and those that a collective leaves out also count in the orders of Themis
  // and round-robin.
  bool idle_dimensions_count = false;

  // If true, an algorithm that spans the machine runs among the NPUs of the collective's group. If false, it
  // runs among all of the machine if the group uses the first dimension, and not at all if it does not.
  bool groups_limit_spans = true;

  // If true, computation and collectives slow each other down on a device whose kernels carry out
  // collectives. If false, neither takes anything from the other.
  bool contends_at_endpoints = true;

  // If true, there are rules for execution traces only, and these run a collective with a root only if the
  // user names an algorithm for it.
  bool only_traces = false;

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
    .contends_at_endpoints = false,
};
// The rules by which traces of ASTRA-sim 2 run. Its collectives have no barrier at all (collective/streams/).
inline constexpr Dialect astra_sim_2_dialect{
    .name = "astra-sim-2",
    .whole_nanoseconds = true,
    .gate_counts_whole_instant = false,
    .one_link_per_message = true,
    .stores_and_forwards = true,
    .overloads_links = true,
    .contends_at_endpoints = false,
    .only_traces = true,
};

// The words by which users choose a dialect.
inline constexpr std::array<EnumName<const Dialect*>, 2> dialect_words{{
    {native_dialect.name, &native_dialect},
    {astra_sim_1_dialect.name, &astra_sim_1_dialect},
}};

}  // namespace orrery::core
