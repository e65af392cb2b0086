// The keys of experiment files. They say which of them change nothing in which kind of run, so that nothing
// that a user writes is ignored.
#pragma once

#include <array>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "base/dialect.hpp"
#include "base/input/keys.hpp"
#include "network/network_models.hpp"
#include "network/network_options.hpp"
#include "study/experiment/pieces/named_definitions.hpp"
#include "study/run/run_spec.hpp"
#include "topology/graph/changes/link_change_kinds.hpp"

namespace orrery::core {

// The values that a run, or the top of the file, gives. Nodes are null where a key is left out.
struct ExperimentValues {
  const InputNode* name = nullptr;
  const Dialect* dialect = &native_dialect;
  int passes = 1;
  double compute_scale = 1, communication_scale = 1, injection_scale = 1;
  double interval = usual_interval_share;
  const InputNode* network_model = nullptr;  // null: the model that suits the network
  const InputNode *stragglers = nullptr, *compute_jitter = nullptr, *slow_links = nullptr;
  TimelineFormats timelines{&csv_timeline};
  const InputNode *routing = nullptr, *relay = nullptr, *route_seed = nullptr, *hash_seeds = nullptr,
                  *link_history = nullptr, *message_times = nullptr, *packets = nullptr;
  std::array<const InputNode*, link_change_kinds.size()> link_changes = {};  // one for each kind
  std::array<const InputNode*, network_option_kinds.size()> options = {};    // one for each kind
  const InputNode *network = nullptr, *system = nullptr, *workload = nullptr, *device = nullptr,
                  *platform = nullptr;
  // Pieces that runs can use by name.
  const InputNode *networks = nullptr, *systems = nullptr, *workloads = nullptr, *platforms = nullptr;
  const InputNode *runs = nullptr, *sweep = nullptr, *objectives = nullptr, *comparisons = nullptr,
                  *reports = nullptr;
};

// Read the keys of the whole file, or of one of its runs. Throw InputError.
void read_experiment_keys(const InputNode& document, ExperimentValues& values);
void read_run_keys(const InputNode& run, ExperimentValues& values);

// Returns every key that the file may have, e.g. "passes", "network[].bandwidth",
// "system.collectives.all-reduce". Keys below networks.<name> and the like and below runs[] are listed once,
// without that prefix.
std::vector<KeyPath> experiment_file_keys();
// Returns the keys that begin with `first`, one of the document's own keys. Without `first` it returns these.
// Finding the keys of all workloads takes longer than many simulations.
std::vector<KeyPath> experiment_file_keys(std::string_view first);

// Returns what messages call a kind of runs in which a declaration says that a key means nothing.
std::string_view name_of_run_kind(int kind);

class UnusedKeys {
 public:
  // Takes the systems that runs use by name. Null: there are none.
  void take_systems(const InputNode* systems);

  // `run` is the map of a run, and `document` that of the experiment, from which the run takes what it leaves
  // out. They are the same where the experiment is a single run. Throws InputError at the first key that
  // changes nothing.
  void refuse(const RunSpec& spec, const InputNode& run, const InputNode& document);

  // Returns whether a key means something to the run's network and its model, where `fault` says why it does
  // not. Throws that unless the run has the key from the document, where others may use it.
  bool has_meaning(std::string_view key, const InputNode& run, const InputFault& fault);

  // Must be called when all runs have been read. Throws InputError at a key of the document that no run uses.
  void refuse_unused() const;

 private:
  static bool names(const InputNode& run, std::string_view key);
  void refuse_in_system(RunKind kind, const InputNode& run, const InputNode& document);

  NamedDefinitions systems_{"systems"};

  // Errors of runs that do not use a key of the document, by key.
  std::map<std::string_view, InputError> unused_;
  std::set<std::string_view> used_;     // keys that another run uses
  std::set<std::string_view> ignored_;  // keys that the run which is being read ignores
};

}  // namespace orrery::core
