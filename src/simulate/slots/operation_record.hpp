// Defines what a run keeps of an operation until its interval is recorded.
//
// Thousands of ranks act in turn, and what a rank needs is in no cache when its turn comes. So everything
// that happens to an operation touches this one place. Before it is issued, the place holds how many others
// it waits for, its slot and what it asks for; then when it was issued; and finally also when it ended.
#pragma once

#include <cstdint>

#include "base/units/time.hpp"
#include "program/execution_graph.hpp"
#include "simulate/recording.hpp"

namespace orrery::core {

// Most operations ask for a time, or for a collective by its number (ExecutionGraph::collective_number()).
// For the others one has to ask the graph. This is a number itself, so that it takes little room.
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

// Two numbers. Before the operation is issued, they are what it waits for and what it asks for; then they are
// its start and its end.
class OperationRecord {
 public:
  OperationRecord(std::size_t predecessors, Slot slot, OperationAsks asks)
      : start_(-1 - (static_cast<std::int64_t>(predecessors) * all_slots + static_cast<std::int64_t>(slot))),
        end_(asks.code()) {}

  // Returns the slot of an operation that has not been issued.
  Slot slot() const { return static_cast<Slot>((-1 - start_) % all_slots); }
  // Called when one of its predecessors is complete. Returns whether that was the last one.
  [[nodiscard]] bool releases() {
    start_ += all_slots;
    return start_ >= -all_slots;
  }
  // Starts the operation and returns what it asks for.
  [[nodiscard]] OperationAsks issue(Time now) {
    const auto asks = OperationAsks::from_code(end_);
    start_ = now.ps();
    end_ = not_yet;
    return asks;
  }
  void complete(Time now) { end_ = now.ps(); }
  bool is_under_way() const { return start_ >= 0 && end_ == not_yet; }

  // Returns the start and the end of an operation that is complete.
  Interval interval() const { return {Time::from_ps(start_), Time::from_ps(end_)}; }
  Time start() const { return Time::from_ps(start_); }

 private:
  static constexpr std::int64_t not_yet = -1;
  static constexpr std::int64_t all_slots = operation_slots + 1;

  std::int64_t start_;  // ps; negative before it is issued: how many it waits for, and its slot
  std::int64_t end_;    // ps; before it is issued: what it asks for
};
static_assert(sizeof(OperationRecord) == 16, "four records of a rank share a cache line");

}  // namespace orrery::core
