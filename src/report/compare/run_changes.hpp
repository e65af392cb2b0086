// Says what changes from one run to another: in the inputs, in what the time goes to, in layers and in links.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "report/summary/summary.hpp"
#include "report/table/table.hpp"

namespace orrery::core {

// An input that differs between two runs.
struct InputChange {
  std::string key, before, after;  // `before` and `after` are empty where a run lacks the key
};
extern const Table<InputChange> input_change_table;

struct TimeChange {
  std::string what;
  Time before, after;
};
extern const Table<TimeChange> time_change_table;

struct LayerChange {
  std::string layer;
  Time compute_before, compute_after;
  Time exposed_before, exposed_after;

  // Returns how much longer the layer takes the program.
  Time change() const { return compute_after - compute_before + (exposed_after - exposed_before); }
};
extern const Table<LayerChange> layer_change_table;

// A link, or the busiest links of a dimension.
struct LinkUseChange {
  std::string dimension;
  std::string before, after;  // ends of the links; empty where a run lacks them
  double use_before = 0, use_after = 0;
  Time busy_before = {}, busy_after = {};  // zero where it is not known

  // Returns the change of the share of the time in which it is busy.
  double change() const { return use_after - use_before; }
  // Returns whether it is known to be busy for as long in both runs. Then its share changes only because one
  // of the runs is longer.
  bool is_as_busy() const;
};
extern const Table<LinkUseChange> link_change_table;

struct RunChanges {
  std::string before, after;  // names of the runs
  Time total_before, total_after;
  int passes_before = 1, passes_after = 1;  // training iterations in these times
  std::vector<InputChange> inputs;
  std::vector<TimeChange> times;    // parts of the time until NPU 0 ends, or of the mean over all NPUs
  std::vector<LayerChange> layers;  // layers that change, the largest changes first
  // Links that are busy for longer or shorter come first, and among those and the others the largest changes.
  std::vector<LinkUseChange> links;
};

// `links_before` and `links_after` are all links of the runs. Unless both are given, the busiest links of
// each dimension are compared, which summaries know.
RunChanges changes_between(const Summary& before, const Summary& after, std::vector<InputChange> inputs,
                           const std::vector<BusiestLinks>& links_before = {},
                           const std::vector<BusiestLinks>& links_after = {});

// `unicode` draws with block characters, else with ASCII.
std::string text_of(const RunChanges& changes, bool unicode);
nlohmann::ordered_json to_json(const RunChanges& changes);

}  // namespace orrery::core
