// Simulates an experiment's runs side by side, writes their results and shows them.
#pragma once

#include <optional>
#include <string>

#include "cli/commands.hpp"
#include "cli/flags/network_model_flag.hpp"
#include "study/experiment/experiment.hpp"

namespace orrery::core {

struct ExperimentOptions {
  CommandLine command;             // that asked for it
  std::string output = "results";  // folder for the experiment's own
  int threads = 1;
  bool json = false;   // print the summary as JSON
  bool quiet = false;  // print nothing but messages
  // Reports of single runs, as in ReportChoice; empty: as the file says.
  std::string reports;
  std::string timeline;              // formats, as in timelines_of_flag(); empty: as the file says
  bool fold = true;                  // fold where that is exact
  bool explain = false;              // say how each run was simulated
  bool allow_out_of_memory = false;  // a model that does not fit its device is a warning
  NetworkModelFlag network_model;    // model of all runs, whatever the experiment says
};

// A run that fails is reported on stderr and in the results, and does not keep others from running. Returns
// the worst outcome of all runs. Throws InputError when results cannot be written.
ExitCode simulate_experiment(const Experiment& experiment, const ExperimentOptions& options);

}  // namespace orrery::core
