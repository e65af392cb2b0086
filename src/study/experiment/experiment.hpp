// The native experiment file: one or several runs described in YAML. docs/inputs/ documents every key.
#pragma once

#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "base/diagnostics/diagnostics.hpp"
#include "base/files/file_loader.hpp"
#include "report/compare/run_comparisons.hpp"
#include "report/summary/origin.hpp"
#include "study/experiment/idle_keys.hpp"
#include "study/experiment/pieces/piece_cache.hpp"
#include "study/experiment/report_choice.hpp"
#include "study/experiment/run_keys.hpp"
#include "study/experiment/varied_keys.hpp"
#include "study/run/run_spec.hpp"
#include "study/space/yaml_sweep.hpp"

namespace orrery::core {

struct Experiment {
  std::string name;
  SourceLocation where;  // the place of its name
  std::vector<RunSpec> runs;
  VariedKeys varied;  // keys in which these runs differ
  Origin origin;      // the seeds and overrides; whoever reads the files knows the command and the files
  ReportChoice reports;
  std::vector<RunComparison> comparisons;
  std::vector<Objective> objectives;
  std::shared_ptr<const Extensions> extensions;  // what plug-ins add; null: nothing
};

std::set<std::string> names_of_runs(const Experiment& experiment);

// `file` is where `text` came from: errors name it, and files named in the experiment are relative to its
// folder. `overrides` are "key=value" as in --set, applied before the file is interpreted (see
// overrides.hpp). A network model is that of all runs then, whatever the file and the overrides say.
Experiment read_experiment(std::string_view text, const std::string& file,
                           const std::vector<std::string>& overrides, Warnings& warnings,
                           const FileLoader& load, std::optional<NetworkModel> network_model = {});

// Reads what was not written in a file but put together in code. `file` stands for the whole of it: its
// folder is that of the files named in the experiment, and its stem is the name of an experiment that has
// none.
Experiment read_experiment(InputNode document, const std::string& file,
                           const std::vector<std::string>& overrides, Warnings& warnings,
                           const FileLoader& load, std::optional<NetworkModel> network_model = {});

// Return what read_experiment() interprets: the document with its overrides, and with a network model that
// all runs have. An empty word leaves the runs their own models.
InputNode experiment_document(InputNode document, const std::vector<std::string>& overrides,
                              std::string_view network_model);
InputNode experiment_document(std::string_view text, const std::string& file,
                              const std::vector<std::string>& overrides);

// What the runs of an experiment make of its keys.
struct KeyUse {
  UnusedKeys unused;
  IdleKeys idle;
};

// Reads the run of a sweep. `document` has the values of the run, and `own` names those of its entries that
// belong to it alone. Runs that are read with one cache share their pieces, also on several threads.
RunSpec read_swept_run(const InputNode& document, const std::vector<std::string>& own,
                       const std::string& name, const SourceLocation& where, const std::string& file,
                       Warnings& warnings, const FileLoader& load, PieceCache& cache, KeyUse& use);

// Interprets only one run of a document. Where there are no `runs`, its name is that of the experiment.
RunSpec read_one_run(const InputNode& document, const std::string& file, const std::string& run,
                     Warnings& warnings, const FileLoader& load);

}  // namespace orrery::core
