#include "report/training/training_accuracy.hpp"

#include <gtest/gtest.h>

#include "support/interval_coverage.hpp"

namespace orrery::core::training_accuracy_test {
namespace {

// docs/models/accuracy.md says so.
TEST(TrainingAccuracy, intervals_hold_eight_of_ten_runs_of_sources_that_they_do_not_know) {
  const double coverage = test::coverage_without_own_source(
      step_errors_for(TrainingSetup()),
      [](const MeasuredError& error) { return error.of.words.front() == "generic"; });
  EXPECT_GE(coverage, 0.75);
  EXPECT_LE(coverage, 0.85);
}

}  // namespace
}  // namespace orrery::core::training_accuracy_test
