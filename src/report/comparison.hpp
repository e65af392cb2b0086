// Several runs side by side, as text for a terminal.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "report/run_tables.hpp"

namespace orrery {

// A table with a line per run: what differs, times of one iteration, the speedup over the first run, and a
// bar that shows compute against exposed communication; then, where runs train the same layers, which is
// fastest and why. Keeps of a run what the table shows, and all of it only
// where more is said of it, so that there may be many.
class ComparisonReport {
 public:
  const RunRow& add(const Summary& run);
  // Runs in the order in which they were added.
  const std::vector<RunRow>& rows() const { return rows_.all(); }
  // `unicode` draws with block characters, else with ASCII.
  std::string text(bool unicode) const;

 private:
  struct Extremes {
    Summary fastest, slowest;
  };

  void add_to_group(const Summary& run);

  std::vector<std::string> varied_keys_;  // those whose values differ among the runs
  RunRows rows_;
  bool bubbles_ = false;                                   // whether any run can have some
  std::vector<Extremes> groups_;                           // of runs that do the same
  std::unordered_map<std::string, std::size_t> group_of_;  // by work
  std::optional<Summary> most_memory_, most_overloaded_;
  std::size_t overloaded_ = 0;  // runs
};

// One run in a screen: times, shares, the worst layers.
std::string run_report(const Summary& run, bool unicode);

}  // namespace orrery
