// Defines what a run keeps of an operation, in the place of the interval that is recorded.
//
// Thousands of ranks act in turn, and what a rank needs is in no cache when its turn comes. So everything
// that happens to an operation touches this one place. Before it is issued, the place holds how many others
// it waits for, its slot and what it asks for; then when it was issued; and finally also when it ended.
#pragma once

#include <cstdint>

#include "base/units/time.hpp"
#include "program/execution_graph.hpp"
#include "simulate/recording.hpp"

namespace orrery {

// What most operations ask for: a time, or the number of a collective (ExecutionGraph::collective_number()).
// What other operations ask for is only in the graph. This is a number itself, so that it takes little room.
class OperationAsks {
 public:
  static OperationAsks time(Time duration) { return OperationAsks(duration.ps()); }
  static OperationAsks collective(std::uint32_t number) { return OperationAsks(-2 - std::int64_t{number}); }
  static OperationAsks something_else() { return OperationAsks(-1); }
  static OperationAsks from_code(std::int64_t code) { return OperationAsks(code); }

  bool is_time() const { return code_ >= 0; }
  bool is_collective() const { return code_ < -1; }
  Time time() const { return Time::from_ps(code_); }
  std::uint32_t collective() const { return static_cast<std::uint32_t>(-2 - code_); }
  std::int64_t code() const { return code_; }

 private:
  explicit OperationAsks(std::int64_t code) : code_(code) {}
  std::int64_t code_;
};

namespace operation_state {

inline constexpr Time not_yet = Time::from_ps(-1);
inline constexpr std::int64_t all_slots = operation_slots + 1;

// The start of an operation that has not been issued is negative. It holds the slot, and how many of the
// predecessors are not complete.
inline Interval waiting(std::size_t predecessors, Slot slot, OperationAsks asks) {
  return {Time::from_ps(
              -1 - (static_cast<std::int64_t>(predecessors) * all_slots + static_cast<std::int64_t>(slot))),
          Time::from_ps(asks.code())};
}
inline Slot slot_of(const Interval& waiting) {
  return static_cast<Slot>((-1 - waiting.start.ps()) % all_slots);
}
// Called when one of its predecessors is complete. Returns whether that was the last one.
[[nodiscard]] inline bool releases(Interval& waiting) {
  waiting.start += Time::from_ps(all_slots);
  return waiting.start >= Time::from_ps(-all_slots);
}
[[nodiscard]] inline OperationAsks issue(Interval& waiting, Time now) {
  const auto asks = OperationAsks::from_code(waiting.end.ps());
  waiting = {now, not_yet};
  return asks;
}
inline bool is_under_way(const Interval& operation) {
  return operation.start >= Time() && operation.end == not_yet;
}

}  // namespace operation_state

}  // namespace orrery
