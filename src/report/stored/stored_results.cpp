#include "report/stored/stored_results.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "base/diagnostics/words.hpp"
#include "base/files/folder_lock.hpp"
#include "base/files/paths.hpp"
#include "report/stored/result_files.hpp"
#include "report/stored/result_summary.hpp"

namespace orrery::core {

namespace {

namespace fs = std::filesystem;

// Returns the tables that stand in the folder itself, in alphabetical order.
std::vector<fs::path> table_files(const fs::path& folder) {
  std::vector<fs::path> files;
  std::error_code failure;
  fs::directory_iterator entry(folder, failure);
  for (; !failure && entry != fs::directory_iterator(); entry.increment(failure))
    if (!page_table_of(entry->path().filename().string()).empty()) files.push_back(entry->path());
  if (failure) throw InputError({folder.string()}, "cannot be read: " + failure.message());
  std::ranges::sort(files);
  return files;
}

// Throws InputError where the tables are more than a browser can read: its texts end at half a gigabyte.
void check_size(const std::string& folder, const std::vector<ResultTable>& tables) {
  constexpr std::size_t max_cells = 80'000'000;
  std::size_t cells = 0;
  for (const ResultTable& table : tables) cells += table.rows() * table.columns.size();
  if (cells > max_cells)
    throw InputError(
        {folder},
        fmt::format("its tables have more than {} cells, more than a page can hold: have fewer runs write "
                    "reports (`orrery run --reports`), or name the folder of a run",
                    max_cells));
}

// A CSV file says the same as the summary, and more.
void replace_by_files(std::vector<ResultTable>& summarized, const std::vector<ResultTable>& files) {
  std::erase_if(summarized, [&](const ResultTable& table) {
    return std::ranges::find(files, table.name, &ResultTable::name) != files.end();
  });
}

const ResultColumn& column_named(const std::vector<ResultColumn>& columns, std::string_view name,
                                 const std::string& file) {
  const auto found = std::ranges::find(columns, name, &ResultColumn::name);
  if (found == columns.end())
    throw InputError({file}, "lacks the column " + backquoted(name) + "; simulate the run again");
  return *found;
}

std::string text_in(const ResultColumn& column, std::size_t row) {
  return column.has_words() ? column.words[column.places[row]] : std::string();
}

double amount_in(const ResultColumn& column, std::size_t row) {
  const double number = column.has_words() ? NAN : column.numbers[row];
  return std::isfinite(number) ? number : 0;
}

}  // namespace

std::vector<BusiestLinks> read_links_csv(std::string_view text, const std::string& file) {
  const std::vector<ResultColumn> columns = read_result_csv(text, file);
  const ResultColumn &from = column_named(columns, "from", file), &to = column_named(columns, "to", file);
  const ResultColumn& dimension = column_named(columns, "dimension", file);
  const ResultColumn &use = column_named(columns, "utilization", file),
                     &count = column_named(columns, "links", file),
                     &busy = column_named(columns, "busy_ns", file);
  std::vector<BusiestLinks> links(from.rows());
  for (std::size_t row = 0; row < links.size(); ++row) {
    links[row].from = text_in(from, row);
    links[row].to = text_in(to, row);
    links[row].dimension = text_in(dimension, row);
    links[row].utilization = amount_in(use, row);
    links[row].busy = Time::from_ns_rounded(std::max(0.0, amount_in(busy, row)));
    links[row].links = static_cast<std::uint64_t>(std::max(0.0, amount_in(count, row)));
  }
  return links;
}

StoredResults::StoredResults(std::string name, FileLoader load)
    : name_(std::move(name)), load_(std::move(load)) {
  const bool is_summary = is_file(name_);
  folder_ = is_summary ? fs::path(name_).parent_path() : fs::path(name_);
  summary_ = is_summary ? fs::path(name_) : folder_ / summary_file.name;
}

bool StoredResults::has_summary() const {
  return is_there(summary_.string());
}

std::vector<StoredRun> StoredResults::runs() const {
  return read_stored_runs(load_(summary_.string()), summary_.string());
}

std::vector<StoredRun> StoredResults::runs_with_links() const {
  std::vector<StoredRun> found = runs();
  for (StoredRun& run : found) run.links = links_of(run.run);
  return found;
}

// The table is in the run's own folder, or beside the summary of a run of traces.
std::vector<BusiestLinks> StoredResults::links_of(const std::string& run) const {
  constexpr const char* name = result_file("links.csv").name;
  for (const fs::path& file : {folder_of(run) / name, folder_ / name})
    if (is_file(file.string())) return read_links_csv(load_(file.string()), file.string());
  return {};
}

void StoredResults::add_tables(const fs::path& folder, const std::string& run,
                               std::vector<ResultTable>& tables) const {
  for (const fs::path& file : table_files(folder))
    tables.push_back({std::string(page_table_of(file.filename().string())), run,
                      read_result_csv(load_(file.string()), file.string())});
}

void StoredResults::add_summary(ResultSet& set, const StepListener& told) const {
  ResultSummary summary = read_result_summary(load_(summary_.string()), summary_.string());
  replace_by_files(summary.tables, set.tables);
  std::ranges::move(summary.tables, std::back_inserter(set.tables));
  for (std::size_t i = 0; i < summary.runs.size(); ++i) {
    const std::string& run = summary.runs[i];
    const fs::path below = folder_of(run);
    if (is_folder(below.string())) add_tables(below, run, set.tables);
    check_size(name_, set.tables);
    if (told) told(i + 1, summary.runs.size(), "runs read");
  }
  if (!summary.experiment.empty()) set.name = summary.experiment;
  set.origin = std::move(summary.origin);
}

ResultSet StoredResults::tables(const StepListener& told) const {
  if (!is_folder(name_))
    throw InputError({name_},
                     "there is no such folder, name one that `orrery run` has written, or an experiment");
  const FolderLock lock(name_, FolderLock::WhenTaken::refuse);
  ResultSet set{name_of_folder(name_), {}, {}};
  add_tables(folder_, "", set.tables);
  if (has_summary()) add_summary(set, told);
  if (set.tables.empty())
    throw InputError({name_}, "no results are in this folder, name one that `orrery run` has written");
  return set;
}

std::vector<StoredRun> find_stored_runs(const std::string& name, const FileLoader& load) {
  const fs::path path = fs::path(name).has_filename() ? fs::path(name) : fs::path(name).parent_path();
  const StoredResults results(path.string(), load);
  if (results.has_summary()) return results.runs_with_links();
  if (is_there(path.string()))
    if (const StoredResults above(path.parent_path().string(), load); above.has_summary())
      for (StoredRun& run : above.runs_with_links())
        if (run.run == path.filename().string()) return {std::move(run)};
  throw InputError(
      {name},
      "holds no results; name a folder with a summary.json, such as results/<experiment>, or the "
      "folder of one of its runs");
}

}  // namespace orrery::core
