// orrery compare: shows what changes from one run to others, by the results that they left.
#include <algorithm>
#include <filesystem>
#include <memory>
#include <nlohmann/json.hpp>
#include <unordered_map>

#include "base/diagnostics/words.hpp"
#include "base/files/file_loader.hpp"
#include "base/files/paths.hpp"
#include "cli/commands.hpp"
#include "cli/console.hpp"
#include "cli/flags/flag_values.hpp"
#include "cli/flags/result_outputs.hpp"
#include "cli/progress_line.hpp"
#include "cli/runs/compare_measured.hpp"
#include "report/compare/comparison.hpp"
#include "report/compare/run_changes.hpp"
#include "report/stored/stored_links.hpp"
#include "report/stored/stored_runs.hpp"
#include "study/compare/input_changes.hpp"

namespace orrery {

namespace {

namespace fs = std::filesystem;

struct CompareOptions {
  const CLI::App* command;
  std::vector<std::string> results;
  MeasuredFlags measured;
  bool json = false;
};

// A run's table of all links is in its own folder, or beside the summary of a run of traces.
void add_links(StoredRun& run, const fs::path& folder, const FileLoader& load) {
  for (const fs::path& file :
       {folder / run.run / result_file("links.csv").name, folder / result_file("links.csv").name})
    if (is_file(file.string())) {
      run.links = read_stored_links(load(file.string()), file.string());
      return;
    }
}

std::vector<StoredRun> results_in(const fs::path& file, const FileLoader& load) {
  std::vector<StoredRun> runs = read_stored_runs(load(file.string()), file.string());
  for (StoredRun& run : runs) add_links(run, file.parent_path(), load);
  return runs;
}

// Returns the runs of a summary.json, or of the folder that holds one, or the single run whose folder this
// is.
std::vector<StoredRun> find_results(const std::string& name, const FileLoader& load) {
  const fs::path path = fs::path(name).has_filename() ? fs::path(name) : fs::path(name).parent_path();
  if (is_file(path.string())) return results_in(path, load);
  if (is_there((path / summary_file.name).string())) return results_in(path / summary_file.name, load);
  const fs::path above =
      path.has_parent_path() ? path.parent_path() / summary_file.name : fs::path(summary_file.name);
  if (is_there(path.string()) && is_there(above.string()))
    for (StoredRun& run : results_in(above, load))
      if (run.run == path.filename().string()) return {std::move(run)};
  throw InputError(
      {name},
      "holds no results; name a folder with a summary.json, such as results/<experiment>, or the "
      "folder of one of its runs");
}

// Names runs after the folders of their results where their own names would not tell them apart.
void name_apart(std::vector<StoredRun>& runs, const std::vector<std::string>& folders) {
  std::unordered_map<std::string, int> runs_of_name, runs_of_folder;
  for (std::size_t i = 0; i < runs.size(); ++i) {
    ++runs_of_name[runs[i].run];
    ++runs_of_folder[folders[i]];
  }
  for (std::size_t i = 0; i < runs.size(); ++i) {
    if (runs_of_name[runs[i].run] == 1) continue;
    const bool is_only = runs_of_folder[folders[i]] == 1;
    runs[i].summary.name = is_only ? folders[i] : folders[i] + ": " + runs[i].run;
  }
}

// Runs that failed have nothing to compare.
std::vector<StoredRun> read_all(const std::vector<std::string>& results, Warnings& warnings,
                                const FileLoader& load) {
  std::vector<StoredRun> runs;
  std::vector<std::string> folders;
  for (const std::string& name : results)
    for (StoredRun& run : find_results(name, load)) {
      if (!run.summary.error.empty()) {
        warnings.add({name}, "the run " + backquoted(run.run) + " failed, and is left out");
        continue;
      }
      folders.push_back(name);
      runs.push_back(std::move(run));
    }
  name_apart(runs, folders);
  return runs;
}

int compare(const CompareOptions& options) {
  for (const char* flag : {"--step", "--run", "--set", "--output"})
    if (options.command->count(flag) > 0)
      throw InputError({flag}, "is for what was measured, name that with --measured");
  Warnings warnings;
  const InputLog files(InputLog::Holds::paths);
  const std::vector<StoredRun> runs =
      with_progress("compare", "reading results", [&] { return read_all(options.results, warnings, files); });
  print_warnings(warnings);
  if (runs.size() < 2)
    throw InputError({options.results.empty() ? std::string() : options.results.back()},
                     "there are no two runs to compare; name the results of another");
  ComparisonReport overview;
  std::vector<RunChanges> changes;
  InputComparison inputs(runs.front(), files);
  for (const StoredRun& run : runs) {
    Summary summary = run.summary;
    summary.varied.clear();  // what differs has a table of its own
    overview.add(summary);
    if (&run != &runs.front())
      changes.push_back(changes_between(runs.front().summary, run.summary, inputs.changes_to(run),
                                        runs.front().links, run.links));
  }
  if (options.json) {
    auto json = nlohmann::ordered_json::array();
    for (const RunChanges& of : changes) json.push_back(to_json(of));
    print_json(nlohmann::ordered_json{{"comparisons", json}}.dump(2, ' ', false,
                                                                  nlohmann::json::error_handler_t::replace) +
               "\n");
    return success;
  }
  std::string text = overview.text(terminal_draws_unicode());
  for (const RunChanges& of : changes) text += "\n" + text_of(of, terminal_draws_unicode());
  print(text);
  return success;
}

}  // namespace

Command add_compare_command(CLI::App& command) {
  auto options = std::make_shared<CompareOptions>();
  options->command = &command;
  command.add_option(
      "results", options->results,
      "Folders of results, or summary.json files; the first run is what others are compared with. With "
      "--measured also experiment files, which are simulated");
  MeasuredFlags& measured = options->measured;
  command.add_option(
      "--measured", measured.measured,
      "What the PyTorch profiler has recorded of a real step: a file for each rank, or their folder; "
      "also execution traces with durations. May be given several times");
  command.add_option("--step", measured.step, "The measured step, by its number (default: mean of all)");
  command.add_option("--run", measured.runs,
                     "Name of a run to compare; may be given several times (default: all)");
  add_overrides(command, measured.overrides);
  command.add_option("--output", measured.output, results_output_meaning);
  command.add_flag("--json", options->json, "Print the changes as JSON");
  return [options](const CommandLine&) -> int {
    if (options->measured.measured.empty()) return compare(*options);
    return compare_with_measured_files(options->results, options->measured, options->json);
  };
}

}  // namespace orrery
