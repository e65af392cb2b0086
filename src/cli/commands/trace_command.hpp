// Implements `orrery run` with the files of ASTRA-sim 2: execution traces on a machine.
#pragma once

#include <CLI/CLI.hpp>
#include <array>
#include <string>
#include <vector>

#include "cli/flags/astra1_flags.hpp"
#include "cli/flags/network_model_flag.hpp"
#include "cli/flags/route_flags.hpp"
#include "cli/runs/experiment_run.hpp"
#include "cli/runs/run_explanations.hpp"
#include "network/network_options.hpp"

namespace orrery::core {

// The flags that ASTRA-sim 2 has besides those of 1.0.
struct TraceFlags {
  std::string memory, groups = "empty", logging = "empty", logging_folder = "log", library,
                      order = "dependencies", logical_topology;
  bool real_collectives = false;
  RouteFlags routes;
  std::string packets;
  std::array<std::string, network_option_kinds.size()> network_options;

  void add_to(CLI::App& command);
  bool any_given() const;

 private:
  std::vector<const CLI::Option*> options_;
};

// Returns whether the flags name the files of ASTRA-sim 2, judging by what the system file holds.
bool names_traces(const Astra1Flags& flags, const TraceFlags& trace_flags, const FileLoader& load);

// Says what is wrong with the run without simulating it. Throws InputError when its files cannot be read.
ExitCode validate_traces(const Astra1Flags& flags, const TraceFlags& trace_flags,
                         const NetworkModelFlag& model);

// Simulates the traces, and writes critical-path.csv and blame.csv with `--path` in front of their names.
RunExplanations explain_traces(const Astra1Flags& flags, const TraceFlags& trace_flags,
                               const NetworkModelFlag& model);

ExitCode run_traces(const Astra1Flags& flags, const TraceFlags& trace_flags,
                    const ExperimentOptions& options);

}  // namespace orrery::core
