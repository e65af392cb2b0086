#include "compute/operator.hpp"

#include <gtest/gtest.h>

#include "compute/device_file.hpp"
#include "compute/roofline/roofline_model.hpp"
#include "compute/systolic/systolic_model.hpp"

namespace orrery::core::operator_test {
namespace {

constexpr Attention llama{
    .queries = 8192, .keys = 8192, .heads = 32, .kv_heads = 8, .width = 128, .value_width = 128};

Attention backward(Attention attention) {
  attention.backward = true;
  return attention;
}

// Dao, "FlashAttention-2", 2023, section 4.1: 4 s^2 d heads forward, 2.5 times as many backward, half with a
// causal mask.
TEST(FusedAttention, operations) {
  const double forward = 4.0 * 8192 * 8192 * 128 * 32;
  EXPECT_EQ(flops_of(llama), forward);
  EXPECT_EQ(flops_of(backward(llama)), 2.5 * forward);
  Attention causal = llama;
  causal.causal = true;
  EXPECT_EQ(flops_of(causal), forward / 2);
  Attention latent = llama;  // queries are wider than values
  latent.width = 192;
  EXPECT_EQ(flops_of(latent), 2.0 * 8192 * 8192 * 32 * (192 + 128));
  EXPECT_EQ(flops_of(backward(latent)), 2.0 * 8192 * 8192 * 32 * (3 * 192 + 2 * 128));
}

TEST(FusedAttention, reads_operands_and_writes_results_only) {
  const double q = 8192.0 * 32 * 128, kv = 2 * 8192.0 * 8 * 128;
  EXPECT_EQ(elements_read(llama), q + kv);
  EXPECT_EQ(elements_written(llama), q);
  EXPECT_EQ(elements_read(backward(llama)), q + kv + 2 * q);
  EXPECT_EQ(elements_written(backward(llama)), q + kv);
}

// The paper measures 50 to 73 % of an A100's peak.
TEST(FusedAttention, on_a_gpu) {
  const RooflineModel model(find_device("a100", {}, no_files()));
  const OperatorCost cost = model.cost({"", llama, Datatype::fp16});
  EXPECT_EQ(cost.flops, flops_of(llama));
  EXPECT_EQ(cost.bytes_read, 2 * elements_read(llama));
  EXPECT_EQ(cost.bound, OperatorCost::Bound::compute);
  EXPECT_GT(cost.utilization, 0.5);
  EXPECT_LT(cost.utilization, 0.73);
  Attention one_query = llama;
  one_query.queries = 1;
  EXPECT_EQ(model.cost({"", one_query, Datatype::fp16}).bound, OperatorCost::Bound::memory);
}

TEST(FusedAttention, on_a_systolic_array_is_one_product_after_another) {
  const SystolicModel model(SystolicArray{});
  const Attention a{.queries = 64, .keys = 32, .heads = 4, .kv_heads = 4, .width = 16, .value_width = 8};
  const auto seconds = [&](const auto& work) { return model.cost({"", work, Datatype::fp16}).seconds; };
  EXPECT_DOUBLE_EQ(seconds(a), seconds(Gemm{64, 32, 16, 4}) + seconds(Gemm{64, 8, 32, 4}));
  EXPECT_EQ(model.cost({"", backward(a), Datatype::fp16}).flops, flops_of(backward(a)));
}

}  // namespace
}  // namespace orrery::core::operator_test
