// orrery compare: shows what changes from one run to others, by the results that they left.
#include <algorithm>
#include <memory>
#include <nlohmann/json.hpp>
#include <unordered_map>

#include "base/diagnostics/words.hpp"
#include "base/files/file_loader.hpp"
#include "cli/commands.hpp"
#include "cli/console.hpp"
#include "cli/flags/flag_values.hpp"
#include "cli/flags/result_outputs.hpp"
#include "cli/progress_line.hpp"
#include "cli/runs/compare_measured.hpp"
#include "report/stored/stored_results.hpp"
#include "study/compare/compared_runs.hpp"

namespace orrery::core {

namespace {

struct CompareOptions {
  const CLI::App* command;
  std::vector<std::string> results;
  MeasuredFlags measured;
  bool json = false;
};

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
    for (StoredRun& run : find_stored_runs(name, load)) {
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
  for (const char* flag : {"--step", "--run", "--set", "--plugin", "--output"})
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
  const ComparedRuns compared = compare_runs(runs, files);
  if (options.json)
    print_json(to_json(compared).dump(2, ' ', false, nlohmann::json::error_handler_t::replace) + "\n");
  else
    print(text_of(compared, terminal_draws_unicode()));
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
  measured.plugins.add_to(command);
  command.add_option("--output", measured.output, results_output_meaning);
  command.add_flag("--json", options->json, "Print the changes as JSON");
  return [options](const CommandLine&) -> int {
    if (options->measured.measured.empty()) return compare(*options);
    return compare_with_measured_files(options->results, options->measured, options->json);
  };
}

}  // namespace orrery::core
