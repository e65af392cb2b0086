#include "cli/runs/chosen_runs.hpp"

#include <algorithm>
#include <string_view>

#include "base/diagnostics/nearest_names.hpp"

namespace orrery::core {

std::vector<RunSpec> chosen_runs(const Experiment& experiment, const std::vector<std::string>& names) {
  if (names.empty()) return experiment.runs;
  std::vector<RunSpec> chosen;
  for (const std::string& name : names) {
    const auto run = std::ranges::find(experiment.runs, name, &RunSpec::name);
    if (run == experiment.runs.end()) {
      std::vector<std::string_view> known;
      for (const RunSpec& one : experiment.runs) known.push_back(one.name);
      throw InputError({"--run"}, none_of_name("run", name, known));
    }
    chosen.push_back(*run);
  }
  return chosen;
}

}  // namespace orrery::core
