#include "report/astra1/result_folder.hpp"

#include <algorithm>
#include <array>

#include "base/diagnostics/diagnostics.hpp"
#include "base/diagnostics/printable.hpp"
#include "base/diagnostics/words.hpp"
#include "base/files/file.hpp"
#include "base/files/paths.hpp"

namespace orrery::core {

namespace {

struct SharedFile {
  std::string_view name;
  int lines_per_run;
};
constexpr std::array<SharedFile, 3> always_written{
    {{"tutorial_result.csv", 1}, {"backend_end_to_end.csv", 1}, {"backend_dim_info.csv", 10}}};
constexpr std::array<SharedFile, 2> layer_files{{{"EndToEnd.csv", 1}, {"detailed.csv", 1}}};

// A run with row > 0 finds the file, and its own lines in it.
void require(const ResultOptions& options, const SharedFile& shared) {
  const std::string file = options.path + std::string(shared.name);
  const std::string row = "--stat-row=" + std::to_string(options.row);
  if (!is_there(file)) {
    throw InputError({file}, "missing, but " + row + " adds to it: run the one with --stat-row=0 first");
  }
  const std::string text = read_file_of_any_kind(file);
  const auto lines = std::count(text.begin(), text.end(), '\n');
  if (lines <= static_cast<std::ptrdiff_t>(shared.lines_per_run) * (options.row + 1)) {
    throw InputError({file}, "has " + std::to_string(lines) + " lines, too few for " + row +
                                 ": run the one with --stat-row=0 again, with the same --total-stat-rows");
  }
}

}  // namespace

void check_result_options(const ResultOptions& options, bool separate_log) {
  if (options.total_rows < 1) throw InputError({"--total-stat-rows"}, "has to be at least 1");
  if (options.row < 0 || options.row >= options.total_rows) {
    throw InputError({"--stat-row"}, "row " + std::to_string(options.row) + " does not exist among " +
                                         std::to_string(options.total_rows) +
                                         ", choose 0 to --total-stat-rows - 1");
  }
  constexpr std::size_t longest_name = 200;
  if (options.run_name.empty() || options.run_name.size() > longest_name ||
      options.run_name.find_first_of(",/") != std::string::npos || !is_printable(options.run_name)) {
    throw InputError({"--run-name"},
                     backquoted(options.run_name) +
                         " becomes a file name and a table cell, choose 1 to 200 characters without "
                         "comma, slash or control character");
  }
  require_folder_of(options.path, {"--path"});
  if (options.row == 0) return;
  for (const SharedFile& file : always_written) require(options, file);
  if (separate_log) {
    for (const SharedFile& file : layer_files) require(options, file);
  }
}

namespace {

const ResultOptions& checked(const ResultOptions& options, bool separate_log) {
  check_result_options(options, separate_log);
  return options;
}

}  // namespace

ResultFolder::ResultFolder(const ResultOptions& options, bool separate_log)
    : options_(checked(options, separate_log)) {}

std::vector<std::string> astra1_report_files(const std::string& run_name) {
  std::vector<std::string> files{"links.csv", run_name + "_dimension_utilization.csv"};
  for (const SharedFile& file : always_written) files.emplace_back(file.name);
  for (const SharedFile& file : layer_files) files.emplace_back(file.name);
  return files;
}

GridFile ResultFolder::open(std::string_view name, std::size_t rows, std::size_t columns) const {
  return options_.row == 0 ? GridFile(rows, columns) : GridFile(read_file_of_any_kind(file(name)));
}

void ResultFolder::write(std::string_view name, const std::string& text) const {
  write_file_atomically(file(name), text);
}

}  // namespace orrery::core
