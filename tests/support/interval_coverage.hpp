// Measures whether intervals of predictions hold what they promise.
#pragma once

#include <cmath>
#include <set>
#include <string>
#include <vector>

#include "report/accuracy/measured_errors.hpp"

namespace orrery::core::test {

struct Coverage {
  double held = 0, all = 0;  // numbers of runs

  double share() const { return held / all; }
};

// Predicts the interval of each measured run for which `counts` is true from the runs of other sources, and
// returns how many of these runs lie in theirs.
template <class Counts>
Coverage coverage_without_own_source(const MeasuredErrors& measured, Counts counts) {
  std::set<std::string> sources;
  for (const MeasuredError& error : measured.all()) sources.insert(error.source);
  Coverage coverage;
  for (const std::string& source : sources) {
    std::vector<MeasuredError> others;
    for (const MeasuredError& error : measured.all())
      if (error.source != source) others.push_back(error);
    const MeasuredErrors known(measured.properties(), others);
    for (const MeasuredError& error : measured.all()) {
      if (error.source != source || !counts(error)) continue;
      const ErrorInterval interval = known.interval_for(error.of, usual_interval_share);
      const double ratio = std::exp(error.log_ratio);
      coverage.held += interval.low <= ratio && ratio <= interval.high;
      ++coverage.all;
    }
  }
  return coverage;
}

}  // namespace orrery::core::test
