// orrery explain: the critical path of an experiment's runs.
#include <memory>
#include <nlohmann/json.hpp>

#include "cli/commands.hpp"
#include "cli/console.hpp"
#include "cli/experiment_explanation.hpp"
#include "cli/flag_values.hpp"
#include "cli/input_kind.hpp"

namespace orrery {

namespace {

struct ExplainFlags {
  std::vector<std::string> files, overrides, runs;
  std::string output = "results";
  bool json = false;
};

void explain_file(const std::string& file, const ExplainFlags& flags) {
  Warnings warnings;
  const Experiment experiment = read_experiment_file(file, flags.overrides, warnings);
  print_warnings(warnings);
  const std::size_t printed = warnings.lines().size();
  const ExperimentExplanation explanation =
      explain_experiment(experiment, flags.runs, flags.output, warnings);
  print_warnings(warnings, printed);
  if (flags.json) {
    nlohmann::ordered_json json{{"experiment", experiment.name}};
    json["runs"] = explanation.runs;
    json["files"] = explanation.files;
    print_json(json.dump(2, ' ', false, nlohmann::json::error_handler_t::replace) + "\n");
  } else {
    print(explanation.text + fmt::format("files: {}\n", fmt::join(explanation.files, ", ")));
  }
}

}  // namespace

Command add_explain_command(CLI::App& command) {
  auto flags = std::make_shared<ExplainFlags>();
  add_experiments(command, flags->files, flags->overrides);
  command.add_option("--run", flags->runs,
                     "Name of a run to explain; may be given several times (default: all)");
  command.add_flag("--json", flags->json, "Print the shares as JSON");
  command.add_option("--output", flags->output, "Folder for the experiment's results (default: results)");
  return [flags]() -> int {
    if (flags->files.empty()) throw InputError({}, "name an experiment file");
    for (const std::string& file : flags->files) explain_file(file, *flags);
    return success;
  };
}

}  // namespace orrery
