// Checks the runs of an experiment as far as that shows without simulating them.
#pragma once

#include <string>
#include <vector>

#include "study/experiment/experiment.hpp"
#include "study/run/run_failure.hpp"

namespace orrery::core {

// What is wrong with a run, or with several in the same way.
struct RunFault {
  RunFailure failure;    // of the first of them
  std::string run;       // the first of them
  std::size_t runs = 1;  // how many they are
};

// Puts all runs together, so that parts that do not fit each other are found, and the order of the operations
// of traces is followed.
std::vector<RunFault> check_runs(const Experiment& experiment, Warnings& warnings);

}  // namespace orrery::core
