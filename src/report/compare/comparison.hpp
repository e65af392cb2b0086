// Shows several runs side by side, as text for a terminal.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "report/summary/run_tables.hpp"

namespace orrery::core {

// A table with a line per run: what differs, times of one iteration, the speedup over the first run, and a
// bar that shows compute against exposed communication. Where runs train the same layers, it then says which
// is fastest and why. Of most runs it keeps only what the table shows, so that there may be many; it keeps
// all of a run only where more is said about it.
class ComparisonReport {
 public:
  const RunRow& add(const Summary& run);
  // Returns the runs in the order in which they were added.
  const std::vector<RunRow>& rows() const { return rows_.all(); }
  // `unicode` draws with block characters, else with ASCII.
  std::string text(bool unicode) const;

 private:
  struct Extremes {
    Summary fastest, slowest;
  };

  void add_to_group(const Summary& run);

  std::vector<std::string> varied_keys_;  // keys whose values differ among the runs
  RunRows rows_;
  bool bubbles_ = false;                                   // whether any run can have a bubble
  std::vector<Extremes> groups_;                           // runs that do the same
  std::unordered_map<std::string, std::size_t> group_of_;  // by work
  std::optional<Summary> max_memory_, max_overloaded_;
  std::size_t overloaded_ = 0;  // number of such runs
};

// Returns one run in a screen: times, shares, and the worst layers.
std::string run_report(const Summary& run, bool unicode);

}  // namespace orrery::core
