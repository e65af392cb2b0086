// orrery crosscheck: prints what every model of the network makes of an experiment.
#include <memory>
#include <nlohmann/json.hpp>

#include "cli/commands.hpp"
#include "cli/console.hpp"
#include "cli/flags/flag_values.hpp"
#include "cli/flags/plugin_flags.hpp"
#include "cli/flags/result_outputs.hpp"
#include "cli/inputs/input_kind.hpp"
#include "cli/progress_line.hpp"
#include "study/compare/crosscheck.hpp"

namespace orrery::core {

namespace {

struct CrosscheckFlags {
  std::vector<std::string> files, overrides;
  PluginFlags plugins;
  std::string output = "results";
  bool json = false;
};

void check_file(const std::string& file, const CrosscheckFlags& flags) {
  Warnings warnings;
  const InputLog inputs(InputLog::Holds::paths);
  const Experiment experiment =
      read_experiment_file(file, flags.overrides, warnings, flags.plugins.loader(inputs));
  print_warnings(warnings);
  const TableOutput table(flags.output, experiment, crosscheck_file, inputs, flags.json);
  std::vector<CheckedRun> checked;
  {
    ProgressLine progress(experiment.name);
    Warnings of_models;  // the same of every model, and of no use where one does not apply
    checked = crosscheck(experiment, of_models, progress.steps());
  }
  table.write(csv_of(crosscheck_table, checked));
  if (table.is_standard_output()) return;
  if (flags.json) {
    nlohmann::ordered_json json{{"experiment", experiment.name}};
    json["models"] = json_of<nlohmann::ordered_json>(crosscheck_table, checked);
    json["files"] = {table.path()};
    print_json(json.dump(2, ' ', false, nlohmann::json::error_handler_t::replace) + "\n");
  } else {
    print(crosscheck_text(checked) + "files: " + table.path() + "\n");
  }
}

}  // namespace

Command add_crosscheck_command(CLI::App& command) {
  auto flags = std::make_shared<CrosscheckFlags>();
  add_experiments(command, flags->files, flags->overrides);
  flags->plugins.add_to(command);
  command.add_flag("--json", flags->json, "Print the table as JSON");
  command.add_option("--output", flags->output, table_output_meaning);
  return [flags](const CommandLine&) -> int {
    if (flags->files.empty()) throw InputError({}, "name an experiment file");
    TableOutput::require_one(flags->output, flags->files.size());
    for (const std::string& file : flags->files) check_file(file, *flags);
    return success;
  };
}

}  // namespace orrery::core
