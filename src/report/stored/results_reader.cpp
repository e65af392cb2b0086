#include "report/stored/results_reader.hpp"

#include <fmt/format.h>
#include <algorithm>
#include <filesystem>

#include "base/files/folder_lock.hpp"
#include "base/files/paths.hpp"
#include "report/stored/result_files.hpp"
#include "report/stored/result_summary.hpp"

namespace orrery {

namespace {

namespace fs = std::filesystem;

// Adds the tables that stand in the folder itself, in alphabetical order of their files.
void add_tables(const fs::path& folder, const std::string& run, const FileLoader& load,
                std::vector<ResultTable>& tables) {
  std::vector<fs::path> files;
  std::error_code failure;
  fs::directory_iterator entry(folder, failure);
  for (; !failure && entry != fs::directory_iterator(); entry.increment(failure))
    if (!page_table_of(entry->path().filename().string()).empty()) files.push_back(entry->path());
  if (failure) throw InputError({folder.string()}, "cannot be read: " + failure.message());
  std::ranges::sort(files);
  for (const fs::path& file : files)
    tables.push_back({std::string(page_table_of(file.filename().string())), run,
                      read_result_csv(load(file.string()), file.string())});
}

// Throws InputError where the tables are more than a browser can read: its texts end at half a gigabyte.
void check_size(const std::string& folder, const std::vector<ResultTable>& tables) {
  constexpr std::size_t most_cells = 80'000'000;
  std::size_t cells = 0;
  for (const ResultTable& table : tables) cells += table.rows() * table.columns.size();
  if (cells > most_cells)
    throw InputError(
        {folder},
        fmt::format("its tables have more than {} cells, more than a page can hold: have fewer runs write "
                    "reports (`orrery run --reports`), or name the folder of a run",
                    most_cells));
}

// A CSV file says the same as the summary, and more.
void replace_by_files(std::vector<ResultTable>& summarized, const std::vector<ResultTable>& files) {
  std::erase_if(summarized, [&](const ResultTable& table) {
    return std::ranges::find(files, table.name, &ResultTable::name) != files.end();
  });
}

}  // namespace

ResultSet read_results(const std::string& folder, const FileLoader& load, const StepListener& told) {
  if (!is_folder(folder))
    throw InputError({folder},
                     "there is no such folder, name one that `orrery run` has written, or an experiment");
  const FolderLock lock(folder, FolderLock::WhenTaken::refuse);
  ResultSet set{name_of_folder(folder), {}, {}};
  add_tables(folder, "", load, set.tables);
  const fs::path file = fs::path(folder) / summary_file.name;
  if (is_there(file.string())) {
    ResultSummary summary = read_result_summary(load(file.string()), file.string());
    replace_by_files(summary.tables, set.tables);
    std::ranges::move(summary.tables, std::back_inserter(set.tables));
    for (std::size_t i = 0; i < summary.runs.size(); ++i) {
      const std::string& run = summary.runs[i];
      const fs::path below = fs::path(folder) / run;
      if (is_folder(below.string())) add_tables(below, run, load, set.tables);
      check_size(folder, set.tables);
      if (told) told(i + 1, summary.runs.size(), "runs read");
    }
    if (!summary.experiment.empty()) set.name = summary.experiment;
    set.origin = std::move(summary.origin);
  }
  if (set.tables.empty())
    throw InputError({folder}, "no results are in this folder, name one that `orrery run` has written");
  return set;
}

}  // namespace orrery
