#include "study/calibration/fitted_constants.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace orrery::core::fitted_constants_test {
namespace {

// A step computes products for a time, passes over its data for a time, and exchanges for a time.
struct Work {
  double products, passes, exchange;
};

// Steps whose times follow from constants of a stack, as they would without overlap.
class MadeSteps final : public Measurements {
 public:
  MadeSteps(std::vector<Work> work, const ConstantValues& truth, const std::vector<double>& noise)
      : work_(std::move(work)) {
    for (std::size_t i = 0; i < work_.size(); ++i)
      measured_.push_back(seconds(work_[i], truth) * noise[i % noise.size()]);
    stack_.elementwise_slowdown = 2;
  }

  std::string described() const override { return "made steps"; }
  std::size_t rows() const override { return work_.size(); }
  std::string row_name(std::size_t row) const override { return std::to_string(row); }
  std::span<const Constant> constants() const override { return step_constants(); }
  ConstantsOf machine() const override { return {nullptr, nullptr, &stack_}; }
  std::vector<double> errors(const ConstantValues& values, const StepListener& tell) const override {
    std::vector<double> errors;
    for (std::size_t i = 0; i < work_.size(); ++i)
      errors.push_back(std::log(seconds(work_[i], values) / measured_[i]));
    if (tell) tell(rows(), rows(), "steps");
    return errors;
  }

 private:
  static double seconds(const Work& work, const ConstantValues& values) {
    return work.products * values[0] + work.passes * values[1] + work.exchange / values[2];
  }

  std::vector<Work> work_;
  std::vector<double> measured_;
  SoftwareStack stack_;
};

const std::vector<Work> varied{{9, 1, 1}, {5, 3, 1}, {5, 1, 6}, {4, 4, 4}, {8, 1, 3},
                               {6, 2, 5}, {3, 3, 1}, {7, 4, 2}, {2, 2, 7}, {9, 3, 3}};
const ConstantValues truth{1.3, 4, 0.7, 0.7, 0};
const std::vector<double> scatter{1.01, 0.99, 0.995, 1.005, 1};

TEST(Calibration, FindsTheConstantsThatRowsTell) {
  const Calibration found = calibrate(MadeSteps(varied, truth, scatter));
  ASSERT_EQ(found.constants.size(), truth.size());
  for (std::size_t i = 0; i < 3; ++i) {
    const FittedConstant& constant = found.constants[i];
    EXPECT_TRUE(constant.is_fitted()) << constant.constant->key << ": " << constant.why_not;
    ASSERT_TRUE(constant.error) << constant.constant->key;
    EXPECT_LT(*constant.error, 0.1);
    EXPECT_NEAR(constant.after / truth[i], 1, 3 * *constant.error) << constant.constant->key;
  }
  // Nothing depends on the efficiency of sharding, which then moves with that of exchanges, and nothing on
  // the host's time, which stays.
  EXPECT_FALSE(found.constants[3].is_fitted());
  EXPECT_DOUBLE_EQ(found.constants[3].after, found.constants[2].after);
  EXPECT_FALSE(found.constants[4].is_fitted());
  EXPECT_EQ(found.constants[4].after, 0);
  EXPECT_LT(median_error(found.after), 0.01);
  EXPECT_GT(median_error(found.before), 0.2);
}

TEST(Calibration, OneRowMovesOneFactor) {
  const Calibration found = calibrate(MadeSteps({{9, 1, 1}}, truth, {1}));
  EXPECT_TRUE(found.constants[0].is_fitted());
  EXPECT_FALSE(found.constants[0].error) << "a single row has no scatter";
  for (std::size_t i = 1; i < found.constants.size(); ++i) EXPECT_FALSE(found.constants[i].is_fitted());
  EXPECT_DOUBLE_EQ(found.constants[1].after / 2, found.constants[0].after)
      << "other operators are slower by the same factor";
  EXPECT_NEAR(found.after[0], 0, 1e-4);
}

std::vector<Work> with_less_exchange(double factor) {
  std::vector<Work> work = varied;
  for (Work& step : work) step.exchange /= factor;
  return work;
}

// A tenth of the exchange is told with an error of a third. Rows that a fit leaves out are predicted better
// with the constant where it is far from what it was, and better without it where it is what it was.
TEST(Calibration, KeepsWhatIsHardlyToldOnlyWhereItPredicts) {
  const auto scattered = [](double by) {
    return std::vector<double>{1 + by, 1 - by, 1 - by / 2, 1 + by / 2, 1};
  };
  const Calibration far =
      calibrate(MadeSteps(with_less_exchange(10), {1.3, 4, 0.35, 0.35, 0}, scattered(0.09)));
  EXPECT_TRUE(far.constants[2].is_fitted()) << far.constants[2].why_not;
  EXPECT_GT(*far.constants[2].error, 0.25);
  const Calibration near = calibrate(MadeSteps(with_less_exchange(10), {1.3, 4, 1, 1, 0}, scattered(0.06)));
  EXPECT_FALSE(near.constants[2].is_fitted());
  EXPECT_EQ(near.constants[2].after, 1);
}

// In all of these steps products and passes take equal times, so that only one of the two can be told.
TEST(Calibration, RefusesWhatRowsCannotTellApart) {
  const Calibration found = calibrate(
      MadeSteps({{4, 2, 1}, {2, 1, 3}, {6, 3, 1}, {8, 4, 9}, {4, 2, 7}, {2, 1, 1}}, truth, scatter));
  EXPECT_TRUE(found.constants[0].is_fitted());
  EXPECT_FALSE(found.constants[1].is_fitted());
  EXPECT_TRUE(found.constants[2].is_fitted());
  EXPECT_NE(found.constants[1].why_not, "");
}

TEST(Calibration, MedianErrorIsAShareEitherWay) {
  EXPECT_NEAR(median_error({std::log(1.1), -std::log(1.1), 0}), 0.1, 1e-12);
  EXPECT_NEAR(median_error({0, std::log(1.2)}), 0.1, 1e-12);
}

}  // namespace
}  // namespace orrery::core::fitted_constants_test
