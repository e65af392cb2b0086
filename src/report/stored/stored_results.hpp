// Reads back what commands have left in a folder of results.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "base/files/file_loader.hpp"
#include "base/progress.hpp"
#include "report/stored/result_page.hpp"
#include "report/stored/stored_runs.hpp"

namespace orrery::core {

// All functions throw InputError where a file is not there, is not whole or holds something else.
class StoredResults {
 public:
  // `name` is the folder of an experiment, of one of its runs or of other results, or a summary.json. Nothing
  // is read yet.
  StoredResults(std::string name, FileLoader load);

  bool has_summary() const;
  // Returns the runs that the summary tells of, in its order.
  std::vector<StoredRun> runs() const;
  // Returns the same runs with all their links, as far as these were written.
  std::vector<StoredRun> runs_with_links() const;
  // Returns the folder that has the files of a run, if there are any.
  std::filesystem::path folder_of(const std::string& run) const { return folder_ / run; }

  // Returns the tables of the folder, and those of the runs that the summary names. Throws InputError also
  // when no results are in the folder, and when another process is writing them. `told` is called for each
  // run that has been read.
  ResultSet tables(const StepListener& told = {}) const;

 private:
  void add_tables(const std::filesystem::path& folder, const std::string& run,
                  std::vector<ResultTable>& tables) const;
  void add_summary(ResultSet& set, const StepListener& told) const;
  std::vector<BusiestLinks> links_of(const std::string& run) const;

  std::string name_;
  FileLoader load_;
  std::filesystem::path folder_, summary_;
};

// Returns the ends, dimension, number, use and busy time of the links in each line of links.csv. Throws
// InputError. `file` is for messages.
std::vector<BusiestLinks> read_links_csv(std::string_view text, const std::string& file);

// Returns the runs of a folder of results or of a summary.json, or the one run whose folder is named, with
// their links. Throws InputError.
std::vector<StoredRun> find_stored_runs(const std::string& name, const FileLoader& load);

}  // namespace orrery::core
