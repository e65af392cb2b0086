#include "study/results/ended_run.hpp"

#include <utility>
#include <vector>

#include "study/results/experiment_folder.hpp"

namespace orrery::core {

namespace {

// Returns the keys in which runs differ, with the values of this run.
std::vector<std::pair<std::string, std::string>> varied_of(const Experiment& experiment, std::size_t run) {
  std::vector<std::pair<std::string, std::string>> varied;
  for (std::size_t k = 0; k < experiment.varied.keys.size(); ++k)
    varied.emplace_back(experiment.varied.keys[k], experiment.varied.values[run][k]);
  return varied;
}

}  // namespace

EndedRun failed_run(const Experiment& experiment, std::size_t run, const std::exception_ptr& exception) {
  const RunSpec& spec = experiment.runs[run];
  EndedRun ended;
  ended.failure = failure_of_run(exception, experiment.runs.size() == 1 ? "" : spec.name, spec.where);
  ended.summary.name = spec.name;
  ended.summary.error = failure_of(exception).text;
  ended.json = json_text(ended.summary);
  ended.summary.varied = varied_of(experiment, run);
  return ended;
}

EndedRun carry_out_one(const Experiment& experiment, std::size_t run, const RunWishes& wishes) {
  const RunSpec& spec = experiment.runs[run];
  EndedRun ended;
  RunResult result;
  try {
    result = carry_out(spec, ended.warnings, wishes.fold, wishes.progress);
  } catch (...) {
    if (wishes.folder) wishes.folder->remove_reports(spec.name);
    EndedRun failure = failed_run(experiment, run, std::current_exception());
    failure.warnings = std::move(ended.warnings);
    return failure;
  }
  if (wishes.begins_to_write) wishes.begins_to_write();
  ended.summary = spec.workload->summary(spec, result);
  ended.summary.varied = varied_of(experiment, run);
  ended.summary.hashes = hash_spread(result.totals_by_seed);
  if (wishes.folder) wishes.folder->write_reports({spec, result, ended.summary, {}, ended.warnings});
  ended.summary.warnings = ended.warnings.lines();
  ended.json = json_text(ended.summary);
  if (wishes.keep_result) ended.result = std::make_shared<const RunResult>(std::move(result));
  return ended;
}

}  // namespace orrery::core
