// Simulates a run once more for a study that needs more of it than was recorded.
#pragma once

#include "api/access.hpp"
#include "api/run_state.hpp"
#include "api/studies/study_progress.hpp"
#include "study/run/run.hpp"

namespace orrery::core {

// Throws InputError where the run was read from results, which hold no more than was written.
inline void require_experiment(const Run& run) {
  if (!Access::state(run).experiment)
    throw InputError(
        {run.name()},
        "the run was read from results, which cannot be simulated again; simulate its experiment");
}

struct RepeatedRun {
  RunSpec spec;
  RunResult result;
};

// `change` sets what is to be recorded besides. Throws InputError and StallError, also where the run was read
// from results, which hold no more than was written.
template <class Change>
RepeatedRun repeat(const Run& run, const StudyOptions& options, Warnings& warnings, const Change& change) {
  const Run::State& state = Access::state(run);
  if (!state.experiment)
    throw InputError(
        {run.name()},
        "the run was read from results, which cannot be simulated again; simulate its experiment");
  RunSpec spec = state.spec();
  change(spec);
  StudyProgress progress(options);
  RunResult result = carry_out(spec, warnings, true, progress.share());
  return {std::move(spec), std::move(result)};
}

}  // namespace orrery::core
