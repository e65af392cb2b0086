// Carries out one run.
#pragma once

#include <memory>
#include <optional>

#include "simulate/simulation.hpp"
#include "simulate/training_step.hpp"
#include "study/run_spec.hpp"
#include "workload/training/training_program.hpp"

namespace orrery {

struct RunResult {
  Program program;
  Machine machine;
  std::optional<DimensionSplit> split;  // one of the topology's dimensions is cut in two for the program
  SimulationPlan plan;
  Recording recording;

  // Of a transformer on a platform, else empty.
  std::shared_ptr<const TrainingSetup> setup;
  std::shared_ptr<const StageCosts> stage_costs;
  PassDetail pass_detail = PassDetail::one_node;
  std::optional<TrainingResult> training;
};

// Builds all that the run consists of, without simulating it. Throws InputError when its parts do not fit
// together.
RunResult prepare_run(const RunSpec& spec, Warnings& warnings, bool fold = true);

// Throws InputError and StallError.
RunResult carry_out(const RunSpec& spec, Warnings& warnings, bool fold = true,
                    const ProgressListener& progress = {});

}  // namespace orrery
