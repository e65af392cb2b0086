// orrery sensitivity: prints which parameter of a run's machine would make the run shorter, and by how much.
#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <memory>
#include <nlohmann/json.hpp>

#include "base/files/file_loader.hpp"
#include "base/text/quantity.hpp"
#include "cli/commands.hpp"
#include "cli/console.hpp"
#include "cli/flags/flag_values.hpp"
#include "cli/flags/plugin_flags.hpp"
#include "cli/flags/result_outputs.hpp"
#include "cli/inputs/input_kind.hpp"
#include "cli/progress_line.hpp"
#include "study/experiment/experiment.hpp"
#include "study/sensitivity/sensitivity_table.hpp"

namespace orrery::core {

namespace {

constexpr double largest_percent = 1500;  // a factor of 16

struct SensitivityFlags {
  std::vector<std::string> files, overrides;
  PluginFlags plugins;
  std::string run, by = "25%", target, costs, only, output = "results";
  int threads = 1;
  bool allow_out_of_memory = false, json = false;
};

// Returns 0.25 for "25%".
double share_of(const std::string& text) {
  double percent = 0;
  const char* const end = text.data() + text.size();
  const auto number = std::from_chars(text.data(), end, percent);
  const std::string_view unit(number.ptr, end);
  const bool fits =
      number.ec == std::errc() && (unit == "%" || unit == " %") && percent > 0 && percent <= largest_percent;
  if (!fits)
    throw InputError({"--by"},
                     fmt::format("{} is no share; write a percentage above 0, up to {}, such as `25%`",
                                 backquoted(text), largest_percent));
  return percent / 100;
}

std::string chosen_run(const Experiment& experiment, const SensitivityFlags& flags) {
  if (flags.run.empty()) {
    if (experiment.runs.size() == 1) return experiment.runs.front().name;
    throw InputError({flags.files.front()},
                     fmt::format("has {} runs; choose one with --run=NAME, such as {}",
                                 experiment.runs.size(), backquoted(experiment.runs.front().name)));
  }
  std::vector<std::string_view> names;
  for (const RunSpec& run : experiment.runs) names.push_back(run.name);
  if (std::ranges::find(names, flags.run) == names.end())
    throw InputError({"--run"}, fmt::format("there is no run {}{}; there are {}", backquoted(flags.run),
                                            suggestion(flags.run, names), alternatives(names)));
  return flags.run;
}

SensitivityOptions options_of(const SensitivityFlags& flags, const FileLoader& load) {
  SensitivityOptions options;
  options.share = share_of(flags.by);
  if (!flags.target.empty()) options.target = parse_time(flags.target, {"--target"});
  if (options.target == Time())
    throw InputError({"--target"}, "no run takes 0 s; write a time above 0 such as `8 s`");
  if (!flags.costs.empty()) options.costs = ChangeCosts(parse_yaml(load(flags.costs), flags.costs));
  options.only = flags.only;
  options.threads = checked_threads(flags.threads);
  options.allow_out_of_memory = flags.allow_out_of_memory;
  return options;
}

int sensitivity(const SensitivityFlags& flags) {
  if (flags.files.size() != 1)
    throw InputError({}, fmt::format("name one experiment file; {} are named",
                                     flags.files.empty() ? "none" : std::to_string(flags.files.size())));
  const std::string& file = flags.files.front();
  const InputLog inputs(InputLog::Holds::paths);
  const FileLoader load = flags.plugins.loader(inputs);
  const SensitivityOptions options = options_of(flags, load);
  Warnings warnings;
  const Experiment experiment = read_experiment_file(file, flags.overrides, warnings, load);
  const std::string run = chosen_run(experiment, flags);
  print_warnings(warnings);
  const TableOutput table(flags.output, experiment, sensitivity_file, inputs, flags.json);
  Sensitivity found;
  {
    ProgressLine progress(experiment.name);
    found = find_sensitivity(experiment_document(inputs.read(file), file, flags.overrides), file, run,
                             options, progress.steps(), load);
  }
  Warnings of_costs;
  warn_of_costs(options, found, of_costs);
  print_warnings(of_costs);
  table.write(csv_of(sensitivity_table, found.rows));
  if (table.is_standard_output()) return success;
  if (flags.json) {
    nlohmann::ordered_json json = sensitivity_to_json(experiment.name, found);
    json["files"] = {table.path()};
    print_json(json.dump(2, ' ', false, nlohmann::json::error_handler_t::replace) + "\n");
  } else {
    print(sensitivity_text(found, terminal_draws_unicode()) + "files: " + table.path() + "\n");
  }
  return success;
}

}  // namespace

Command add_sensitivity_command(CLI::App& command) {
  auto flags = std::make_shared<SensitivityFlags>();
  add_experiments(command, flags->files, flags->overrides);
  flags->plugins.add_to(command);
  command.add_option("--run", flags->run, "The run that is looked at, of an experiment that has several");
  command.add_option("--by", flags->by, "By how much each parameter is better (default: 25%)");
  command.add_option("--target", flags->target,
                     "A time, such as \"8 s\", that the least change is to bring the run to");
  command.add_option(
      "--costs", flags->costs,
      "A file with the costs of better parameters; the cheapest change then reaches the target");
  command.add_option("--only", flags->only,
                     "Which parameters are varied, such as \"network.*\" (default: all)");
  flags->threads = usual_threads();
  command.add_option("--threads", flags->threads, "Simulations at a time (default: one per core)");
  command.add_flag("--json", flags->json, "Print what was found as JSON");
  command.add_option("--output", flags->output, table_output_meaning);
  add_allow_out_of_memory(command, flags->allow_out_of_memory);
  return [flags](const CommandLine&) { return sensitivity(*flags); };
}

}  // namespace orrery::core
