// Chooses where the original simulator's result files go, and which files a run adds to.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/files/file_writer.hpp"
#include "report/astra1/grid_file.hpp"

namespace orrery::core {

struct ResultOptions {
  std::string path = "./";  // put in front of every file name as it is
  std::string run_name = "unnamed run";
  int total_rows = 1;  // runs that share the files
  int row = 0;         // this run's position among them; row 0 creates the files
};

// Processes that add rows to the same files have to take turns, so the code that makes a ResultFolder must
// hold the lock of the folder.
class ResultFolder {
 public:
  // Throws InputError when the options contradict each other, the folder is missing, or a run with row > 0
  // finds no files to add to.
  explicit ResultFolder(const ResultOptions& options, bool separate_log);

  // Opens the table to add to. For row 0 it is a new one, otherwise the one on disk.
  GridFile open(std::string_view name, std::size_t rows, std::size_t columns) const;
  void write(std::string_view name, const std::string& text) const;
  // Begins a long file, which is written in pieces and must be finished.
  FileWriter begin(std::string_view name) const { return FileWriter(file(name)); }

 private:
  std::string file(std::string_view name) const { return options_.path + std::string(name); }

  ResultOptions options_;
};

// Throws whenever the constructor would throw, so that users are told before the work starts.
void check_result_options(const ResultOptions& options, bool separate_log);

// Returns the names of all files that a run of this name may write.
std::vector<std::string> astra1_report_files(const std::string& run_name);

}  // namespace orrery::core
