// Sensitivity: which parameter of a machine would make a run shorter, and by how much.
//
//   const orrery::Findings found = orrery::find_sensitivity(run, {.only = "platform.between.*"}).value();
//   std::cout << found.text();
#pragma once

#include <optional>
#include <string>

#include "orrery/diagnostics.hpp"
#include "orrery/document.hpp"
#include "orrery/experiment.hpp"
#include "orrery/export.hpp"
#include "orrery/findings.hpp"
#include "orrery/time.hpp"

namespace orrery {

// Says what is tried.
struct SensitivityOptions {
  std::string run = {};  // name of the run; it may be empty where the experiment has only one
  double share = 0.25;   // share by which each parameter is better, above 0 and up to 15
  // Time that the least change is to bring the run to; none: no change is searched.
  std::optional<Time> target = {};
  // Costs of better parameters, as the file of `--costs` has them; with costs the cheapest change reaches the
  // target.
  Document costs = {};
  std::string only = {};  // pattern of the parameters that are varied, such as "network.*"; empty: all
  StudyOptions how = {};  // threads, stop and progress
};

// Simulates a run again and again, each time with one parameter better, as `orrery sensitivity` does. The
// table is "sensitivity". The problem says what is wrong with the options, or why the run as it is cannot be
// simulated.
ORRERY_API Result<Findings> find_sensitivity(const Experiment& experiment,
                                             const SensitivityOptions& options = {});
// Does the same for a run of an experiment. `options.run` says nothing here. The problem is also that of a
// run which failed, or was read from results, which cannot be simulated again.
ORRERY_API Result<Findings> find_sensitivity(const Run& run, const SensitivityOptions& options = {});

}  // namespace orrery
