// Defines what a run keeps of a node, in the place of the interval that is recorded.
//
// Thousands of ranks act in turn, and what a rank needs is in no cache when its turn comes. So all that
// happens to a node touches this one place: before it is issued, how many parents it waits for, its slot and
// what it asks for; then when it was issued; at last when it ended, too.
#pragma once

#include <cstdint>

#include "base/time.hpp"
#include "simulate/recording.hpp"
#include "simulate/trace/plain_nodes.hpp"

namespace orrery::node_state {

// The place where a node runs. The first three slots hold one node each; nodes that need no slot have `none`.
enum Slot : std::uint8_t { cpu, compute, communication, none, slots };

inline constexpr Time not_yet = Time::from_ps(-1);

// The start of a node that has not been issued is negative: its slot, and how many parents have not finished.
inline Interval waiting(std::uint32_t parents, Slot slot, PlainNodes::Asks asks) {
  return {Time::from_ps(-1 - (std::int64_t{parents} * slots + slot)), Time::from_ps(asks.code())};
}
inline Slot slot_of(const Interval& waiting) {
  return static_cast<Slot>((-1 - waiting.start.ps()) % slots);
}
// One of the node's parents has finished. Returns whether that was the last one.
inline bool releases(Interval& waiting) {
  waiting.start += Time::from_ps(slots);
  return waiting.start >= Time::from_ps(-std::int64_t{slots});
}
inline PlainNodes::Asks issue(Interval& waiting, Time now) {
  const auto asks = PlainNodes::Asks::from_code(waiting.end.ps());
  waiting = {now, not_yet};
  return asks;
}
inline bool is_under_way(const Interval& node) {
  return node.start >= Time() && node.end == not_yet;
}

}  // namespace orrery::node_state
