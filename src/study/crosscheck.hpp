// Runs an experiment with every model of the network that applies, and says what each makes of it.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "report/table.hpp"
#include "study/experiment.hpp"

namespace orrery {

// A run with one model.
struct CheckedRun {
  std::string run;
  std::string_view model;           // as of `network-model`; "library": the closed forms of one
  std::string why_not;              // why the model does not apply; then the rest is not known
  Time total;                       // until the last rank has ended
  double ratio = 0;                 // of `total` to that of the run's finest model
  Time exposed;                     // communication that the ranks wait for
  std::string layer;                // that waits longest for communication; empty: none, or not known
  std::string link;                 // the busiest one, "npu0 to leaf0"; empty: nothing is known of links
  double link_use = 0;              // its busy time by the time of the run
  std::string_view beyond_coarser;  // as of NetworkModelKind
  std::uint64_t events = 0;
  Time wall;  // that the simulation took
};
extern const Table<CheckedRun> crosscheck_table;

// Returns the models of each run from the coarsest to the finest. `told` is called before each simulation
// with what it will be. Throws StallError, and InputError where a run is wrong whatever the model.
std::vector<CheckedRun> crosscheck(const Experiment& experiment, Warnings& warnings,
                                   const StepListener& told);

// Returns a table for people, and why the models of a run differ.
std::string crosscheck_text(const std::vector<CheckedRun>& runs);

}  // namespace orrery
