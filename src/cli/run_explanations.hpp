// Simulates runs, and writes and shows their critical paths.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "study/experiment.hpp"

namespace orrery {

struct RunExplanations {
  std::string text;                // for a terminal
  nlohmann::ordered_json runs;     // shares of each path
  std::vector<std::string> files;  // that were written
};

// Writes critical-path.csv and blame.csv into `<output>/<experiment>/`. `names` are of runs; empty: all.
// Throws InputError, before anything is written where a run is at fault, and StallError.
RunExplanations explain_experiment(const Experiment& experiment, const std::vector<std::string>& names,
                                   const std::string& output, Warnings& warnings);

// Writes the same files of one run; `path` and the run's name stand in front of their names. Throws likewise.
RunExplanations explain_run(const RunSpec& spec, const std::string& path, Warnings& warnings);

}  // namespace orrery
