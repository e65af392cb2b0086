// orrery report: results as a page for a browser.
#include <algorithm>
#include <filesystem>
#include <map>
#include <memory>

#include "base/file.hpp"
#include "cli/commands.hpp"
#include "cli/console.hpp"
#include "cli/experiment_run.hpp"
#include "cli/failure.hpp"
#include "cli/flag_values.hpp"
#include "cli/input_kind.hpp"
#include "cli/run_explanations.hpp"
#include "report/result_page.hpp"
#include "study/experiment.hpp"
#include "study/results_reader.hpp"

namespace orrery {

namespace {

namespace fs = std::filesystem;

struct ReportFlags {
  const CLI::App* command;
  std::vector<std::string> results, overrides;
  std::string output;
  bool explain = false;
  ExperimentOptions experiment;
};

// Simulates an experiment as `orrery run` does, and returns the folder of its results.
std::string simulated(const std::string& file, const ReportFlags& flags, ExitCode& code) {
  Warnings warnings;
  const InputLog inputs;
  Experiment experiment = read_experiment_file(file, flags.overrides, warnings);
  experiment.origin.command = command_line();
  experiment.origin.inputs = inputs.files();
  experiment.origin.warnings = warnings.lines();
  print_warnings(warnings);
  code = worse_of(code, simulate_experiment(experiment, flags.experiment));
  if (flags.explain && code == success) {
    Warnings known;  // from the simulation before
    explain_experiment(experiment, {}, flags.experiment.output, known);
  }
  return (fs::path(flags.experiment.output) / experiment.name).string();
}

// Throws InputError.
void check(const ReportFlags& flags) {
  if (flags.results.empty()) throw InputError({}, "name an experiment file or a folder of results");
  const auto is_experiment = [](const std::string& name) { return fs::is_regular_file(name); };
  for (const char* flag : {"--set", "--threads", "--explain"})
    if (flags.command->count(flag) > 0 && std::ranges::none_of(flags.results, is_experiment))
      throw InputError({flag}, "is for experiment files, but only folders are named: leave it out");
  checked_threads(flags.experiment.threads);
  if (!flags.output.empty()) require_folder_of(flags.output, {"--output"});
}

// Experiments of one name are told apart by their folders.
void name_by_folders(std::vector<ResultSet>& sets, const std::vector<std::string>& folders) {
  std::map<std::string, int> times;
  for (const ResultSet& set : sets) ++times[set.name];
  for (std::size_t i = 0; i < sets.size(); ++i)
    if (times[sets[i].name] > 1) sets[i].name = folders[i];
}

int report(const ReportFlags& flags) {
  check(flags);
  ExitCode code = success;
  std::vector<ResultSet> sets;
  std::vector<std::string> folders;
  for (const std::string& name : flags.results) {
    folders.push_back(fs::is_regular_file(name) ? simulated(name, flags, code) : name);
    if (code != success && !fs::exists(fs::path(folders.back()) / "summary.json")) return code;
    sets.push_back(read_results(folders.back()));
  }
  name_by_folders(sets, folders);
  const fs::path usual = folders.size() == 1 ? fs::path(folders[0]) / "report.html" : "report.html";
  const std::string output = flags.output.empty() ? usual.string() : flags.output;
  write_file_atomically(output, result_page(sets));
  print("report: " + output + "\n");
  return code;
}

}  // namespace

Command add_report_command(CLI::App& command) {
  auto flags = std::make_shared<ReportFlags>();
  flags->command = &command;
  command.add_option("results", flags->results,
                     "Folders of results, or experiment files, which are simulated first as by `orrery run`");
  add_overrides(command, flags->overrides);
  command.add_option("--output", flags->output,
                     "File for the page (default: report.html in the folder of the results, and of several "
                     "folders here)");
  command.add_flag("--explain", flags->explain,
                   "Simulate the runs of experiments once more, for their critical paths");
  flags->experiment.threads = usual_threads();
  command.add_option("--threads", flags->experiment.threads,
                     "Runs of an experiment simulated at a time (default: one per core)");
  return [flags] { return report(*flags); };
}

}  // namespace orrery
