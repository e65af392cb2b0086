#include "compute/measured/measured_model.hpp"

#include <gtest/gtest.h>

#include <memory>

namespace orrery::core::measured_model_test {
namespace {

// 1 s and 10 FLOP for everything.
class OneSecond final : public ComputeModel {
 public:
  OperatorCost cost(const Operator&) const override {
    return {1, 10, 0, 0, OperatorCost::Bound::compute, 0.5};
  }
};

double seconds(const std::string& table, const Gemm& gemm, Datatype type = Datatype::fp16) {
  const MeasuredModel model(read_shape_table("m,n,k,batch,datatype,time_us\n" + table, "t.csv"),
                            Datatype::fp16, std::make_shared<OneSecond>());
  return model.cost({"", gemm, type}).seconds;
}

TEST(MeasuredModel, MeasuredShapesTakeTheirMean) {
  EXPECT_DOUBLE_EQ(seconds("8,8,8,1,fp16,3\n8,8,8,1,fp16,5\n8,8,8,2,fp16,99\n", {8, 8, 8}), 4e-6);
}

// Halfway in logarithms between 100 and 400, so twice 10 us.
TEST(MeasuredModel, BetweenNeighboursOfOneExtent) {
  EXPECT_NEAR(seconds("100,8,8,1,fp16,10\n400,8,8,1,fp16,40\n", {200, 8, 8}), 20e-6, 1e-15);
  const std::string far = "2,8,8,1,fp16,1\n20000,8,8,1,fp16,2\n";
  EXPECT_NEAR(seconds(far + "200,4,8,1,fp16,30\n200,16,8,1,fp16,30\n", {200, 8, 8}), 30e-6, 1e-15)
      << "the closest pair counts";
}

TEST(MeasuredModel, ElseTheRateOfTheClosest) {
  EXPECT_NEAR(seconds("8,8,8,1,fp16,10\n800,800,800,1,fp16,1000\n", {16, 16, 8, 3}), 10e-6 * 2 * 2 * 3,
              1e-15);
}

TEST(MeasuredModel, ElseTheOtherModel) {
  EXPECT_EQ(seconds("8,8,8,1,fp16,10\n", {8, 8, 8}, Datatype::fp32), 1);
  const MeasuredModel model(read_shape_table("m,n,k,time_us\n8,8,8,2\n", "t.csv"), Datatype::fp16,
                            std::make_shared<OneSecond>());
  EXPECT_EQ(model.cost({"", Elementwise{1, 1, 1}, Datatype::fp16}).seconds, 1);
  const OperatorCost cost = model.cost({"", Gemm{8, 8, 8}, Datatype::fp16});
  EXPECT_EQ(cost.flops, 10);
  EXPECT_DOUBLE_EQ(cost.utilization, 0.5 / 2e-6);
}

TEST(MeasuredModel, RowsNeedTimes) {
  EXPECT_THROW(MeasuredModel(read_shape_table("m,n,k\n1,1,1\n", "t.csv"), Datatype::fp16,
                             std::make_shared<OneSecond>()),
               InputError);
}

}  // namespace
}  // namespace orrery::core::measured_model_test
