#include "api/loaded_results.hpp"

#include <algorithm>
#include <filesystem>
#include <set>

#include "base/diagnostics/words.hpp"
#include "base/files/file.hpp"
#include "base/files/folder_lock.hpp"
#include "base/files/paths.hpp"
#include "report/stored/result_files.hpp"
#include "report/stored/stored_results.hpp"
#include "study/results/result_tables.hpp"

namespace orrery::core {

namespace {

namespace fs = std::filesystem;

// The folder of an experiment, and which of its runs is meant; no name: all.
struct NamedResults {
  fs::path folder;
  std::string run;
};

NamedResults results_at(const std::string& name) {
  const fs::path path = fs::path(name).has_filename() ? fs::path(name) : fs::path(name).parent_path();
  if (is_there((path / summary_file.name).string())) return {path, {}};
  if (is_folder(path.string()) && is_there((path.parent_path() / summary_file.name).string()))
    return {path.parent_path(), path.filename().string()};
  throw InputError(
      {name},
      "holds no results; name a folder with a summary.json, such as results/<experiment>, or the "
      "folder of one of its runs");
}

std::string path_of_table(const std::string& run, std::string_view table) {
  return (run.empty() ? "" : run + "/") + std::string(table) + ".csv";
}

std::vector<BusiestLinks> links_in(const LoadedResults& results, const std::string& run) {
  const std::string path = path_of_table(run, "links");
  const std::string* const text = results.find(path);
  return text ? read_links_csv(*text, path) : std::vector<BusiestLinks>();
}

}  // namespace

LoadedResults::LoadedResults(const std::string& name) {
  const NamedResults named = results_at(name);
  {
    const FolderLock lock(named.folder, FolderLock::WhenTaken::refuse);
    for (const auto& entry : fs::recursive_directory_iterator(named.folder))
      if (entry.is_regular_file())
        files_.emplace_back(entry.path().lexically_relative(named.folder).generic_string(),
                            read_file_of_any_kind(entry.path().string()));
  }
  std::ranges::sort(files_);
  const std::string summary = (named.folder / summary_file.name).string();
  WholeRuns whole = read_whole_runs(*find(summary_file.name), summary);
  experiment_ = whole.experiment.empty() ? name_of_folder(named.folder.string()) : whole.experiment;
  for (WholeRun& run : whole.runs) {
    if (!named.run.empty() && run.stored.run != named.run) continue;
    run.stored.links = links_in(*this, run.stored.run);
    runs_.push_back(std::move(run));
  }
  if (runs_.empty())
    throw InputError({name}, "is no folder of a run that " + summary + " tells of; name one of its runs");
}

const std::string* LoadedResults::find(std::string_view path) const {
  const auto found = std::ranges::find(files_, path, &std::pair<std::string, std::string>::first);
  return found == files_.end() ? nullptr : &found->second;
}

std::vector<std::string> LoadedResults::tables(const std::string& run) const {
  std::vector<std::string> names;
  for (const std::string_view file : typed_result_files()) {
    const std::string name(file.substr(0, file.rfind('.')));
    if (find(path_of_table(run, name))) names.push_back(name);
  }
  return names;
}

TypedTable LoadedResults::table(const std::string& run, const std::string& name) const {
  const std::string path = path_of_table(run, name);
  std::set<std::string> keys;
  for (const WholeRun& one : runs_)
    for (const auto& [key, value] : one.summary.varied) keys.insert(key);
  return read_typed_table(name + ".csv", *find(path), path, keys);
}

std::string LoadedResults::write(const std::string& output) const {
  const fs::path folder = fs::path(output) / experiment_;
  const FolderLock lock(folder, FolderLock::WhenTaken::refuse);
  for (const auto& [path, text] : files_) {
    const fs::path file = folder / path;
    fs::create_directories(file.parent_path());
    write_file_atomically(file.string(), text);
  }
  return folder.string();
}

}  // namespace orrery::core
