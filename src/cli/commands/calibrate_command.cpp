// orrery calibrate: fits constants of a machine or of its software to what the user has measured.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <memory>

#include "base/diagnostics/words.hpp"
#include "base/files/file.hpp"
#include "base/files/output_files.hpp"
#include "base/files/paths.hpp"
#include "cli/commands.hpp"
#include "cli/console.hpp"
#include "cli/flags/flag_values.hpp"
#include "cli/flags/plugin_flags.hpp"
#include "cli/flags/result_outputs.hpp"
#include "cli/progress_line.hpp"
#include "report/profile/files/measured_files.hpp"
#include "study/calibration/calibration_text.hpp"
#include "study/calibration/collective_measurements.hpp"
#include "study/calibration/fitted_file.hpp"
#include "study/calibration/kernel_measurements.hpp"
#include "study/calibration/product_measurements.hpp"
#include "study/calibration/step_measurements.hpp"

namespace orrery::core {

namespace {

struct CalibrateFlags {
  std::vector<std::string> from, overrides;
  std::string platform, experiment, run, kind, output;
  PluginFlags plugins;
  int threads = 1;
};

enum class MeasuredKind : std::uint8_t { products, collectives, steps, kernels };

// Returns the beginning of a file, which is enough to tell its kind.
std::string beginning_of(const std::string& file) {
  constexpr std::size_t enough = 1 << 16;
  std::ifstream in(file, std::ios::binary);
  if (!in) throw InputError({file}, "cannot be read; name a file with measurements");
  std::string text(enough, '\0');
  in.read(text.data(), static_cast<std::streamsize>(enough));
  text.resize(static_cast<std::size_t>(in.gcount()));
  return text;
}

// Returns the first line that is no remark and not empty.
std::string_view titles_of_table(std::string_view text) {
  while (!text.empty()) {
    const std::string_view line = text.substr(0, text.find('\n'));
    const std::size_t first = line.find_first_not_of(" \t\r");
    if (first != line.npos && line[first] != '#') return line;
    text.remove_prefix(std::min(line.size() + 1, text.size()));
  }
  return {};
}

MeasuredKind kind_of_measurements(const std::string& file) {
  if (is_folder(file) || file.ends_with(".et")) return MeasuredKind::kernels;
  const std::string text = beginning_of(file);
  const bool is_compressed = text.starts_with("\x1f\x8b");
  const std::size_t first = text.find_first_not_of(" \t\r\n");
  if (is_compressed || (first != text.npos && (text[first] == '{' || text[first] == '[')))
    return MeasuredKind::kernels;
  if (is_nccl_tests(text)) return MeasuredKind::collectives;
  const std::string_view titles = titles_of_table(text);
  if (titles.find("step_s") != titles.npos) return MeasuredKind::steps;
  if (titles.find("time_us") != titles.npos) return MeasuredKind::products;
  throw InputError({file},
                   "is no file to calibrate from; give a trace of the PyTorch profiler, the output of "
                   "nccl-tests, a table of products with the columns m, n, k, datatype and time_us, or one "
                   "of steps with the columns experiment and step_s");
}

// The files of --from by their kinds.
struct MeasuredInputs {
  std::vector<std::string> products, collectives, steps, kernels;

  explicit MeasuredInputs(const std::vector<std::string>& files) {
    for (const std::string& file : files) of(kind_of_measurements(file)).push_back(file);
    const int of_software = !steps.empty() + !kernels.empty();
    const bool of_machine = !products.empty() || !collectives.empty();
    if (of_software + of_machine > 1)
      throw InputError(
          {"--from"},
          "products and collectives tell constants of a machine, and a profile or steps those of its "
          "software, which depend on the machine's: calibrate from one after the other, and name the file of "
          "the first in the experiments of the next");
  }

