// orrery calibrate: fits constants of a machine or of its software to what the user has measured.
#include <filesystem>
#include <memory>
#include <nlohmann/json.hpp>

#include "base/files/output_files.hpp"
#include "cli/commands.hpp"
#include "cli/console.hpp"
#include "cli/flags/flag_values.hpp"
#include "cli/flags/plugin_flags.hpp"
#include "cli/flags/result_outputs.hpp"
#include "cli/progress_line.hpp"
#include "study/calibration/calibration_report.hpp"
#include "study/calibration/file_calibration.hpp"

namespace orrery::core {

namespace {

struct CalibrateFlags {
  CalibrationOptions options;
  PluginFlags plugins;
  std::string output;
  bool json = false;
};

int calibrate_from(const CalibrateFlags& flags) {
  if (flags.output.empty())
    throw InputError({"--output"}, "name the file for the fitted constants, such as `--output=mine.yaml`");
  OutputFiles outputs;
  if (flags.json) outputs.add_named({"--json"}, standard_output);
  outputs.add_named({"--output"}, flags.output);
  const InputLog inputs(InputLog::Holds::paths);
  CalibrationOptions options = flags.options;
  options.threads = checked_threads(options.threads);
  options.folder = std::filesystem::path(flags.output).parent_path().string();
  options.are_flags = true;
  FileCalibration made;
  Warnings warnings;
  try {
    ProgressLine progress("calibrate");
    made = calibrate_from_files(options, flags.plugins.loader(inputs), progress.steps(), warnings);
  } catch (...) {
    print_warnings(warnings);  // a file that was read with warnings may be the reason
    throw;
  }
  print_warnings(warnings);
  outputs.refuse_inputs(options.from);
  outputs.refuse_inputs(inputs);
  write_output(flags.output, made.file);
  if (flags.output == standard_output) return success;
  if (flags.json) {
    nlohmann::ordered_json json = calibration_to_json(made);
    json["files"] = {flags.output};
    print_json(json.dump(2, ' ', false, nlohmann::json::error_handler_t::replace) + "\n");
  } else {
    print(calibration_text(made.calibrations) + "\nfiles: " + flags.output + "\n");
  }
  return success;
}

}  // namespace

Command add_calibrate_command(CLI::App& command) {
  auto flags = std::make_shared<CalibrateFlags>();
  command.add_option("--from", flags->options.from,
                     "Files with measurements, whose kinds are told by what is in them");
  command.add_option("--platform", flags->options.platform,
                     "For products and collectives: the platform whose constants are fitted, or its file");
  command.add_option("--kind", flags->options.kind,
                     "For outputs of nccl-tests that do not tell it: the kind of collective");
  command.add_option("--experiment", flags->options.experiment,
                     "For a profile: the experiment file of the step that was profiled");
  command.add_option("--run", flags->options.run,
                     "For a profile: the run of that experiment, if it has several");
  add_overrides(command, flags->options.overrides);
  flags->plugins.add_to(command);
  flags->options.threads = usual_threads();
  command.add_option("--threads", flags->options.threads, "Simulations at a time (default: one per core)");
  command.add_flag("--json", flags->json, "Print what was found as JSON");
  command.add_option("-o,--output", flags->output, "File for the fitted constants, or - for standard output");
  return [flags](const CommandLine&) { return calibrate_from(*flags); };
}

}  // namespace orrery::core
