#include "cli/runs/experiment_help.hpp"

#include <filesystem>

#include "base/files/file_writer.hpp"
#include "base/files/folder_lock.hpp"
#include "cli/console.hpp"
#include "cli/progress_line.hpp"
#include "report/stored/result_files.hpp"
#include "study/sensitivity/sensitivity_table.hpp"

namespace orrery::core {

void find_what_would_help(const Experiment& experiment, const std::string& file,
                          const std::vector<std::string>& overrides, const ExperimentOptions& options) {
  const std::filesystem::path folder = std::filesystem::path(options.output) / experiment.name;
  const FolderLock lock(folder, FolderLock::WhenTaken::refuse);
  FileWriter table((folder / sensitivity_file.name).string());
  table.append(csv_title(sensitivity_table) + '\n');
  SensitivityOptions sensitivity;
  sensitivity.threads = options.threads;
  sensitivity.allow_out_of_memory = options.allow_out_of_memory;
  const InputLog inputs(InputLog::Holds::paths);
  const InputNode document = experiment_document(inputs.read(file), file, overrides);
  ProgressLine progress(experiment.name);
  for (const RunSpec& run : experiment.runs) {
    try {
      const Sensitivity found = find_sensitivity(document, file, run.name, sensitivity, progress.steps(),
                                                 {inputs, experiment.extensions});
      table.append(csv_lines_of(sensitivity_table, found.rows));
    } catch (const InputError&) {  // the run cannot be simulated, as was said before
    } catch (const StallError&) {
    }
  }
  table.finish();
}

}  // namespace orrery::core
