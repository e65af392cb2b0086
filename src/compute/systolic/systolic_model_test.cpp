#include "compute/systolic/systolic_model.hpp"

#include <gtest/gtest.h>

#include "base/diagnostics/diagnostics.hpp"

namespace orrery::core::systolic_model_test {
namespace {

TEST(SystolicModel, CyclesTakeTheirTime) {
  SystolicArray array;
  array.frequency = 700e6;
  const OperatorCost cost = SystolicModel(array).cost({"a", Gemm{1024, 1024, 1024, 1}, Datatype::bf16});
  EXPECT_DOUBLE_EQ(cost.seconds, (16.0 * (1024 + 3 * 256 - 2) - 1) / 700e6);
  EXPECT_EQ(cost.flops, 2.0 * 1024 * 1024 * 1024);
  EXPECT_EQ(cost.bytes_read, 2.0 * 2 * 1024 * 1024);
  EXPECT_EQ(cost.bytes_written, 2.0 * 4 * 1024 * 1024);  // partial sums
  EXPECT_EQ(cost.bound, OperatorCost::Bound::compute);
}

// Peaks of public chips: 2 operations per unit and cycle.
TEST(SystolicModel, LargeProductsReachThePeak) {
  SystolicArray tpu_v4;
  tpu_v4.rows = tpu_v4.columns = 128;
  tpu_v4.arrays = 8;
  tpu_v4.frequency = 1050e6;
  const OperatorCost cost = SystolicModel(tpu_v4).cost({"a", Gemm{1 << 24, 1024, 1024, 1}, Datatype::bf16});
  EXPECT_NEAR(cost.flops / cost.seconds, 275e12, 1e12);
  EXPECT_NEAR(cost.utilization, 1, 0.001);
}

TEST(SystolicModel, ConvolutionsKeepTheirWindowsInside) {
  Convolution c;
  c.height = c.width = 28;
  c.filter_height = c.filter_width = 5;
  c.stride_height = c.stride_width = 2;
  EXPECT_EQ(SystolicModel({}).cost({"c", c, Datatype::fp16}).flops, 2.0 * 12 * 12 * 25);
}

TEST(SystolicModel, ElementwiseOperatorsNeedABandwidth) {
  const Operator op{"norm", Elementwise{100, 3000, 1000}, Datatype::fp16};
  EXPECT_THROW(SystolicModel({}).cost(op), InputError);
  SystolicArray array;
  array.bandwidth = 10;
  EXPECT_DOUBLE_EQ(SystolicModel(array).cost(op).seconds, 300e-9);
}

}  // namespace
}  // namespace orrery::core::systolic_model_test
