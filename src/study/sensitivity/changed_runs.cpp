#include "study/sensitivity/changed_runs.hpp"

#include <utility>

#include "study/experiment/experiment.hpp"
#include "study/experiment/overrides.hpp"
#include "study/experiment/run_keys.hpp"
#include "study/experiment/swept_runs.hpp"
#include "study/run/run.hpp"

namespace orrery::core {

ChangedRuns::ChangedRuns(InputNode document, const std::string& file, std::string run, int threads,
                         bool allow_out_of_memory, StepListener told, const FileLoader& load)
    : document_(document_of_run(std::move(document), file, run)),
      file_(file),
      folder_(std::filesystem::path(file).parent_path()),
      run_(std::move(run)),
      threads_(threads),
      allow_out_of_memory_(allow_out_of_memory),
      told_(std::move(told)),
      load_(load) {
  write_out_network(document_, run_, folder_, load);
}

RunSpec ChangedRuns::spec_with(const Settings& settings) const {
  InputNode document = document_;
  apply_overrides(document, settings, [](std::string_view first) { return experiment_file_keys(first); });
  Warnings warnings;  // those of the run as it is are the user's, these are not
  RunSpec spec = read_one_run(document, file_, run_, warnings, load_);
  spec.allow_out_of_memory = allow_out_of_memory_;
  return spec;
}

Time ChangedRuns::time_with(const Settings& settings) const {
  const RunSpec spec = spec_with(settings);
  Warnings warnings;
  const RunResult result = carry_out(spec, warnings);
  return spec.workload->summary(spec, result).total;
}

std::optional<Time> ChangedRuns::time_if_possible(const Settings& settings) const {
  try {
    return time_with(settings);
  } catch (const InputError&) {
    return std::nullopt;
  } catch (const StallError&) {
    return std::nullopt;
  }
}

std::vector<MachineParameter> ChangedRuns::parameters(Time& total) const {
  const RunSpec spec = spec_with({});
  Warnings warnings;
  const RunResult result = carry_out(spec, warnings);
  total = spec.workload->summary(spec, result).total;
  return machine_parameters(document_, spec, collectives_of(result.program), folder_, load_);
}

}  // namespace orrery::core
