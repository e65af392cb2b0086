// timeline.csv: what each part of a program does, in the order of the program. Its length is limited: a step
// of a million micro-batches would make a file of gigabytes, which nobody can open.
#pragma once

#include <array>
#include <cstddef>
#include <string>
#include <vector>

#include "base/diagnostics.hpp"
#include "report/table.hpp"
#include "simulate/simulation.hpp"

namespace orrery {

// Hands out the lines of a timeline: each part of the program has the same number of them, for its first
// operations.
class TimelineLimit {
 public:
  static constexpr std::size_t most_lines = 1'000'000;

  explicit TimelineLimit(std::size_t parts) : of_part_(most_lines / (parts > 0 ? parts : 1)) {}

  void begin_part() { left_ = of_part_; }
  // Returns whether the next operation gets a line, and counts the operation.
  bool take() {
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

struct TimelineRow {
  std::string_view part;
  const Operation& operation;
  std::string_view layer, pass;
  const Interval& interval;
};
extern const Table<TimelineRow> timeline_table;

// Words by Pass: of layers, and of transformers, whose backward passes are simulated as a whole.
using PassWords = std::array<std::string_view, passes_of_a_layer>;
inline constexpr PassWords layer_passes{"forward", "input-gradient", "weight-gradient"};
inline constexpr PassWords whole_passes{"forward", "backward", "update"};

// Writes the file: what the lowest rank of each part computes, sends, receives and exchanges. Warns where
// that is not all of it.
void write_timeline(const std::string& file, const Program& program, const Recording& recording,
                    const PassWords& passes, Warnings& warnings);

}  // namespace orrery
