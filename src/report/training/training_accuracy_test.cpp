#include "report/training/training_accuracy.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <set>
#include <string>
#include <utility>

#include "support/interval_coverage.hpp"

namespace orrery::core::training_accuracy_test {
namespace {

bool is_generic(const MeasuredError& error) {
  return error.of.words.front() == "generic";
}

// docs/models/accuracy.md says so.
TEST(TrainingAccuracy, intervals_hold_eight_of_ten_runs_of_sources_that_they_do_not_know) {
  const test::Coverage all = test::coverage_without_own_source(step_errors_for(TrainingSetup()), is_generic);
  EXPECT_GE(all.share(), 0.75);
  EXPECT_LE(all.share(), 0.85);
}

// Runs of one kind of device, in or across nodes, of one kind of model or of numbers: each share is as near
// to eight of ten as chance lets expect of so many runs, which is two standard deviations of the binomial.
TEST(TrainingAccuracy, intervals_hold_eight_of_ten_runs_of_each_kind) {
  const MeasuredErrors& measured = step_errors_for(TrainingSetup());
  const auto kind_of = [](const MeasuredError& error, std::size_t property) {
    return property > 0 ? error.of.words[property]
                        : fmt::format("devices of {:.0f} TFLOP/s", std::exp(error.of.logarithms[0]) * 1e-12);
  };
  std::set<std::pair<std::size_t, std::string>> kinds;
  for (const MeasuredError& error : measured.all())
    if (is_generic(error))
      for (std::size_t i = 0; i < error.of.words.size(); ++i) kinds.emplace(i, kind_of(error, i));
  std::size_t looked_at = 0;
  for (const std::pair<std::size_t, std::string>& kind : kinds) {
    const test::Coverage coverage =
        test::coverage_without_own_source(measured, [&](const MeasuredError& error) {
          return is_generic(error) && kind_of(error, kind.first) == kind.second;
        });
    if (coverage.all < 20) continue;
    ++looked_at;
    const double deviation = std::sqrt(0.8 * 0.2 / coverage.all);
    EXPECT_NEAR(coverage.share(), 0.8, 2 * deviation) << kind.second << ", " << coverage.all << " runs";
  }
  EXPECT_GE(looked_at, 9U);
}

}  // namespace
}  // namespace orrery::core::training_accuracy_test
