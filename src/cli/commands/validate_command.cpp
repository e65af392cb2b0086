// orrery validate: reads inputs and says what is wrong with them.
#include <fmt/format.h>

#include <iostream>

#include "base/diagnostics/printable.hpp"
#include "base/files/input_log.hpp"
#include "cli/commands.hpp"
#include "cli/commands/trace_command.hpp"
#include "cli/console.hpp"
#include "cli/flags/astra1_flags.hpp"
#include "cli/flags/flag_values.hpp"
#include "cli/flags/plugin_flags.hpp"
#include "cli/inputs/input_kind.hpp"
#include "cli/progress_line.hpp"
#include "report/astra1/result_folder.hpp"
#include "study/run/run.hpp"

namespace orrery::core {

namespace {

struct ValidateOptions {
  std::vector<std::string> files;
  ExperimentChanges changes;
  PluginFlags plugins;
  Astra1Flags flags;
  TraceFlags trace_flags;
};

ExitCode validate_file(const std::string& file, const ValidateOptions& options) {
  Warnings warnings;
  std::vector<std::string> errors;
  std::string kind;
  try {
    ProgressLine progress("validate");
    progress.begin("checking " + file);
    kind = check_input(file, options.plugins.loader(InputLog(InputLog::Holds::paths)), options.changes,
                       warnings, errors);
  } catch (const InputError& error) {
    errors.emplace_back(error.what());
  }
  print_warnings(warnings);
  for (const std::string& error : errors) std::cerr << printable_lines(error) << '\n';
  if (!errors.empty()) return bad_input;
  print(file + ": ok, " + kind + "\n");
  return success;
}

ExitCode validate_layer_table_run(const Astra1Flags& flags, const NetworkModelFlag& model) {
  Warnings warnings;
  RunSpec spec = read_run(flags, warnings, InputLog(InputLog::Holds::paths));
  spec.network.model = model.model().value_or(spec.network.model);
  check_result_options(flags.results, spec.system->separate_log);
  prepare_run(spec, warnings);
  print_warnings(warnings);
  print(fmt::format("{}: ok, a run on {} NPUs\n", flags.workload, spec.topology->npus()));
  return success;
}

ExitCode validate(const ValidateOptions& options) {
  const NetworkModelFlag& model = options.changes.network_model;
  const bool by_flags = options.flags.any_given() || options.trace_flags.any_given() ||
                        (options.files.empty() && model.given());
  if (options.files.empty() && !by_flags)
    throw InputError({}, "there is nothing to validate: name files, or give the flags of `orrery run`");
  if (!options.files.empty() && by_flags)
    throw InputError({options.files[0]},
                     "files are validated one by one, the flags of `orrery run` together: "
                     "give either");
  if (by_flags && !options.changes.overrides.empty())
    throw InputError({}, "`--set` changes experiment files, and there is none; leave it out");
  if (by_flags && options.plugins.any_given())
    throw InputError({}, "`--plugin` is for files that name what it adds; leave it out, or name them");
  if (by_flags) {
    return names_traces(options.flags, options.trace_flags, InputLog(InputLog::Holds::paths))
               ? validate_traces(options.flags, options.trace_flags, model)
               : validate_layer_table_run(options.flags, model);
  }
  ExitCode result = success;
  for (const std::string& file : options.files) {
    if (validate_file(file, options) != success) result = bad_input;
  }
  return result;
}

}  // namespace

Command add_validate_command(CLI::App& command) {
  auto options = std::make_shared<ValidateOptions>();
  command.add_option("file", options->files, "Experiments and files of any other kind that Orrery reads");
  options->flags.add_to(command);
  options->trace_flags.add_to(command);
  options->changes.network_model.add_to(command);
  add_overrides(command, options->changes.overrides);
  options->plugins.add_to(command);
  add_allow_out_of_memory(command, options->changes.allow_out_of_memory);
  return [options](const CommandLine&) { return validate(*options); };
}

}  // namespace orrery::core
