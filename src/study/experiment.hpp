// The native experiment file: one or several runs described in YAML. docs/inputs.md documents every key.
#pragma once

#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "base/diagnostics.hpp"
#include "base/file.hpp"
#include "report/run_comparisons.hpp"
#include "study/report_choice.hpp"
#include "study/run_spec.hpp"

namespace orrery {

struct Experiment {
  std::string name;
  SourceLocation where;  // the place of its name
  std::vector<RunSpec> runs;
  ReportChoice reports;
  std::vector<RunComparison> comparisons;
};

std::set<std::string> names_of_runs(const Experiment& experiment);

// `file` is where `text` came from: errors name it, and files named in the experiment are relative to its
// folder. `overrides` are "key=value" as in --set, applied before the file is interpreted (see
// overrides.hpp).
Experiment read_experiment(std::string_view text, const std::string& file,
                           const std::vector<std::string>& overrides, Warnings& warnings,
                           const FileLoader& load = read_text_file);

// Every key the reader knows, e.g. "passes", "network[].bandwidth", "system.collectives.all-reduce". What
// stands below networks.<name>, systems.<name>, workloads.<name> and runs[] is listed once, without that
// prefix.
std::vector<std::string> experiment_file_keys();
// Those that begin with `first`, one of the document's own keys; without it, these. Finding the keys of all
// workloads takes longer than many a simulation.
std::vector<std::string> experiment_file_keys(std::string_view first);

}  // namespace orrery
