#include "workload/generate/gemm_table.hpp"

#include <gtest/gtest.h>

namespace orrery::core::gemm_table_test {
namespace {

// Tells the three products of a layer apart.
class DigitsModel : public ComputeModel {
 public:
  OperatorCost cost(const Operator& op) const override {
    const Gemm gemm = std::get<Gemm>(op.work);
    OperatorCost cost;
    cost.seconds = static_cast<double>(gemm.m * 10000 + gemm.n * 100 + gemm.k) * 1e-9;
    return cost;
  }
};

const std::vector<MnkLayer> layers{{"a", {33, 20, 7, 1}, TrainingPolicy::data, {"mnk.csv", 2, 1}},
                                   {"b", {32, 20, 7, 1}, TrainingPolicy::model, {"mnk.csv", 3, 1}}};

GemmTableOptions options_of(bool compat_astra1) {
  GemmTableOptions options;
  options.policy = TrainingPolicy::hybrid_customized;
  options.machine = {4, 1, 2};
  options.compat_astra1 = compat_astra1;
  return options;
}

TEST(GemmTable, EachStepHasItsTime) {
  Warnings warnings;
  const LayerTable table = gemm_table(layers, DigitsModel(), options_of(false), warnings);
  ASSERT_EQ(table.layers.size(), 2u);
  EXPECT_EQ(table.layers[0].forward.compute, Time::from_ns(92007));
  EXPECT_EQ(table.layers[0].input_gradient.compute, Time::from_ns(90720));
  EXPECT_EQ(table.layers[0].weight_gradient.compute, Time::from_ns(72009));
  EXPECT_EQ(table.layers[1].forward.compute, Time::from_ns(320507));
  EXPECT_EQ(table.layers[1].policy, TrainingPolicy::model);
  ASSERT_EQ(warnings.lines().size(), 1u);
  EXPECT_TRUE(warnings.lines()[0].starts_with("mnk.csv:2:1: warning: layer `a`: 33 x 20"));
}

TEST(GemmTable, TheOriginalHasOneTimeAndLosesRemainders) {
  Warnings warnings;
  const LayerTable table = gemm_table(layers, DigitsModel(), options_of(true), warnings);
  EXPECT_EQ(table.layers[0].forward.compute, Time::from_ns(72008));
  EXPECT_EQ(table.layers[0].input_gradient.compute, Time::from_ns(72008));
  EXPECT_EQ(write_as_astra1_generator(table),
            "HYBRID_CUSTOMIZED\n2\n"
            "a\t-1\t 72008\tNONE\t0\t 72008\tNONE\t0\t 72008\tALLREDUCE\t280\t100\tDATA\n"
            "b\t-1\t 70532\tALLGATHER\t320\t 70532\tREDUCESCATTER\t448\t 70532\tNONE\t0\t100\tMODEL");
}

}  // namespace
}  // namespace orrery::core::gemm_table_test
