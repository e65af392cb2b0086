// Simulates runs, and writes and shows their critical paths.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "study/experiment/experiment.hpp"

namespace orrery::core {

struct RunExplanations {
  std::string text;                // text for a terminal
  nlohmann::ordered_json runs;     // shares of each path
  std::vector<std::string> files;  // files that were written
};

// Returns the files of explained runs. `prefix` stands in front of every file's name.
std::vector<std::string> files_of_paths(const std::string& prefix);

// Writes critical-path.csv and blame.csv into `<output>/<experiment>/`. `names` are those of runs; empty:
// all. Throws InputError, before anything is written where a run is at fault, and StallError.
RunExplanations explain_experiment(const Experiment& experiment, const std::vector<std::string>& names,
                                   const std::string& output, Warnings& warnings);

// Writes the same files for one run, with `path` and the run's name in front of their names. Throws the same.
RunExplanations explain_run(const RunSpec& spec, const std::string& path, Warnings& warnings);

}  // namespace orrery::core
