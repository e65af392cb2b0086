// orrery explain: prints the critical path of an experiment's runs, or of one run by the flags of ASTRA-sim.
#include <filesystem>
#include <memory>
#include <nlohmann/json.hpp>

#include "cli/commands.hpp"
#include "cli/commands/trace_command.hpp"
#include "cli/console.hpp"
#include "cli/flags/astra1_flags.hpp"
#include "cli/flags/flag_values.hpp"
#include "cli/flags/plugin_flags.hpp"
#include "cli/flags/result_outputs.hpp"
#include "cli/inputs/input_kind.hpp"
#include "cli/runs/chosen_runs.hpp"
#include "cli/runs/run_explanations.hpp"
#include "report/accuracy/accuracy_rows.hpp"
#include "report/astra1/result_folder.hpp"
#include "report/table/table.hpp"
#include "report/training/training_accuracy.hpp"
#include "study/workloads/transformer/transformer_workload.hpp"

namespace orrery::core {

namespace {

struct ExplainFlags {
  const CLI::App* command;
  std::vector<std::string> files, overrides, runs;
  std::string output = "results";
  PluginFlags plugins;
  NetworkModelFlag network_model;
  Astra1Flags astra1;
  TraceFlags traces;
  bool json = false, accuracy = false;
};

void show(const std::string& name, const RunExplanations& explanations, bool as_json) {
  if (as_json) {
    nlohmann::ordered_json json{{"experiment", name}};
    json["runs"] = explanations.runs;
    json["files"] = explanations.files;
    print_json(json.dump(2, ' ', false, nlohmann::json::error_handler_t::replace) + "\n");
  } else {
    print(explanations.text + wrapped(fmt::format("files: {}\n", fmt::join(explanations.files, ", ")), 7));
  }
}

// Shows the measured runs on which the intervals of an experiment's runs rest.
void show_accuracy(const Experiment& experiment, const ExplainFlags& flags) {
  std::string text;
  nlohmann::ordered_json runs = nlohmann::ordered_json::array();
  for (const RunSpec& run : chosen_runs(experiment, flags.runs)) {
    const TrainingSetup* const setup = training_of(run);
    if (!setup)
      throw InputError(run.where,
                       fmt::format("{} is no step of a transformer on a `platform`; no measured runs "
                                   "tell how far off its times may be",
                                   backquoted(run.name)));
    const MeasuredErrors& errors = step_errors_for(*setup);
    const RunProperties properties = properties_of(*setup);
    const ErrorInterval interval = errors.interval_for(properties, run.interval);
    text += (text.empty() ? "" : "\n") + accuracy_text(run.name, errors, properties, run.interval);
    runs.push_back(
        {{"name", run.name},
         {"interval_share", interval.share},
         {"low", interval.low},
         {"high", interval.high},
         {"between_layouts", interval.between_layouts},
         {"measured", json_of<nlohmann::ordered_json>(accuracy_table, accuracy_rows(errors, properties))}});
  }
  if (flags.json)
    print_json(nlohmann::ordered_json{{"experiment", experiment.name}, {"runs", runs}}.dump(2) + "\n");
  else
    print(text);
}

void explain_file(const std::string& file, const ExplainFlags& flags) {
  Warnings warnings;
  const InputLog inputs(InputLog::Holds::paths);
  const FileLoader load = flags.plugins.loader(inputs);
  const Experiment experiment = read_experiment_file(file, flags.overrides, warnings, load,
                                                     flags.network_model.model(load.extensions()));
  print_warnings(warnings);
  if (flags.accuracy) return show_accuracy(experiment, flags);
  keep_inputs(std::filesystem::path(flags.output) / experiment.name, path_files, inputs.paths());
  const std::size_t printed = warnings.lines().size();
  const RunExplanations explanations = explain_experiment(experiment, flags.runs, flags.output, warnings);
  print_warnings(warnings, printed);
  show(experiment.name, explanations, flags.json);
}

void explain_by_flags(const ExplainFlags& flags) {
  for (const char* flag : {"--set", "--output", "--run", "--plugin", "--accuracy"})
    if (flags.command->count(flag) > 0)
      throw InputError({flag}, "is for experiment files only, name one or remove it");
  if (names_traces(flags.astra1, flags.traces, InputLog(InputLog::Holds::paths))) {
    show("traces", explain_traces(flags.astra1, flags.traces, flags.network_model), flags.json);
    return;
  }
  Warnings warnings;
  const InputLog inputs(InputLog::Holds::paths);
  RunSpec spec = read_run(flags.astra1, warnings, inputs);
  spec.network.model = flags.network_model.model().value_or(spec.network.model);
  print_warnings(warnings);
  ResultOptions results = flags.astra1.results;
  results.row = 0;  // what is written is of one run alone
  check_result_options(results, false);
  OutputFiles outputs;
  for (std::string& file : files_of_paths(results.path + spec.name + "_")) outputs.add(std::move(file));
  outputs.refuse_inputs(inputs);
  const std::size_t printed = warnings.lines().size();
  const RunExplanations explanations = explain_run(spec, results.path, warnings);
  print_warnings(warnings, printed);
  show(spec.name, explanations, flags.json);
}

}  // namespace

Command add_explain_command(CLI::App& command) {
  auto flags = std::make_shared<ExplainFlags>();
  flags->command = &command;
  add_experiments(command, flags->files, flags->overrides);
  flags->plugins.add_to(command);
  command.add_option("--run", flags->runs,
                     "Name of a run to explain; may be given several times (default: all)");
  command.add_flag("--json", flags->json, "Print the shares as JSON");
  command.add_flag(
      "--accuracy", flags->accuracy,
      "Print how far off the times of training steps may be, and the measured runs that tell, in "
      "place of critical paths");
  command.add_option("--output", flags->output, results_output_meaning);
  flags->network_model.add_to(command);
  flags->astra1.add_to(command);
  flags->traces.add_to(command);
  return [flags](const CommandLine&) -> int {
    if (flags->files.empty() && !flags->astra1.any_given() && !flags->traces.any_given())
      throw InputError({}, "name an experiment file, or give the flags of `orrery run`");
    require_output_folder(flags->output);
    if (flags->files.empty()) explain_by_flags(*flags);
    for (const std::string& file : flags->files) {
      flags->astra1.refuse_beside(file);
      if (flags->traces.any_given())
        throw InputError(
            {file},
            "is an experiment, beside which the flags of execution traces mean nothing; leave them out");
      explain_file(file, *flags);
    }
    return success;
  };
}

}  // namespace orrery::core
