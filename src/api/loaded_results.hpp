// Results that were read from a folder, which `orrery run` or a program has written.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "report/stored/whole_runs.hpp"
#include "report/table/typed_table.hpp"

namespace orrery::core {

// Holds all files of the folder, so that it may be gone afterwards.
class LoadedResults {
 public:
  // `name` is the folder of an experiment or of one of its runs. Throws InputError where there are no
  // results.
  explicit LoadedResults(const std::string& name);

  const std::string& experiment() const { return experiment_; }
  // Returns the runs, or the one whose folder was named.
  const std::vector<WholeRun>& runs() const { return runs_; }

  // Returns the tables that a run has, without ".csv"; `run` is empty for those of all runs.
  std::vector<std::string> tables(const std::string& run) const;
  // Requires one of these tables.
  TypedTable table(const std::string& run, const std::string& name) const;
  // Returns the text of a file; null where there is none. `path` is relative to the experiment's folder.
  const std::string* find(std::string_view path) const;

  // Writes all files into the folder of the experiment's name in `output`, and returns its name.
  std::string write(const std::string& output) const;

 private:
  std::string experiment_;
  std::vector<std::pair<std::string, std::string>> files_;  // by their paths in the folder, in order
  std::vector<WholeRun> runs_;
};

}  // namespace orrery::core
