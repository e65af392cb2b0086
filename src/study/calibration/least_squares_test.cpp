#include "study/calibration/least_squares.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace orrery::core::least_squares_test {
namespace {

constexpr double step = 0.001;
const std::vector<double> places{0, 1, 2, 3, 4, 5};

// Measurements 3 + 2 x, of which every second one is 0.1 too large and every other 0.1 too small.
double measured(double x) {
  return 3 + 2 * x + (static_cast<int>(x) % 2 == 0 ? 0.1 : -0.1);
}

// The closed form of linear regression: slope s = S_xy / S_xx, and its variance s^2 / S_xx with n - 2
// degrees.
TEST(LeastSquares, FindsALineAndItsErrors) {
  const LeastSquaresFit fit = least_squares(
      [](const std::vector<double>& line) {
        std::vector<double> residuals;
        for (const double x : places) residuals.push_back(line[0] + line[1] * x - measured(x));
        return residuals;
      },
      {0, 0}, {{-100, 100}, {-100, 100}}, step);
  double mean = 0, products = 0, squares = 0, mean_measured = 0;
  for (const double x : places) mean += x / 6, mean_measured += measured(x) / 6;
  for (const double x : places) {
    products += (x - mean) * (measured(x) - mean_measured);
    squares += (x - mean) * (x - mean);
  }
  const double slope = products / squares;
  // The fit ends where a thousandth of the squares could still be won.
  EXPECT_NEAR(fit.values[1], slope, 1e-5);
  EXPECT_NEAR(fit.values[0], mean_measured - slope * mean, 1e-5);
  double sum = 0;
  for (const double residual : fit.residuals) sum += residual * residual;
  EXPECT_NEAR(fit.errors[1], std::sqrt(sum / 4 / squares), 1e-6);
}

// A line is linear, so that what the fit says of measurements left out is what fits without them miss.
TEST(LeastSquares, KnowsWhatFitsWithoutAMeasurementMiss) {
  const auto line_without = [](double left_out) {
    return least_squares(
        [&](const std::vector<double>& line) {
          std::vector<double> residuals;
          for (const double x : places)
            if (x != left_out) residuals.push_back(line[0] + line[1] * x - measured(x));
          return residuals;
        },
        {0, 0}, {{-100, 100}, {-100, 100}}, step);
  };
  double sum = 0;
  for (const double x : places) {
    const std::vector<double> line = line_without(x).values;
    sum += std::pow(line[0] + line[1] * x - measured(x), 2);
  }
  EXPECT_NEAR(line_without(-1).left_out, sum / 6, 1e-6);
}

TEST(LeastSquares, FindsTheExponentOfACurve) {
  const LeastSquaresFit fit = least_squares(
      [](const std::vector<double>& values) {
        std::vector<double> residuals;
        for (const double x : places) residuals.push_back(std::exp(values[0] * x) - std::exp(0.7 * x));
        return residuals;
      },
      {0.1}, {{-1, 2}}, 1e-6);
  EXPECT_NEAR(fit.values[0], 0.7, 1e-4);
}

// Only the sum of the two values counts, so that the second is not told beside the first, nor is a third one
// on which nothing depends.
TEST(LeastSquares, SaysWhatTheMeasurementsDoNotTell) {
  const LeastSquaresFit fit = least_squares(
      [](const std::vector<double>& values) {
        std::vector<double> residuals;
        for (const double x : places) residuals.push_back((values[0] + values[1]) * x - measured(x));
        return residuals;
      },
      {1, 1, 1}, {{0, 100}, {0, 100}, {0, 100}}, step);
  EXPECT_LT(fit.errors[0], 1);
  EXPECT_TRUE(std::isinf(fit.errors[1]));
  EXPECT_TRUE(std::isinf(fit.errors[2]));
}

TEST(LeastSquares, StaysWithinBoundsAndKnowsNoErrorOfASingleMeasurement) {
  const LeastSquaresFit fit =
      least_squares([](const std::vector<double>& values) { return std::vector<double>{values[0] - 7}; }, {1},
                    {{0, 5}}, step);
  EXPECT_EQ(fit.values[0], 5);
  EXPECT_TRUE(std::isinf(fit.errors[0]));
}

}  // namespace
}  // namespace orrery::core::least_squares_test
