// Reads the results of earlier runs back from summary.json, as far as they are compared with others.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "report/origin.hpp"
#include "report/summary.hpp"

namespace orrery {

struct StoredRun {
  std::string run;  // its name
  // Its name is what tables call the run, which whoever compares runs may change. Only what summary.json
  // tells is known.
  Summary summary;
  std::string network_model;  // in words; empty where no messages are simulated
  Origin origin;
  std::vector<BusiestLinks> links =
      {};  // all of them, from links.csv, if whoever reads the run has that, too
};

// Returns the runs in their order, of an experiment or of execution traces. Throws InputError.
std::vector<StoredRun> read_stored_runs(std::string_view text, const std::string& file);

}  // namespace orrery
