// orrery report: makes a page of results for a browser.
#include <algorithm>
#include <array>
#include <chrono>
#include <cstdint>
#include <filesystem>
#include <map>
#include <memory>

#include "base/diagnostics/words.hpp"
#include "base/files/file.hpp"
#include "base/files/paths.hpp"
#include "cli/commands.hpp"
#include "cli/console.hpp"
#include "cli/failure.hpp"
#include "cli/flags/flag_values.hpp"
#include "cli/flags/plugin_flags.hpp"
#include "cli/flags/result_outputs.hpp"
#include "cli/inputs/input_kind.hpp"
#include "cli/progress_line.hpp"
#include "cli/runs/experiment_help.hpp"
#include "cli/runs/experiment_run.hpp"
#include "cli/runs/run_explanations.hpp"
#include "report/stored/result_page.hpp"
#include "report/stored/stored_results.hpp"
#include "report/study/study_page.hpp"
#include "study/experiment/experiment.hpp"
#include "study/store/stored_study.hpp"
#include "study/store/study_of_store.hpp"

namespace orrery::core {

namespace {

namespace fs = std::filesystem;

enum class WhatWouldHelp : std::uint8_t { automatic, on, off };
constexpr std::array<EnumName<WhatWouldHelp>, 3> help_words{
    {{"auto", WhatWouldHelp::automatic}, {"on", WhatWouldHelp::on}, {"off", WhatWouldHelp::off}}};

struct ReportFlags {
  const CLI::App* command;
  std::vector<std::string> results, overrides;
  PluginFlags plugins;
  std::string output;
  bool explain = false;
  WhatWouldHelp help = WhatWouldHelp::automatic;
  ExperimentOptions experiment;
};

// Returns whether to find out what would help an experiment that took this long to simulate. If the user does
// not say, that is done for a single run whose some hundred simulations take seconds at most.
bool finds_help(const ReportFlags& flags, const Experiment& experiment, std::chrono::duration<double> took) {
  constexpr std::chrono::duration<double> short_time(0.1);
  if (flags.help == WhatWouldHelp::automatic) return experiment.runs.size() == 1 && took < short_time;
  return flags.help == WhatWouldHelp::on;
}

// Throws InputError where the page would replace one of the inputs.
void keep_inputs_of_page(const ReportFlags& flags, const std::vector<std::string>& inputs) {
  OutputFiles outputs;
  outputs.add_named({"--output"}, flags.output);
  outputs.refuse_inputs(inputs);
}

// Simulates an experiment as `orrery run` does, and returns the folder of its results.
std::string simulated(const std::string& file, const ReportFlags& flags, ExitCode& code) {
  Warnings warnings;
  const InputLog inputs;
  Experiment experiment = read_experiment_file(file, flags.overrides, warnings, flags.plugins.loader(inputs));
  experiment.origin.command = flags.experiment.command;
  experiment.origin.inputs = inputs.files();
  experiment.origin.warnings = warnings.lines();
  print_warnings(warnings);
  keep_inputs(fs::path(flags.experiment.output) / experiment.name, experiment, inputs.paths());
  keep_inputs_of_page(flags, inputs.paths());
  const auto start = std::chrono::steady_clock::now();
  code = worse_of(code, simulate_experiment(experiment, flags.experiment));
  const auto took = std::chrono::steady_clock::now() - start;
  if (code == success && finds_help(flags, experiment, took))
    find_what_would_help(experiment, file, flags.overrides, flags.experiment);
  if (flags.explain && code == success) {
    Warnings known;  // from the simulation before
    explain_experiment(experiment, {}, flags.experiment.output, known);
  }
  return (fs::path(flags.experiment.output) / experiment.name).string();
}

// Throws InputError.
void check(const ReportFlags& flags) {
  if (flags.results.empty()) throw InputError({}, "name an experiment file or a folder of results");
  const auto is_experiment = [](const std::string& name) { return is_file(name) && !is_database(name); };
  for (const char* flag : {"--set", "--plugin", "--threads", "--explain", "--what-would-help"})
    if (flags.command->count(flag) > 0 && std::ranges::none_of(flags.results, is_experiment))
      throw InputError({flag}, "is for experiment files, but only results are named: leave it out");
  checked_threads(flags.experiment.threads);
  if (!flags.output.empty()) require_folder_of(flags.output, {"--output"});
  keep_inputs_of_page(flags, flags.results);
}

// Experiments of one name are told apart by their folders.
void name_by_folders(std::vector<ResultSet>& sets, const std::vector<std::string>& folders) {
  std::map<std::string, int> times;
  for (const ResultSet& set : sets) ++times[set.name];
  for (std::size_t i = 0; i < sets.size(); ++i)
    if (times[sets[i].name] > 1) sets[i].name = folders[i];
}

// Makes the page of a sweep's store.
int report_study(const ReportFlags& flags) {
  const std::string& store = flags.results.front();
  if (flags.results.size() > 1)
    throw InputError({flags.results[1]}, "a page shows the runs of one store; leave the other inputs out");
  const fs::path usual = fs::path(store).replace_extension(".html");
  const std::string output = flags.output.empty() ? usual.string() : flags.output;
  with_progress(output, "writing the page", [&] { write_output(output, study_page(page_of_study(store))); });
  if (output != standard_output) print("report: " + output + "\n");
  return success;
}

int report(const ReportFlags& flags) {
  check(flags);
  if (std::ranges::any_of(flags.results, is_database)) return report_study(flags);
  ExitCode code = success;
  std::vector<ResultSet> sets;
  std::vector<std::string> folders;
  const InputLog tables(InputLog::Holds::paths);
  for (const std::string& name : flags.results) {
    folders.push_back(is_file(name) ? simulated(name, flags, code) : name);
    const StoredResults stored(folders.back(), tables);
    if (code != success && !stored.has_summary()) return code;
    ProgressLine progress(folders.back());
    progress.begin("reading results");
    sets.push_back(stored.tables(progress.steps()));
  }
  keep_inputs_of_page(flags, tables.paths());
  name_by_folders(sets, folders);
  const fs::path usual = folders.size() == 1 ? fs::path(folders[0]) / report_file.name : report_file.name;
  const std::string output = flags.output.empty() ? usual.string() : flags.output;
  with_progress(output, "writing the page", [&] { write_output(output, result_page(sets)); });
  if (output != standard_output) print("report: " + output + "\n");
  return code;
}

}  // namespace

Command add_report_command(CLI::App& command) {
  auto flags = std::make_shared<ReportFlags>();
  flags->command = &command;
  command.add_option(
      "results", flags->results,
      "Folders of results, the file of a sweep, or experiment files, which are simulated first as by "
      "`orrery run`");
  add_overrides(command, flags->overrides);
  flags->plugins.add_to(command);
  command.add_option("--output", flags->output,
                     "File for the page (default: report.html in the folder of the results, and of several "
                     "folders here); -: standard output");
  command.add_flag("--explain", flags->explain,
                   "Simulate the runs of experiments once more, for their critical paths");
  command
      .add_option_function<std::string>(
          "--what-would-help",
          [flags](const std::string& word) {
            flags->help = word_of_flag(help_words, word, "--what-would-help");
          },
          "Find out which parameters of the machine would make a run shorter, by simulating it some hundred "
          "times: on, off, or auto, of an experiment of one run that takes less than 0.1 s (default)")
      ->expected(1);
  flags->experiment.threads = usual_threads();
  command.add_option("--threads", flags->experiment.threads,
                     "Runs of an experiment simulated at a time (default: one per core)");
  return [flags](const CommandLine& written) {
    flags->experiment.command = written;
    flags->experiment.quiet = flags->output == standard_output;
    return report(*flags);
  };
}

}  // namespace orrery::core
