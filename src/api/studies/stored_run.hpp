// Makes of a run in memory what reading its results back would give.
#pragma once

#include "api/run_state.hpp"
#include "report/stored/stored_runs.hpp"

namespace orrery::core {

// Requires a run that did not fail. Its links are known where its details were kept.
StoredRun stored_run_of(const Run::State& run);

}  // namespace orrery::core
