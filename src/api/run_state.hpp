// What the public classes of results hold.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "api/loaded_results.hpp"
#include "orrery/run.hpp"
#include "report/summary/run_tables.hpp"
#include "study/results/ended_run.hpp"

namespace orrery {

namespace core {
struct ExperimentSource;
}

struct Run::State {
  std::shared_ptr<const core::Experiment> experiment;  // null: the run was read from results
  std::size_t number = 0;                              // of the run in it
  core::EndedRun ended;
  std::optional<Problem> problem;
  std::shared_ptr<const core::ExperimentSource> source;
  std::shared_ptr<const core::LoadedResults> loaded = nullptr;  // of a run that was read from results

  const core::RunSpec& spec() const { return experiment->runs[number]; }
};

struct Runs::State {
  std::shared_ptr<const core::Experiment> experiment;  // null: the runs were read from results
  std::vector<Run> runs;
  std::vector<std::shared_ptr<const Run::State>> states;  // of these runs
  Problems problems;
  std::shared_ptr<const core::LoadedResults> loaded = nullptr;
};

}  // namespace orrery
