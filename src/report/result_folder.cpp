#include "report/result_folder.hpp"

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <array>
#include <filesystem>

#include "base/diagnostics.hpp"
#include "base/file.hpp"

namespace orrery {

namespace {

std::string folder_of(const std::string& prefix) {
  const auto slash = prefix.rfind('/');
  return slash == std::string::npos ? "." : prefix.substr(0, slash + 1);
}

constexpr std::array<std::string_view, 3> always_written{"tutorial_result.csv", "backend_end_to_end.csv",
                                                         "backend_dim_info.csv"};
constexpr std::array<std::string_view, 2> layer_files{"EndToEnd.csv", "detailed.csv"};

}  // namespace

void check_result_options(const ResultOptions& options, bool separate_log) {
  if (options.total_rows < 1) throw InputError({"--total-stat-rows"}, "has to be at least 1");
  if (options.row < 0 || options.row >= options.total_rows) {
    throw InputError({"--stat-row"}, "row " + std::to_string(options.row) + " does not exist among " +
                                         std::to_string(options.total_rows) + ", raise --total-stat-rows");
  }
  if (options.run_name.empty() || options.run_name.find_first_of(",/\n\r") != std::string::npos) {
    throw InputError({"--run-name"}, "'" + options.run_name +
                                         "' becomes a file name and a table cell, choose one without comma, slash or "
                                         "line break");
  }
  if (!std::filesystem::is_directory(folder_of(options.path))) {
    throw InputError({"--path"}, "the folder '" + folder_of(options.path) + "' does not exist, create it");
  }
  if (options.row == 0) return;
  auto require = [&](std::string_view name) {
    if (std::filesystem::exists(options.path + std::string(name))) return;
    throw InputError({options.path + std::string(name)},
                     "missing, but --stat-row=" + std::to_string(options.row) +
                         " adds to it: run the one with --stat-row=0 first");
  };
  for (std::string_view name : always_written) require(name);
  if (separate_log) {
    for (std::string_view name : layer_files) require(name);
  }
}

ResultFolder::ResultFolder(const ResultOptions& options, bool separate_log) : options_(options) {
  check_result_options(options, separate_log);
  lock_ = ::open(folder_of(options.path).c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (lock_ >= 0) ::flock(lock_, LOCK_EX);
}

ResultFolder::~ResultFolder() {
  if (lock_ >= 0) ::close(lock_);
}

GridFile ResultFolder::open(std::string_view name, std::size_t rows, std::size_t columns) const {
  return options_.row == 0 ? GridFile(rows, columns) : GridFile(read_text_file(file(name)));
}

void ResultFolder::write(std::string_view name, const std::string& text) const {
  write_file_atomically(file(name), text);
}

}  // namespace orrery
