// orrery run: simulates an experiment file, or one run by the flags of ASTRA-sim 1.0.
#include <fmt/format.h>

#include <array>
#include <filesystem>
#include <iostream>

#include "base/diagnostics/printable.hpp"
#include "base/files/input_log.hpp"
#include "cli/commands.hpp"
#include "cli/commands/trace_command.hpp"
#include "cli/console.hpp"
#include "cli/failure.hpp"
#include "cli/flags/astra1_flags.hpp"
#include "cli/flags/flag_values.hpp"
#include "cli/flags/plugin_flags.hpp"
#include "cli/flags/result_outputs.hpp"
#include "cli/inputs/input_kind.hpp"
#include "cli/progress_line.hpp"
#include "cli/runs/experiment_run.hpp"
#include "report/compare/comparison.hpp"
#include "report/summary/explanation.hpp"
#include "report/summary/summary.hpp"
#include "study/experiment/experiment.hpp"
#include "study/experiment/timeline_choice.hpp"
#include "study/run/exporters.hpp"
#include "study/run/run.hpp"

namespace orrery::core {

namespace {

struct RunOptions {
  const CLI::App* command;
  std::vector<std::string> files;  // experiments
  std::vector<std::string> overrides;
  PluginFlags plugins;
  ExperimentOptions experiment;
  Astra1Flags flags;
  TraceFlags trace_flags;
};

std::string beginning_of_timelines(const ResultOptions& results) {
  return results.path + results.run_name + "_";
}

// Throws InputError where files of a run by ASTRA-sim 1.0's flags would replace one of its inputs.
void keep_inputs_of_flags(const RunSpec& spec, const ResultOptions& results, const InputLog& inputs) {
  OutputFiles outputs;
  for (std::string& file : astra1_exporter.files(results.path, spec.name)) outputs.add(std::move(file));
  for (std::string& file : timeline_exporter.files(beginning_of_timelines(results), spec.name))
    outputs.add(std::move(file));
  outputs.refuse_inputs(inputs);
}

int run_by_flags(const RunOptions& options) {
  Warnings warnings;
  const InputLog inputs(InputLog::Holds::paths);
  RunSpec spec =
      with_progress("run", "reading inputs", [&] { return read_run(options.flags, warnings, inputs); });
  if (const std::optional<NetworkModel> model = options.experiment.network_model.model()) {
    spec.network.model = *model;
    spec.network_model_where = {"--network-model"};
  }
  if (!options.experiment.timeline.empty())
    spec.timelines = timelines_of_flag(options.experiment.timeline);
  else if (!spec.system->separate_log)
    spec.timelines.clear();
  const ResultOptions& results = options.flags.results;
  print_warnings(warnings);
  keep_inputs_of_flags(spec, results, inputs);
  check_result_options(results, spec.system->separate_log);
  const std::size_t printed = warnings.lines().size();
  RunResult result;
  {
    ProgressLine progress(spec.name);
    result = carry_out(spec, warnings, options.experiment.fold, progress.listener());
  }
  const Summary summary = spec.workload->summary(spec, result);
  with_progress(spec.name, "writing results", [&] {
    write_reports({spec, result, summary, results.path, warnings}, std::array{&astra1_exporter});
    write_reports({spec, result, summary, beginning_of_timelines(results), warnings},
                  std::array{&timeline_exporter});
  });
  print_warnings(warnings, printed);
  if (options.experiment.json) {
    print_json(json_text(summary) + "\n");
  } else {
    print(run_report(summary, terminal_draws_unicode()) + "  files: " + results.path + "\n");
  }
  if (options.experiment.explain) {
    const std::string text = explanation(spec.name, result.machine, result.plan->survey(), result.recording);
    if (options.experiment.json)
      std::cerr << printable_lines(text);
    else
      print(text);
  }
  return success;
}

// `last` is the last one of `experiments`. Refuses a name that one of the others has, too.
void require_new_name(const Experiment& last, const std::vector<Experiment>& experiments) {
  for (const Experiment& other : experiments)
    if (&other != &last && other.name == last.name)
      throw InputError(last.where, "there are two experiments " + backquoted(last.name) +
                                       ", whose results would be written over each other; give one another "
                                       "`name`");
}

std::vector<std::string> inputs_of(const std::vector<Experiment>& experiments) {
  std::vector<std::string> inputs;
  for (const Experiment& experiment : experiments)
    for (const InputFile& file : experiment.origin.inputs) inputs.push_back(file.path);
  return inputs;
}

int run(const RunOptions& options) {
  if (options.files.empty()) {
    for (const char* flag :
         {"--set", "--interval", "--output", "--threads", "--allow-oom", "--reports", "--plugin"}) {
      if (options.command->count(flag) > 0) {
        throw InputError({flag}, "is for experiment files only, name one or remove it");
      }
    }
    if (names_traces(options.flags, options.trace_flags, InputLog(InputLog::Holds::paths)))
      return run_traces(options.flags, options.trace_flags, options.experiment);
    return run_by_flags(options);
  }
  if (options.flags.any_given() || options.trace_flags.any_given()) {
    throw InputError({options.files[0]},
                     "an experiment file describes its runs itself, use --set KEY=VALUE instead of "
                     "ASTRA-sim 1.0's flags");
  }
  require_output_folder(options.experiment.output);
  checked_threads(options.experiment.threads);
  // All files are read before the first run is simulated, so that a mistake in the last one shows at once.
  Warnings warnings;
  std::vector<Experiment> experiments;
  for (const std::string& file : options.files) {
    const InputLog inputs;
    const std::size_t before = warnings.lines().size();
    const FileLoader load = options.plugins.loader(inputs);
    experiments.push_back(read_experiment_file(file, options.overrides, warnings, load,
                                               options.experiment.network_model.model(load.extensions())));
    Experiment& read = experiments.back();
    read.origin.command = options.experiment.command;
    read.origin.inputs = inputs.files();
    read.origin.warnings.assign(warnings.lines().begin() + static_cast<std::ptrdiff_t>(before),
                                warnings.lines().end());
    require_new_name(read, experiments);
    if (!options.experiment.reports.empty())
      read.reports = ReportChoice(options.experiment.reports, names_of_runs(read));
    for (RunSpec& spec : read.runs) {
      spec.allow_out_of_memory = options.experiment.allow_out_of_memory;
      if (!options.experiment.timeline.empty())
        spec.timelines = timelines_of_flag(options.experiment.timeline);
    }
  }
  print_warnings(warnings);
  for (const Experiment& experiment : experiments)
    keep_inputs(std::filesystem::path(options.experiment.output) / experiment.name, experiment,
                inputs_of(experiments));
  ExitCode code = success;
  for (const Experiment& experiment : experiments)
    code = worse_of(code, simulate_experiment(experiment, options.experiment));
  return code;
}

}  // namespace

Command add_run_command(CLI::App& command) {
  auto options = std::make_shared<RunOptions>();
  options->command = &command;
  add_experiments(command, options->files, options->overrides);
  add_interval(command, options->overrides);
  options->plugins.add_to(command);
  command.add_option("--output", options->experiment.output, results_output_meaning);
  options->experiment.threads = usual_threads();
  command.add_option("--threads", options->experiment.threads,
                     "Runs of an experiment simulated at a time (default: one per core)");
  command.add_option("--reports", options->experiment.reports,
                     "Runs of an experiment that write reports of their own: all, none or names with commas "
                     "(default: all, of up to 100 runs)");
  command.add_option("--timeline", options->experiment.timeline,
                     "Formats of the timeline, with commas between them: " +
                         fmt::format("{}", fmt::join(words_of(timeline_format_words), ", ")) +
                         " (default: csv, or what the experiment says)");
  command.add_flag("--json", options->experiment.json, "Print the summary as JSON");
  add_fold(command, options->experiment.fold);
  options->experiment.network_model.add_to(command);
  add_allow_out_of_memory(command, options->experiment.allow_out_of_memory);
  command.add_flag("--explain", options->experiment.explain,
                   "Say what was folded and what was not, and why; of a training step, what a layer takes");
  options->flags.add_to(command);
  options->trace_flags.add_to(command);
  return [options](const CommandLine& written) {
    options->experiment.command = written;
    return run(*options);
  };
}

}  // namespace orrery::core
