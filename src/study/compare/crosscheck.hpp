// Runs an experiment with every network model that applies, and shows what each of them says.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "report/table/table.hpp"
#include "study/experiment/experiment.hpp"

namespace orrery::core {

// A run with one model.
struct CheckedRun {
  std::string run;
  std::string_view model;           // as in `network-model`; "library": the closed forms of a library
  std::string why_not;              // why the model does not apply; then the rest is not known
  Time total;                       // until the last rank has ended
  double ratio = 0;                 // ratio of `total` to that of the run's finest model
  Time exposed;                     // communication that the ranks wait for
  std::string layer;                // layer that waits longest for communication; empty: none, or not known
  std::string link;                 // the busiest link, "npu0 to leaf0"; empty: nothing is known about links
  double link_use = 0;              // busy time of that link as a share of the time of the run
  std::string_view beyond_coarser;  // as in NetworkModelKind
  std::uint64_t events = 0;
  Time wall;  // time that the simulation took
};
extern const Table<CheckedRun> crosscheck_table;

// Returns the models of each run from the coarsest to the finest. `told` is called before each simulation
// with a description of it. Throws StallError, and InputError where a run is wrong whatever the model.
std::vector<CheckedRun> crosscheck(const Experiment& experiment, Warnings& warnings,
                                   const StepListener& told);

// Returns a table for people, and the reasons why the models of a run differ.
std::string crosscheck_text(const std::vector<CheckedRun>& runs);

}  // namespace orrery::core
