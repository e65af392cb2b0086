// Calibration: constants of a machine or of its software, fitted to what somebody has measured on it.
//
//   const orrery::Findings found = orrery::calibrate({"steps.csv"}, {.output = "my-stack.yaml"}).value();
//   std::cout << found.text();
#pragma once

#include <string>
#include <vector>

#include "orrery/diagnostics.hpp"
#include "orrery/export.hpp"
#include "orrery/findings.hpp"
#include "orrery/registry.hpp"

namespace orrery {

// Says what was measured where. Each of the first four has to be empty where the measurements have no use
// for it.
struct CalibrationOptions {
  std::string platform = {};    // of products and collectives: that comes with Orrery, or a file
  std::string kind = {};        // of outputs of nccl-tests that do not tell it: such as "all-gather"
  std::string experiment = {};  // of a profile: the experiment file of the step that was profiled
  std::string run = {};         // of a profile: the run of that experiment; empty: the only one
  std::vector<std::string> overrides = {};  // of steps and profiles: "key=value", as with --set
  std::string output = {};  // where the constants are written, as soon as all are known; empty: nowhere
  Registry registry = {};   // what experiments and platforms may name besides that which comes with Orrery
  StudyOptions how = {};    // threads, stop and progress, which begins again with each simulation of all rows
};

// Fits constants to files of measurements as `orrery calibrate` does. The tables are "constants", with their
// values before and after and their standard errors, "errors" of simulated times, and "rows", which are these
// errors one by one. `Findings::json()` has the constants as a file of a software stack or of a platform at
// "yaml". The problem says which file or option is wrong.
ORRERY_API Result<Findings> calibrate(const std::vector<std::string>& from,
                                      const CalibrationOptions& options = {});

}  // namespace orrery
