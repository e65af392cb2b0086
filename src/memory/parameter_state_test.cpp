#include "memory/parameter_state.hpp"

#include <gtest/gtest.h>

namespace orrery::core::parameter_state_test {
namespace {

TEST(ParameterState, bytes_per_parameter) {
  const auto total = [](Optimizer optimizer, Precision precision) {
    return bytes_per_parameter(optimizer, precision).total();
  };
  EXPECT_EQ(total(Optimizer::adam, Precision::mixed), 16);
  EXPECT_EQ(total(Optimizer::adam, Precision::mixed_fp32_gradients), 18);
  EXPECT_EQ(total(Optimizer::adam, Precision::fp32), 16);
  EXPECT_EQ(total(Optimizer::momentum, Precision::fp32), 12);
  EXPECT_EQ(total(Optimizer::momentum, Precision::mixed), 12);
  EXPECT_EQ(total(Optimizer::sgd, Precision::fp32), 8);
}

// Figure 1 of the ZeRO paper: 7.5 billion parameters, Adam in mixed precision, 64 ranks.
TEST(ParameterState, zero) {
  const auto gigabytes = [](int stage) {
    return parameter_state(7.5e9, Optimizer::adam, Precision::mixed, {stage, 64}).total() / 1e9;
  };
  EXPECT_NEAR(gigabytes(0), 120, 0.05);
  EXPECT_NEAR(gigabytes(1), 31.4, 0.05);
  EXPECT_NEAR(gigabytes(2), 16.6, 0.05);
  EXPECT_NEAR(gigabytes(3), 1.9, 0.05);
}

TEST(ParameterState, sharding_divides_what_its_stage_says) {
  const ParameterState state = parameter_state(1000, Optimizer::adam, Precision::mixed, {2, 4});
  EXPECT_EQ(state.weights, 2000);
  EXPECT_EQ(state.gradients, 500);
  EXPECT_EQ(state.optimizer, 3000);
}

}  // namespace
}  // namespace orrery::core::parameter_state_test
