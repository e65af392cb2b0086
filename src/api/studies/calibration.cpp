#include "orrery/calibration.hpp"

#include <filesystem>
#include <nlohmann/json.hpp>

#include "api/plugins/extensions.hpp"
#include "api/studies/findings_state.hpp"
#include "api/studies/study_progress.hpp"
#include "base/files/file.hpp"
#include "base/files/output_files.hpp"
#include "study/calibration/calibration_report.hpp"
#include "study/calibration/file_calibration.hpp"
#include "study/run/run_pool.hpp"

namespace orrery {

namespace {

core::CalibrationOptions options_of(const std::vector<std::string>& from, const CalibrationOptions& asked) {
  core::CalibrationOptions options;
  options.from = from;
  options.overrides = asked.overrides;
  options.platform = asked.platform;
  options.experiment = asked.experiment;
  options.run = asked.run;
  options.kind = asked.kind;
  options.folder = std::filesystem::path(asked.output).parent_path().string();
  options.threads = asked.how.threads > 0 ? asked.how.threads : core::default_threads();
  return options;
}

}  // namespace

Result<Findings> calibrate(const std::vector<std::string>& from, const CalibrationOptions& options) {
  return core::found_by([&] {
    core::StudyProgress progress(options.how);
    const core::InputLog inputs(core::InputLog::Holds::paths);
    core::OutputFiles outputs;
    if (!options.output.empty()) outputs.add_named({"output"}, options.output);
    core::Warnings warnings;
    const core::FileCalibration made = core::calibrate_from_files(
        options_of(from, options), core::loader_of(inputs, options.registry), progress.steps(), warnings);
    outputs.refuse_inputs(from);
    outputs.refuse_inputs(inputs);
    if (!options.output.empty()) core::write_file_atomically(options.output, made.file);
    return core::findings_of(
        {{"constants.csv", {core::calibrated_constant_table, core::constants_of(made.calibrations)}},
         {"errors.csv", {core::calibration_error_table, core::errors_of(made.calibrations)}},
         {"rows.csv", {core::calibrated_row_table, core::rows_of(made.calibrations)}}},
        core::calibration_to_json(made), core::calibration_text(made.calibrations), warnings);
  });
}

}  // namespace orrery
