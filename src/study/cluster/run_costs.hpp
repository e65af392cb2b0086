// Estimates for how long runs of a sweep are simulated, from a few that were.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "study/space/sweep_space.hpp"

namespace orrery::core {

struct MeasuredRun {
  SweepPoint point;
  double seconds = 0;
};

// The time of a run is taken for a product: of a usual time and of a factor for the value of each key,
//   log seconds = usual + sum over keys of effect[key][value].
// An effect is the mean, over the measured runs with this value, of what the other terms leave of log
// seconds. As these depend on each other, each is worked out again until they no longer change (backfitting:
// Buja, Hastie and Tibshirani, 1989), which is the fit of least squares. A value that was not measured has an
// effect of none.
class RunCosts {
 public:
  explicit RunCosts(const std::vector<MeasuredRun>& measured);

  // Returns the seconds of a run. Where nothing was measured this is a minute for each.
  double seconds_of(const SweepPoint& point) const;

 private:
  double usual_;                                        // log seconds
  std::vector<std::map<std::string, double>> effects_;  // by key, then by the text of the value
};

}  // namespace orrery::core
