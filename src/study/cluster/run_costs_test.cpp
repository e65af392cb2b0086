#include "study/cluster/run_costs.hpp"

#include <gtest/gtest.h>

#include <memory>

namespace orrery::core::run_costs_test {

namespace {

SweepPoint point_of(const std::vector<std::string>& texts) {
  SweepPoint point;
  for (const std::string& text : texts) {
    SweptValue value;
    value.text = text;
    point.values.push_back(std::make_shared<const SweptValue>(value));
  }
  return point;
}

// Where a time is a product of one factor for each key, runs that were not measured are told exactly, also if
// each value was measured with one value of the other key alone.
TEST(RunCosts, TellAProductFromAFewRuns) {
  const auto seconds = [](double size, double model) { return 0.5 * size * model * model; };
  std::vector<MeasuredRun> measured{{point_of({"1", "1"}), seconds(1, 1)},
                                    {point_of({"1", "3"}), seconds(1, 3)},
                                    {point_of({"2", "1"}), seconds(2, 1)},
                                    {point_of({"8", "1"}), seconds(8, 1)}};
  const RunCosts costs(measured);
  for (const double size : {1, 2, 8})
    for (const double model : {1, 3})
      EXPECT_NEAR(costs.seconds_of(point_of(
                      {std::to_string(static_cast<int>(size)), std::to_string(static_cast<int>(model))})) /
                      seconds(size, model),
                  1, 1e-6)
          << size << ' ' << model;
}

TEST(RunCosts, KnowNothingOfValuesThatWereNotMeasured) {
  const RunCosts costs({{point_of({"a"}), 4}, {point_of({"b"}), 9}});
  EXPECT_NEAR(costs.seconds_of(point_of({"c"})), 6, 1e-9);  // the geometric mean of 4 and 9
}

TEST(RunCosts, AreAMinuteWhereNothingWasMeasured) {
  EXPECT_NEAR(RunCosts({}).seconds_of(point_of({"a", "b"})), 60, 1e-9);
}

TEST(RunCosts, CopeWithARunThatTookNoTime) {
  EXPECT_GT(RunCosts({{point_of({"a"}), 0}}).seconds_of(point_of({"a"})), 0);
}

}  // namespace

}  // namespace orrery::core::run_costs_test
