#include "orrery/comparison.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "api/studies/findings_state.hpp"
#include "api/studies/repeated_run.hpp"
#include "api/studies/stored_run.hpp"
#include "report/profile/files/measured_files.hpp"
#include "report/profile/measured_comparison.hpp"
#include "study/compare/compared_runs.hpp"
#include "study/compare/simulated_ranks.hpp"

namespace orrery {

struct Profile::State {
  std::vector<core::RankActivities> ranks;
  std::vector<std::string> warnings;
};

namespace {

// Names apart what has one name.
void name_by_place(std::vector<core::StoredRun>& runs) {
  if (runs[0].summary.name != runs[1].summary.name) return;
  runs[0].summary.name += " (before)";
  runs[1].summary.name += " (after)";
}

std::vector<core::NamedRows> tables_of_changes(const core::RunChanges& changes) {
  return {{"inputs.csv", {core::input_change_table, changes.inputs}},
          {"times.csv", {core::time_change_table, changes.times}},
          {"layers.csv", {core::layer_change_table, changes.layers}},
          {"links.csv", {core::link_change_table, changes.links}}};
}

std::vector<core::NamedRows> tables_of_measured(const core::MeasuredComparison& comparison) {
  std::vector<core::ActivityRow> activities;
  for (const core::ActivityPair& pair : comparison.activities) activities.push_back({comparison.run, pair});
  std::vector<core::KernelRow> kernels;
  for (const core::KernelPair& pair : comparison.kernels) kernels.push_back({pair});
  return {{"measured.csv", {core::activity_table, std::move(activities)}},
          {"parts.csv", {core::step_part_table, comparison.parts}},
          {"ranks.csv", {core::rank_pair_table, comparison.ranks}},
          {"kernels.csv", {core::kernel_table, std::move(kernels)}}};
}

}  // namespace

Result<Findings> compare(const Run& before, const Run& after) {
  for (const Run* const run : {&before, &after})
    if (run->problem()) return *run->problem();
  return core::found_by([&] {
    std::vector<core::StoredRun> runs{core::stored_run_of(core::Access::state(before)),
                                      core::stored_run_of(core::Access::state(after))};
    name_by_place(runs);
    const core::ComparedRuns compared =
        core::compare_runs(runs, core::InputLog(core::InputLog::Holds::paths));
    return core::findings_of(tables_of_changes(compared.changes.front()), core::to_json(compared),
                             core::text_of(compared, true), {});
  });
}

Profile::Profile(std::shared_ptr<const State> state) : state_(std::move(state)) {}

Result<Profile> Profile::load(const std::vector<std::string>& files) {
  return core::found_by([&] {
    if (files.empty()) throw core::InputError({"files"}, "no file is named; name one for each rank");
    core::Warnings warnings;
    State state;
    for (const std::string& name : files)
      for (const std::string& file : core::measured_files(name))
        for (core::RankActivities& rank : core::read_measured_file(file, warnings))
          state.ranks.push_back(std::move(rank));
    state.warnings = warnings.lines();
    return Profile(std::make_shared<const State>(std::move(state)));
  });
}

std::size_t Profile::ranks() const {
  return state_->ranks.size();
}

const std::vector<std::string>& Profile::warnings() const {
  return state_->warnings;
}

Result<Findings> compare(const Run& simulated, const Profile& measured, std::optional<std::int64_t> step,
                         const StudyOptions& options) {
  if (simulated.problem()) return *simulated.problem();
  return core::found_by([&] {
    core::Warnings unheard, warnings;  // those of the simulation are known from the run
    const auto record_all = [](core::RunSpec& spec) { spec.every_operator = true; };
    const core::RepeatedRun repeated = core::repeat(simulated, options, unheard, record_all);
    const core::MeasuredComparison comparison =
        core::compare_with_measured(simulated.name(), core::simulated_ranks(repeated.spec, repeated.result),
                                    core::Access::state(measured).ranks, step, warnings);
    return core::findings_of(tables_of_measured(comparison), core::to_json(comparison),
                             core::text_of(comparison, true), warnings);
  });
}

}  // namespace orrery
