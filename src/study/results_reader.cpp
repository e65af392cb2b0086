#include "study/results_reader.hpp"

#include <fmt/format.h>
#include <algorithm>
#include <array>
#include <filesystem>

#include "base/file.hpp"
#include "base/folder_lock.hpp"
#include "base/paths.hpp"
#include "report/result_summary.hpp"

namespace orrery {

namespace {

namespace fs = std::filesystem;

// CSV files that a page shows. ASTRA-sim 1.0's totals are not among them: everything in them stands in
// summary.json, too.
constexpr std::array<std::string_view, 30> table_names{
    "sensitivity",    "critical-path",  "blame",
    "measured",       "path-operators", "path-exchanges",
    "runs",           "layers",         "comparisons",
    "layouts",        "crosscheck",     "parts",
    "stages",         "timeline",       "links",
    "ranks",          "nodes",          "messages",
    "latencies",      "switches",       "flows",
    "link-history",   "switch-history", "memory-history",
    "topology-nodes", "topology-links", "topology-history",
    "EndToEnd",       "detailed",       "dimension_utilization"};

// Returns the name of the table that a file holds; empty if a page does not show it. ASTRA-sim 1.0's flags
// put the name of the run and an underscore in front.
std::string_view table_in(const fs::path& file) {
  if (file.extension() != ".csv") return {};
  const std::string stem = file.stem().string();
  for (const std::string_view name : table_names) {
    if (!stem.ends_with(name)) continue;
    const std::string_view before(stem.data(), stem.size() - name.size());
    if (before.empty() || before.ends_with('_')) return name;
  }
  return {};
}

// Adds the tables that stand in the folder itself, in alphabetical order of their files.
void add_tables(const fs::path& folder, const std::string& run, std::vector<ResultTable>& tables) {
  std::vector<fs::path> files;
  std::error_code failure;
  fs::directory_iterator entry(folder, failure);
  for (; !failure && entry != fs::directory_iterator(); entry.increment(failure))
    if (!table_in(entry->path()).empty()) files.push_back(entry->path());
  if (failure) throw InputError({folder.string()}, "cannot be read: " + failure.message());
  std::ranges::sort(files);
  for (const fs::path& file : files)
    tables.push_back(
        {std::string(table_in(file)), run, read_result_csv(read_text_file(file.string()), file.string())});
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

bool is_result_table(const std::string& file) {
  return !table_in(file).empty();
}

ResultSet read_results(const std::string& folder, const StepListener& told) {
  if (!is_folder(folder))
    throw InputError({folder},
                     "there is no such folder, name one that `orrery run` has written, or an experiment");
  const FolderLock lock(folder, FolderLock::WhenTaken::refuse);
  ResultSet set{name_of_folder(folder), {}, {}};
  add_tables(folder, "", set.tables);
  const fs::path file = fs::path(folder) / "summary.json";
  if (is_there(file.string())) {
    ResultSummary summary = read_result_summary(read_text_file(file.string()), file.string());
    replace_by_files(summary.tables, set.tables);
    std::ranges::move(summary.tables, std::back_inserter(set.tables));
    for (std::size_t i = 0; i < summary.runs.size(); ++i) {
      const std::string& run = summary.runs[i];
      const fs::path below = fs::path(folder) / run;
      if (is_folder(below.string())) add_tables(below, run, set.tables);
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
