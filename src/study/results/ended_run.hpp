// Carries out one run of an experiment, and keeps what there is to say about it when it has ended.
#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <string>

#include "base/diagnostics/diagnostics.hpp"
#include "base/progress.hpp"
#include "report/summary/summary.hpp"
#include "study/experiment/experiment.hpp"
#include "study/run/run.hpp"
#include "study/run/run_failure.hpp"

namespace orrery::core {

class ExperimentFolder;

struct EndedRun {
  Warnings warnings;
  RunFailure failure;
  Summary summary;   // of a run that failed: its name, the values that were varied, and why
  std::string json;  // of the summary
  std::shared_ptr<const RunResult> result;  // null where it is not wanted, and of a run that failed
};

struct RunWishes {
  bool fold = true;          // simulate equal ranks once where that is exact
  bool keep_result = false;  // as EndedRun::result
  // Gets the reports of the run, if the experiment wants any. Null: nothing is written.
  const ExperimentFolder* folder = nullptr;
  ProgressListener progress = {};
  std::function<void()> begins_to_write = {};
};

// Returns what there is to say of a run that was not simulated because of an exception.
EndedRun failed_run(const Experiment& experiment, std::size_t run, const std::exception_ptr& exception);

// A failure of the run itself is told in the result. Throws InputError when reports cannot be written,
// because that concerns all runs.
EndedRun carry_out_one(const Experiment& experiment, std::size_t run, const RunWishes& wishes);

}  // namespace orrery::core
