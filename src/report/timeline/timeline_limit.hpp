// The length of a timeline is limited: a step of a million micro-batches would make a file of gigabytes,
// which nobody can open.
#pragma once

#include <cstddef>
#include <string>

#include "base/diagnostics/diagnostics.hpp"

namespace orrery::core {

// Hands out the places of a timeline. Each part of the program has the same number of places, for its first
// operations.
class TimelineLimit {
 public:
  static constexpr std::size_t max_operations = 1'000'000;

  explicit TimelineLimit(std::size_t parts, std::size_t most = max_operations)
      : of_part_(most / (parts > 0 ? parts : 1)) {}

  void begin_part() { left_ = of_part_; }
  // Returns whether the next operation has a place, and counts the operation.
  [[nodiscard]] bool take() {
    if (left_ == 0) {
      ++left_out_;
      return false;
    }
    --left_;
    return true;
  }
  // Says what was left out, if anything was.
  void warn(const std::string& file, Warnings& warnings) const;

 private:
  std::size_t of_part_, left_ = 0, left_out_ = 0;
};

}  // namespace orrery::core
