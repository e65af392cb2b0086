#include "study/calibration/file_calibration.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <filesystem>
#include <optional>

#include "base/diagnostics/words.hpp"
#include "collective/library/backend.hpp"
#include "report/profile/files/measured_files.hpp"
#include "study/calibration/fitted_file.hpp"
#include "study/calibration/measured/collective_measurements.hpp"
#include "study/calibration/measured/kernel_measurements.hpp"
#include "study/calibration/measured/measured_inputs.hpp"
#include "study/calibration/measured/product_measurements.hpp"
#include "study/calibration/measured/step_measurements.hpp"

namespace orrery::core {
namespace {

// Calibrates from files of one kind or of two, whose constants are of one machine or of one stack.
class CalibrationOfFiles {
 public:
  CalibrationOfFiles(const CalibrationOptions& options, const FileLoader& load, const StepListener& tell,
                     Warnings& warnings)
      : options_(options),
        load_(load),
        tell_(tell),
        warnings_(warnings),
        inputs_(options.from, name("from")) {}

  FileCalibration calibrated() const {
    if (inputs_.are_of_machine()) return by_machine();
    require_unused(options_.platform, "platform",
                   "is for products and collectives; experiments have their own");
    require_unused(options_.kind, "kind", "is for the output of nccl-tests; leave it out");
    return inputs_.steps.empty() ? by_kernels() : by_steps();
  }

 private:
  // Returns an option's name as the user knows it.
  std::string name(std::string_view option) const {
    if (options_.are_flags) return fmt::format("--{}", option == "overrides" ? "set" : option);
    return std::string(option);
  }

  // Refuses options that the measurements have no use for, so that nothing that is given is ignored.
  void require_unused(const std::string& value, std::string_view option, const char* why) const {
    if (!value.empty()) throw InputError({name(option)}, why);
  }

  std::optional<CollectiveKind> given_kind() const {
    if (options_.kind.empty()) return std::nullopt;
    const auto kind = value_of(collective_kind_words, options_.kind);
    if (!kind)
      throw InputError({name("kind")}, backquoted(options_.kind) + " is no collective; use " +
                                           alternatives(words_of(collective_kind_words)));
    return kind;
  }

  std::string source_of(const std::vector<Calibration>& calibrations) const {
    std::vector<std::string> names, parts;
    for (const std::string& file : options_.from)
      names.push_back(std::filesystem::path(file).filename().string());
    for (const Calibration& calibration : calibrations) parts.push_back(calibration.of);
    return fmt::format("fitted to {} of {}", fmt::join(parts, " and "), fmt::join(names, ", "));
  }

  FileCalibration by_machine() const {
    require_unused(options_.experiment, "experiment", "is for a profile; leave it out");
    require_unused(options_.run, "run", "is for a profile; leave it out");
    if (!options_.overrides.empty())
      throw InputError({name("overrides")}, "changes experiments, of which there is none here; leave it out");
    if (inputs_.collectives.empty())
      require_unused(options_.kind, "kind", "is for the output of nccl-tests; leave it out");
    if (options_.platform.empty())
      throw InputError({name("platform")},
                       "name the platform whose constants are to be fitted, such as `dgx-h100`");
    const CalibratedPlatform platform(options_.platform, name("platform"), load_);
    std::vector<ShapeRow> products;
    for (const std::string& file : inputs_.products)
      for (ShapeRow& row : read_shape_table(load_(file), file)) products.push_back(std::move(row));
    const std::optional<CollectiveKind> kind = given_kind();
    std::vector<MeasuredCollective> collectives;
    for (const std::string& file : inputs_.collectives)
      for (MeasuredCollective& row : read_nccl_tests(load_(file), file, kind)) collectives.push_back(row);
    FileCalibration made;
    if (!products.empty())
      made.calibrations.push_back(calibrate(ProductMeasurements(std::move(products), platform), tell_));
    for (const LinksMeasured links : {LinksMeasured::inside, LinksMeasured::between}) {
      const CollectiveMeasurements rows(collectives, links, platform);
      if (rows.rows() > 0) made.calibrations.push_back(calibrate(rows, tell_));
    }
    made.file =
        fitted_platform(made.calibrations, options_.platform, options_.folder, source_of(made.calibrations));
    return made;
  }

  FileCalibration of_stack(const Measurements& measurements, const ChangedStack& stack) const {
    FileCalibration made;
    made.calibrations.push_back(calibrate(measurements, tell_));
    made.file = fitted_stack(made.calibrations.front(), stack.written(), options_.folder,
                             source_of(made.calibrations));
    return made;
  }

  FileCalibration by_steps() const {
    require_unused(options_.experiment, "experiment",
                   "is for a profile; the table of steps names experiments");
    require_unused(options_.run, "run", "is for a profile; the table of steps has a column `run`");
    std::vector<StepRow> rows;
    for (const std::string& file : inputs_.steps)
      for (StepRow& row : read_step_table(load_(file), file)) rows.push_back(std::move(row));
    const StepMeasurements steps(rows, options_.overrides, options_.threads, load_);
    return of_stack(steps, steps.first());
  }

  FileCalibration by_kernels() const {
    if (options_.experiment.empty())
      throw InputError({name("experiment")}, "name the experiment of the step that was profiled");
    std::vector<RankActivities> measured;
    for (const std::string& named : inputs_.kernels)
      for (const std::string& file : measured_files(named))
        for (RankActivities& rank : read_measured_file(file, warnings_)) measured.push_back(std::move(rank));
    const ChangedStack stack(options_.experiment, options_.overrides, options_.run, {name("run")}, load_);
    return of_stack(KernelMeasurements(measured, stack), stack);
  }

  const CalibrationOptions& options_;
  const FileLoader& load_;
  const StepListener& tell_;
  Warnings& warnings_;
  const MeasuredInputs inputs_;
};

}  // namespace

FileCalibration calibrate_from_files(const CalibrationOptions& options, const FileLoader& load,
                                     const StepListener& tell, Warnings& warnings) {
  return CalibrationOfFiles(options, load, tell, warnings).calibrated();
}

}  // namespace orrery::core
