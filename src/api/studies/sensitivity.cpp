#include "orrery/sensitivity.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <string_view>

#include "api/document_nodes.hpp"
#include "api/experiment_state.hpp"
#include "api/plugins/extensions.hpp"
#include "api/studies/findings_state.hpp"
#include "api/studies/repeated_run.hpp"
#include "api/studies/study_progress.hpp"
#include "base/diagnostics/nearest_names.hpp"
#include "report/stored/result_files.hpp"
#include "study/run/run_pool.hpp"
#include "study/sensitivity/sensitivity_table.hpp"

namespace orrery {

namespace {

std::string chosen_run(const Experiment& experiment, const std::string& wanted) {
  const std::vector<std::string> names = experiment.runs();
  if (wanted.empty() && names.size() == 1) return names.front();
  if (wanted.empty())
    throw core::InputError({"run"}, fmt::format("the experiment has {} runs; name one, such as {}",
                                                names.size(), core::backquoted(names.front())));
  const std::vector<std::string_view> known(names.begin(), names.end());
  if (std::ranges::find(names, wanted) == names.end())
    throw core::InputError({"run"}, core::none_of_name("run", wanted, known));
  return wanted;
}

core::SensitivityOptions options_of(const SensitivityOptions& asked, bool allow_out_of_memory) {
  constexpr double most = core::largest_factor - 1;
  if (!(asked.share > 0 && asked.share <= most))
    throw core::InputError({"share"},
                           fmt::format("the share has to be above 0 and up to {}, such as 0.25", most));
  core::SensitivityOptions options;
  options.share = asked.share;
  if (asked.target) options.target = core::Time::from_ps(asked.target->picoseconds());
  if (options.target && *options.target <= core::Time())
    throw core::InputError({"target"}, "no run takes 0 s; give a time above 0");
  if (asked.costs.kind() != Document::Kind::null)
    options.costs = core::ChangeCosts(core::node_of(asked.costs, "costs"));
  options.only = asked.only;
  options.threads = asked.how.threads > 0 ? asked.how.threads : core::default_threads();
  options.allow_out_of_memory = allow_out_of_memory;
  return options;
}

Findings sensitivity_of(const core::ExperimentSource& source, const std::string& experiment,
                        const std::string& run, const SensitivityOptions& asked) {
  const core::SensitivityOptions options = options_of(asked, source.options.allow_out_of_memory);
  core::StudyProgress progress(asked.how);
  const core::FileLoader load =
      core::loader_of(core::InputLog(core::InputLog::Holds::paths), source.options.registry);
  const core::Sensitivity found =
      core::find_sensitivity(source.tree(), source.file, run, options, progress.steps(), load);
  core::Warnings warnings;
  core::warn_of_costs(options, found, warnings);
  return core::findings_of({{core::sensitivity_file.name, {core::sensitivity_table, found.rows}}},
                           core::sensitivity_to_json(experiment, found), core::sensitivity_text(found, true),
                           warnings);
}

}  // namespace

Result<Findings> find_sensitivity(const Experiment& experiment, const SensitivityOptions& options) {
  return core::found_by([&] {
    return sensitivity_of(*core::Access::state(experiment).source, experiment.name(),
                          chosen_run(experiment, options.run), options);
  });
}

Result<Findings> find_sensitivity(const Run& run, const SensitivityOptions& options) {
  if (run.problem()) return *run.problem();
  return core::found_by([&] {
    core::require_experiment(run);
    const Run::State& state = core::Access::state(run);
    return sensitivity_of(*state.source, state.experiment->name, state.spec().name, options);
  });
}

}  // namespace orrery
