#include "cli/inputs/experiment_check.hpp"

#include <fmt/format.h>

#include "base/diagnostics/words.hpp"
#include "study/experiment/experiment.hpp"
#include "study/experiment/run_checks.hpp"

namespace orrery::core {

std::string check_experiment(const InputCheck& input) {
  Experiment experiment =
      read_experiment(input.text, input.file, input.changes.overrides, input.warnings, input.load,
                      input.changes.network_model.model(input.load.extensions()));
  for (RunSpec& run : experiment.runs) run.allow_out_of_memory = input.changes.allow_out_of_memory;
  const bool several = experiment.runs.size() > 1;
  for (const RunFault& fault : check_runs(experiment, input.warnings)) {
    const std::string others = fault.runs > 1 ? fmt::format(" and {} more", fault.runs - 1) : "";
    const std::string which = fmt::format(" (run {}{})", backquoted(fault.run), others);
    input.errors.push_back(several ? fault.failure.text + which : fault.failure.text);
  }
  return fmt::format("experiment of {} run{}", experiment.runs.size(),
                     experiment.runs.size() == 1 ? "" : "s");
}

}  // namespace orrery::core
