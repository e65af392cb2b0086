#include "workload/generate/layer_split.hpp"

#include <gtest/gtest.h>

namespace orrery::core::layer_split_test {
namespace {

constexpr SplitMachine sixteen_in_two{16, 2, 2};
constexpr Gemm gemm{1600, 3200, 100, 1};

LayerSplit split(TrainingPolicy policy, const Gemm& whole = gemm, Remainder remainder = Remainder::computed) {
  return split_layer("layer", whole, policy, sixteen_in_two, remainder, {});
}

// Rows and features of an NPU, and its three collectives' sizes; 0 where there is none.
struct Expected {
  TrainingPolicy policy;
  std::uint64_t m, n;
  std::uint64_t all_gather, reduce_scatter, all_reduce;
};

TEST(LayerSplit, CutsRowsAndFeatures) {
  for (const Expected& expected :
       {Expected{TrainingPolicy::data, 100, 3200, 0, 0, 3200 * 100 * 2},
        Expected{TrainingPolicy::model, 1600, 200, 1600 * 3200 * 2 / 16, 1600 * 100 * 2, 0},
        Expected{TrainingPolicy::hybrid_data_model, 800, 400, 1600 * 3200 * 2 / 16, 1600 * 100 * 2 / 2,
                 3200 * 100 * 2 / 8},
        Expected{TrainingPolicy::hybrid_model_data, 200, 1600, 1600 * 3200 * 2 / 16, 1600 * 100 * 2 / 8,
                 3200 * 100 * 2 / 2}}) {
    const LayerSplit s = split(expected.policy);
    EXPECT_TRUE(s.even);
    EXPECT_EQ(s.forward.gemm, (Gemm{expected.m, expected.n, 100, 1}));
    EXPECT_EQ(s.input_gradient.gemm, (Gemm{expected.m, 100, expected.n, 1}));
    EXPECT_EQ(s.weight_gradient.gemm, (Gemm{100, expected.n, expected.m, 1}));
    EXPECT_EQ(s.forward.size.count(), expected.all_gather);
    EXPECT_EQ(s.input_gradient.size.count(), expected.reduce_scatter);
    EXPECT_EQ(s.weight_gradient.size.count(), expected.all_reduce);
    EXPECT_EQ(s.forward.collective.has_value(), expected.all_gather > 0);
    EXPECT_EQ(s.input_gradient.collective.has_value(), expected.reduce_scatter > 0);
    EXPECT_EQ(s.weight_gradient.collective.has_value(), expected.all_reduce > 0);
  }
}

TEST(LayerSplit, RemaindersAreComputedOrLost) {
  const Gemm uneven{100, 101, 3, 1};
  EXPECT_EQ(split(TrainingPolicy::data, uneven).forward.gemm.m, 7u);
  EXPECT_EQ(split(TrainingPolicy::data, uneven, Remainder::lost).forward.gemm.m, 6u);
  EXPECT_EQ(split(TrainingPolicy::hybrid_data_model, uneven).forward.gemm.n, 13u);
  EXPECT_FALSE(split(TrainingPolicy::data, uneven).even);
  EXPECT_FALSE(split(TrainingPolicy::hybrid_data_model, uneven, Remainder::lost).even);
  // Sizes are those of the whole layer, rounded down.
  EXPECT_EQ(split(TrainingPolicy::model, uneven).forward.size.count(), 100u * 101 * 2 / 16);
}

TEST(LayerSplit, NobodyMayBeLeftWithNothing) {
  EXPECT_THROW(split(TrainingPolicy::data, {15, 100, 1, 1}), InputError);
  EXPECT_NO_THROW(split(TrainingPolicy::data, {16, 1, 1, 1}));
  EXPECT_THROW(split(TrainingPolicy::model, {100, 15, 1, 1}, Remainder::lost), InputError);
}

TEST(LayerSplit, TensorsFitALayerTable) {
  const std::uint64_t many = std::uint64_t{1} << 32;
  EXPECT_THROW(split(TrainingPolicy::data, {16, many, many, 1}), InputError);
  EXPECT_THROW(split(TrainingPolicy::data, {16, many, many >> 11, 1}), InputError);
  EXPECT_NO_THROW(split(TrainingPolicy::data, {16, many, many >> 12, 1}));
}

}  // namespace
}  // namespace orrery::core::layer_split_test
