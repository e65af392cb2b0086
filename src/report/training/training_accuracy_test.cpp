#include "report/training/training_accuracy.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <set>

namespace orrery::core::training_accuracy_test {
namespace {

// Predicts the interval of each measured run from those of other sources, and returns the share that it
// holds.
double coverage_without_own_source(const MeasuredErrors& measured) {
  std::set<std::string> sources;
  for (const MeasuredError& error : measured.all()) sources.insert(error.source);
  double held = 0, all = 0;
  for (const std::string& source : sources) {
    std::vector<MeasuredError> others;
    for (const MeasuredError& error : measured.all())
      if (error.source != source) others.push_back(error);
    const MeasuredErrors known(measured.properties(), others);
    for (const MeasuredError& error : measured.all()) {
      if (error.source != source || error.of.words.front() != "generic") continue;
      const ErrorInterval interval = known.interval_for(error.of, usual_interval_share);
      const double ratio = std::exp(error.log_ratio);
      held += interval.low <= ratio && ratio <= interval.high;
      ++all;
    }
  }
  return held / all;
}

// docs/models/accuracy.md says so.
TEST(TrainingAccuracy, intervals_hold_eight_of_ten_runs_of_sources_that_they_do_not_know) {
  const double coverage = coverage_without_own_source(step_errors_for(TrainingSetup()));
  EXPECT_GE(coverage, 0.75);
  EXPECT_LE(coverage, 0.85);
}

}  // namespace
}  // namespace orrery::core::training_accuracy_test
