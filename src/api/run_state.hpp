// What the public classes of results hold.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "orrery/run.hpp"
#include "report/summary/run_tables.hpp"
#include "study/results/ended_run.hpp"

namespace orrery {

struct Run::State {
  std::shared_ptr<const core::Experiment> experiment;
  std::size_t number = 0;  // of the run in it
  core::EndedRun ended;
  std::optional<Problem> problem;

  const core::RunSpec& spec() const { return experiment->runs[number]; }
};

struct Runs::State {
  std::shared_ptr<const core::Experiment> experiment;
  std::vector<Run> runs;
  std::vector<std::shared_ptr<const Run::State>> states;  // of these runs
  Problems problems;
};

}  // namespace orrery
