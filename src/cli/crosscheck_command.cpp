// orrery crosscheck: prints what every model of the network makes of an experiment.
#include <filesystem>
#include <memory>
#include <nlohmann/json.hpp>

#include "base/file.hpp"
#include "base/folder_lock.hpp"
#include "cli/commands.hpp"
#include "cli/console.hpp"
#include "cli/flag_values.hpp"
#include "cli/input_kind.hpp"
#include "cli/progress_line.hpp"
#include "study/crosscheck.hpp"

namespace orrery {

namespace {

struct CrosscheckFlags {
  std::vector<std::string> files, overrides;
  std::string output = "results";
  bool json = false;
};

void check_file(const std::string& file, const CrosscheckFlags& flags) {
  Warnings warnings;
  const Experiment experiment = read_experiment_file(file, flags.overrides, warnings);
  print_warnings(warnings);
  std::vector<CheckedRun> checked;
  {
    ProgressLine progress(experiment.name);
    Warnings of_models;  // the same of every model, and of no use where one does not apply
    checked = crosscheck(experiment, of_models, progress.steps());
  }
  const std::filesystem::path folder = std::filesystem::path(flags.output) / experiment.name;
  const FolderLock lock(folder, FolderLock::WhenTaken::refuse);
  const std::string table = (folder / "crosscheck.csv").string();
  write_file_atomically(table, csv_of(crosscheck_table, checked));
  if (flags.json) {
    nlohmann::ordered_json json{{"experiment", experiment.name}};
    json["models"] = json_of<nlohmann::ordered_json>(crosscheck_table, checked);
    json["files"] = {table};
    print_json(json.dump(2, ' ', false, nlohmann::json::error_handler_t::replace) + "\n");
  } else {
    print(crosscheck_text(checked) + "files: " + table + "\n");
  }
}

}  // namespace

Command add_crosscheck_command(CLI::App& command) {
  auto flags = std::make_shared<CrosscheckFlags>();
  add_experiments(command, flags->files, flags->overrides);
  command.add_flag("--json", flags->json, "Print the table as JSON");
  command.add_option("--output", flags->output, "Folder for the experiment's results (default: results)");
  return [flags](const CommandLine&) -> int {
    if (flags->files.empty()) throw InputError({}, "name an experiment file");
    for (const std::string& file : flags->files) check_file(file, *flags);
    return success;
  };
}

}  // namespace orrery
