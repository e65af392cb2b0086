// orrery run: an experiment file, or one run by the flags of ASTRA-sim 1.0.
#include <filesystem>
#include <iostream>
#include <nlohmann/json.hpp>

#include "base/file.hpp"
#include "cli/astra1_flags.hpp"
#include "cli/commands.hpp"
#include "cli/console.hpp"
#include "report/astra1_reports.hpp"
#include "report/comparison.hpp"
#include "study/experiment.hpp"
#include "study/run.hpp"

namespace orrery {

namespace {

struct RunOptions {
  const CLI::App* command;
  std::vector<std::string> files;  // experiments
  std::vector<std::string> overrides;
  std::string output = "results";
  bool json = false;
  Astra1Flags flags;
};

// Names may hold bytes that are no UTF-8, which JSON cannot.
std::string text_of(const nlohmann::json& document) {
  return document.dump(2, ' ', false, nlohmann::json::error_handler_t::replace) + "\n";
}

// `warnings` may hold what has been found and printed before; only what is new is printed.
Summary simulate_and_report(const RunSpec& spec, const ResultOptions& results, Warnings& warnings) {
  const std::size_t printed = warnings.lines().size();
  RunResult result;
  {
    ProgressLine progress(spec.name);
    result = carry_out(spec, warnings, {true, progress.listener()});
  }
  write_astra1_reports(result.graph, result.machine, result.recording, results, warnings);
  print_warnings(warnings, printed);
  return summarize(spec.name, spec.passes, result.graph, result.machine, result.recording);
}

int run_by_flags(const RunOptions& options) {
  Warnings warnings;
  const RunSpec spec = read_run(options.flags, warnings);
  print_warnings(warnings);
  check_result_options(options.flags.results, spec.system.separate_log);
  const Summary summary = simulate_and_report(spec, options.flags.results, warnings);
  if (options.json) {
    std::cout << text_of(to_json(summary));
  } else {
    std::cout << run_report(summary, terminal_draws_unicode()) << "  files: " << options.flags.results.path
              << '\n';
  }
  return success;
}

int run_experiment(const RunOptions& options, const Experiment& experiment) {
  namespace fs = std::filesystem;
  const fs::path folder = fs::path(options.output) / experiment.name;
  // A run that cannot be simulated shows before others have left results.
  Warnings warnings;
  for (const RunSpec& spec : experiment.runs) prepare_run(spec, warnings);
  print_warnings(warnings);
  std::vector<Summary> summaries;
  nlohmann::json all = nlohmann::json::array();
  for (const RunSpec& spec : experiment.runs) {
    ResultOptions results;
    results.run_name = spec.name;
    results.path = (folder / spec.name).string() + "/";
    std::error_code failure;
    fs::create_directories(results.path, failure);
    if (failure) throw InputError({results.path}, failure.message() + ", choose another --output");
    summaries.push_back(simulate_and_report(spec, results, warnings));
    all.push_back(to_json(summaries.back()));
  }
  const nlohmann::json document{{"experiment", experiment.name}, {"runs", all}};
  write_file_atomically((folder / "summary.json").string(), text_of(document));
  if (options.json) {
    std::cout << text_of(document);
    return success;
  }
  const bool unicode = terminal_draws_unicode();
  std::cout << (summaries.size() == 1 ? run_report(summaries[0], unicode)
                                      : comparison_report(summaries, unicode))
            << "files: " << folder.string() << "/\n";
  return success;
}

int run(const RunOptions& options) {
  if (options.files.empty()) {
    for (const char* flag : {"--set", "--output"}) {
      if (options.command->count(flag) > 0) {
        throw InputError({flag}, "is for experiment files only, name one or remove it");
      }
    }
    return run_by_flags(options);
  }
  if (options.flags.any_given()) {
    throw InputError({options.files[0]},
                     "an experiment file describes its runs itself, use --set KEY=VALUE instead of "
                     "ASTRA-sim 1.0's flags");
  }
  // All are read before the first is simulated, so that a mistake in the last one shows at once.
  Warnings warnings;
  std::vector<Experiment> experiments;
  for (const std::string& file : options.files) {
    experiments.push_back(read_experiment(read_text_file(file), file, options.overrides, warnings));
  }
  print_warnings(warnings);
  for (const Experiment& experiment : experiments) run_experiment(options, experiment);
  return success;
}

}  // namespace

Command add_run_command(CLI::App& command) {
  auto options = std::make_shared<RunOptions>();
  options->command = &command;
  command.add_option("experiment", options->files, "Experiment files (YAML)");
  command
      .add_option("--set", options->overrides,
                  "Replace a value of the experiment file: KEY=VALUE, repeatable")
      ->expected(1)
      ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
  command.add_option("--output", options->output, "Folder for an experiment's results (default: results)");
  command.add_flag("--json", options->json, "Print the summary as JSON");
  options->flags.add_to(command);
  return [options] { return run(*options); };
}

}  // namespace orrery
