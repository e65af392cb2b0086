// Reads the results of earlier runs back from summary.json, as far as they are compared with those of other
// runs.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/input/input_node.hpp"
#include "report/summary/origin.hpp"
#include "report/summary/summary.hpp"

namespace orrery::core {

struct StoredRun {
  std::string run;  // name of the run
  // The name in the summary is what tables call the run; whoever compares runs may change it. Only what
  // summary.json tells is known.
  Summary summary;
  std::string network_model;  // in words; empty where no messages are simulated
  Origin origin;
  std::vector<BusiestLinks> links =
      {};  // all links, from links.csv, if whoever reads the run has that file, too
  // The document of the run's experiment, with its overrides. Null: it is in the first of the origin's
  // inputs.
  std::shared_ptr<const InputNode> document = nullptr;
};

// Returns the runs of an experiment or of execution traces, in their order. Throws InputError.
std::vector<StoredRun> read_stored_runs(std::string_view text, const std::string& file);

}  // namespace orrery::core
