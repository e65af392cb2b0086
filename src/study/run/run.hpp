// Carries out one run.
#pragma once

#include <memory>
#include <optional>

#include "simulate/run/simulation.hpp"
#include "study/run/run_spec.hpp"

namespace orrery::core {

// What a kind of workload keeps of a run for its own reports.
struct RunDetail {
  virtual ~RunDetail() = default;
};

struct RunResult {
  Program program;
  Machine machine;
  std::optional<DimensionSplit> split;  // the topology's dimension that is cut in two for the program
  SimulationPlan plan;
  Recording recording;
  Breakdown breakdown;                // where the time of the recorded run goes
  std::shared_ptr<RunDetail> detail;  // null: none
  std::vector<Time> totals_by_seed;   // where the run is carried out with several seeds of its ways
  bool fold = true;                   // what happens several times may be simulated once
};

// Returns the machine that a run describes, with its network or on its platform. Throws InputError.
Machine machine_of(const RunSpec& spec, Warnings& warnings);

// Builds the program and the machine of a run. Throws InputError when its parts do not fit together.
RunResult build_run(const RunSpec& spec, Warnings& warnings, bool fold = true);
// Does the same, and plans how the run is simulated. Throws the same.
RunResult prepare_run(const RunSpec& spec, Warnings& warnings, bool fold = true);
// Simulates a run that was built, and works out what follows from its recording. Throws InputError and
// StallError.
void simulate_run(const RunSpec& spec, RunResult& result, const ProgressListener& progress = {});
// Warns of failures that begin when the run has ended.
void warn_of_what_never_happens(const RunSpec& spec, const RunResult& result, Warnings& warnings);

// Carries out the run with each of its seeds, and returns the result whose end is nearest to the mean, of
// several the one of the lowest seed. Throws InputError and StallError.
RunResult carry_out(const RunSpec& spec, Warnings& warnings, bool fold = true,
                    const ProgressListener& progress = {});

}  // namespace orrery::core