  std::vector<std::string>& of(MeasuredKind kind) {
    switch (kind) {
      case MeasuredKind::products:
        return products;
      case MeasuredKind::collectives:
        return collectives;
      case MeasuredKind::steps:
        return steps;
      case MeasuredKind::kernels:
        break;
    }
    return kernels;
  }
};

std::string folder_of_output(const std::string& output) {
  return std::filesystem::path(output).parent_path().string();
}

struct Calibrated {
  std::vector<Calibration> calibrations;
  std::string file;
};

std::string source_of(const std::vector<Calibration>& calibrations, const std::vector<std::string>& files) {
  std::vector<std::string> names, parts;
  for (const std::string& file : files) names.push_back(std::filesystem::path(file).filename().string());
  for (const Calibration& calibration : calibrations) parts.push_back(calibration.of);
  return fmt::format("fitted to {} of {}", fmt::join(parts, " and "), fmt::join(names, ", "));
}

// Refuses flags that the measurements have no use for, so that nothing that is given is ignored.
void require_unused(const std::string& value, const char* flag, const char* why) {
  if (!value.empty()) throw InputError({flag}, why);
}

std::optional<CollectiveKind> kind_of_flag(const std::string& word) {
  if (word.empty()) return std::nullopt;
  const LibraryOperation operation = word_of_flag(library_operation_words, word, "--kind");
  if (operation) return operation;
  throw InputError({"--kind"}, backquoted(word) + " is no collective; name one, such as `all-gather`");
}

Calibrated calibrated_machine(const MeasuredInputs& files, const CalibrateFlags& flags,
                              const FileLoader& load) {
  require_unused(flags.experiment, "--experiment", "is for a profile; leave it out");
  require_unused(flags.run, "--run", "is for a profile; leave it out");
  if (!flags.overrides.empty())
    throw InputError({"--set"}, "changes experiments, of which there is none here; leave it out");
  if (files.collectives.empty())
    require_unused(flags.kind, "--kind", "is for the output of nccl-tests; leave it out");
  if (flags.platform.empty())
    throw InputError({"--platform"},
                     "name the platform whose constants are to be fitted, such as "
                     "`--platform=dgx-h100`");
  const CalibratedPlatform platform(flags.platform, load);
  std::vector<ShapeRow> products;
  for (const std::string& file : files.products)
    for (ShapeRow& row : read_shape_table(load(file), file)) products.push_back(std::move(row));
  const std::optional<CollectiveKind> kind = kind_of_flag(flags.kind);
  std::vector<MeasuredCollective> collectives;
  for (const std::string& file : files.collectives)
    for (MeasuredCollective& row : read_nccl_tests(load(file), file, kind)) collectives.push_back(row);
  Calibrated made;
  if (!products.empty())
    made.calibrations.push_back(calibrate(ProductMeasurements(std::move(products), platform)));
  for (const LinksMeasured links : {LinksMeasured::inside, LinksMeasured::between}) {
    const CollectiveMeasurements rows(collectives, links, platform);
    if (rows.rows() > 0) made.calibrations.push_back(calibrate(rows));
  }
  made.file = fitted_platform(made.calibrations, flags.platform, folder_of_output(flags.output),
                              source_of(made.calibrations, flags.from));
  return made;
}

Calibrated calibrated_stack(const Measurements& measurements, const ChangedStack& stack,
                            const CalibrateFlags& flags) {
  Calibrated made;
  made.calibrations.push_back(calibrate(measurements));
  made.file = fitted_stack(made.calibrations.front(), stack.written(), folder_of_output(flags.output),
                           source_of(made.calibrations, flags.from));
  return made;
}

Calibrated calibrated_by_steps(const MeasuredInputs& files, const CalibrateFlags& flags,
                               const FileLoader& load) {
  require_unused(flags.experiment, "--experiment", "is for a profile; the table of steps names experiments");
  require_unused(flags.run, "--run", "is for a profile; the table of steps has a column `run`");
  std::vector<StepRow> rows;
  for (const std::string& file : files.steps)
    for (StepRow& row : read_step_table(load(file), file)) rows.push_back(std::move(row));
  const StepMeasurements steps(rows, flags.overrides, checked_threads(flags.threads), load);
  return calibrated_stack(steps, steps.first(), flags);
}

Calibrated calibrated_by_kernels(const MeasuredInputs& files, const CalibrateFlags& flags,
                                 const FileLoader& load) {
  if (flags.experiment.empty())
    throw InputError({"--experiment"}, "name the experiment of the step that was profiled");
  Warnings warnings;
  std::vector<RankActivities> measured;
  for (const std::string& name : files.kernels)
    for (const std::string& file : measured_files(name))
      for (RankActivities& rank : read_measured_file(file, warnings)) measured.push_back(std::move(rank));
  print_warnings(warnings);
  const ChangedStack stack(flags.experiment, flags.overrides, flags.run, {"--run"}, load);
  return calibrated_stack(KernelMeasurements(measured, stack), stack, flags);
}

Calibrated calibrated(const MeasuredInputs& files, const CalibrateFlags& flags, const FileLoader& load) {
  if (files.steps.empty() && files.kernels.empty()) return calibrated_machine(files, flags, load);
  require_unused(flags.platform, "--platform", "is for products and collectives; experiments have their own");
  require_unused(flags.kind, "--kind", "is for the output of nccl-tests; leave it out");
  return files.steps.empty() ? calibrated_by_kernels(files, flags, load)
                             : calibrated_by_steps(files, flags, load);
}

int calibrate_from(const CalibrateFlags& flags) {
  if (flags.from.empty()) throw InputError({"--from"}, "name files with measurements to calibrate from");
  if (flags.output.empty())
    throw InputError({"--output"}, "name the file for the fitted constants, such as `--output=mine.yaml`");
  OutputFiles outputs;
  outputs.add_named({"--output"}, flags.output);
  const InputLog inputs(InputLog::Holds::paths);
  const MeasuredInputs files(flags.from);
  Calibrated made;
  {
    ProgressLine progress("calibrate");
    made = calibrated(files, flags, flags.plugins.loader(inputs));
  }
  outputs.refuse_inputs(flags.from);
  outputs.refuse_inputs(inputs);
  write_output(flags.output, made.file);
  if (flags.output != standard_output)
    print(calibration_text(made.calibrations) + "\nfiles: " + flags.output + "\n");
  return success;
}

}  // namespace

Command add_calibrate_command(CLI::App& command) {
  auto flags = std::make_shared<CalibrateFlags>();
  command.add_option("--from", flags->from,
                     "Files with measurements, whose kinds are told by what is in them");
  command.add_option("--platform", flags->platform,
                     "For products and collectives: the platform whose constants are fitted, or its file");
  command.add_option("--kind", flags->kind,
                     "For outputs of nccl-tests that do not tell it: the kind of collective");
  command.add_option("--experiment", flags->experiment,
                     "For a profile: the experiment file of the step that was profiled");
  command.add_option("--run", flags->run, "For a profile: the run of that experiment, if it has several");
  add_overrides(command, flags->overrides);
  flags->plugins.add_to(command);
  flags->threads = usual_threads();
  command.add_option("--threads", flags->threads, "Simulations at a time (default: one per core)");
  command.add_option("-o,--output", flags->output, "File for the fitted constants, or - for standard output");
  return [flags](const CommandLine&) { return calibrate_from(*flags); };
}

}  // namespace orrery::core
