// Measures whether intervals of predictions hold what they promise.
#pragma once

#include <cmath>
#include <set>
#include <string>
#include <vector>

#include "report/accuracy/measured_errors.hpp"

namespace orrery::core::test {

// Predicts the interval of each measured run for which `counts` is true from the runs of other sources, and
// returns the share of these runs that lie in theirs.
template <class Counts>
double coverage_without_own_source(const MeasuredErrors& measured, Counts counts) {
  std::set<std::string> sources;
  for (const MeasuredError& error : measured.all()) sources.insert(error.source);
  double held = 0, all = 0;
  for (const std::string& source : sources) {
    std::vector<MeasuredError> others;
    for (const MeasuredError& error : measured.all())
      if (error.source != source) others.push_back(error);
    const MeasuredErrors known(measured.properties(), others);
    for (const MeasuredError& error : measured.all()) {
      if (error.source != source || !counts(error)) continue;
      const ErrorInterval interval = known.interval_for(error.of, usual_interval_share);
      const double ratio = std::exp(error.log_ratio);
      held += interval.low <= ratio && ratio <= interval.high;
      ++all;
    }
  }
  return held / all;
}

}  // namespace orrery::core::test
