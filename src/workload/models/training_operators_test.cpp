#include "workload/models/training_operators.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <string_view>

#include "workload/models/model_catalogue.hpp"

namespace orrery::core::training_operators_test {
namespace {

const NetworkLayer& layer_of(const NeuralNetwork& network, std::string_view name) {
  const auto found = std::find_if(network.layers.begin(), network.layers.end(),
                                  [&](const NetworkLayer& layer) { return layer.name == name; });
  if (found == network.layers.end()) throw InputError({}, "no layer " + std::string(name));
  return *found;
}

template <class Work>
Work only(const std::vector<Operator>& operators) {
  EXPECT_EQ(operators.size(), 1u);
  return std::get<Work>(operators.at(0).work);
}

TEST(TrainingOperators, convolution) {
  const NeuralNetwork network = find_model("alexnet", {}, no_files(), {{"batch", 2, {}}});
  const NetworkLayer& conv1 = layer_of(network, "conv1");
  EXPECT_EQ(only<Convolution>(forward_operators(conv1, Datatype::fp16)), (Convolution{.height = 227,
                                                                                      .width = 227,
                                                                                      .channels = 3,
                                                                                      .filters = 96,
                                                                                      .filter_height = 11,
                                                                                      .filter_width = 11,
                                                                                      .stride_height = 4,
                                                                                      .stride_width = 4,
                                                                                      .batch = 2}));
  EXPECT_TRUE(input_gradient_operators(conv1, Datatype::fp16).empty());  // only images come in
  EXPECT_EQ(only<Gemm>(weight_gradient_operators(conv1, Datatype::fp16)), (Gemm{363, 96, 2 * 55 * 55}));
}

TEST(TrainingOperators, fully_connected) {
  const NeuralNetwork network = find_model("alexnet", {}, no_files(), {{"batch", 8, {}}});
  const NetworkLayer& fc8 = layer_of(network, "fc8");
  EXPECT_EQ(only<Gemm>(forward_operators(fc8, Datatype::fp32)), (Gemm{8, 1000, 4096}));
  EXPECT_EQ(only<Gemm>(input_gradient_operators(fc8, Datatype::fp32)), (Gemm{8, 4096, 1000}));
  EXPECT_EQ(only<Gemm>(weight_gradient_operators(fc8, Datatype::fp32)), (Gemm{4096, 1000, 8}));
  EXPECT_EQ(forward_operators(fc8, Datatype::fp32)[0].type, Datatype::fp32);
}

// Half of the rows are left of a product under a causal mask, and both of its factors get a gradient.
TEST(TrainingOperators, attention) {
  const NeuralNetwork network = find_model(
      "gpt3", {}, no_files(),
      {{"transformer-layers", 1, {}}, {"batch", 2, {}}, {"sequence", 100, {}}, {"tensor-parallel", 8, {}}});
  const NetworkLayer& scores = layer_of(network, "QK1");
  EXPECT_EQ(only<Gemm>(forward_operators(scores, Datatype::bf16)), (Gemm{50, 100, 128, 24}));
  EXPECT_EQ(input_gradient_operators(scores, Datatype::bf16).size(), 2u);
  EXPECT_TRUE(weight_gradient_operators(scores, Datatype::bf16).empty());
}

TEST(TrainingOperators, layers_without_products_pass_over_their_data) {
  const NeuralNetwork network = find_model("resnet50", {}, no_files());
  const NetworkLayer& norm = layer_of(network, "batch-norm1");
  const std::uint64_t n = 64 * 112 * 112;
  EXPECT_EQ(only<Elementwise>(forward_operators(norm, Datatype::fp32)), (Elementwise{4.0 * n, 2 * n, n}));
  EXPECT_EQ(only<Elementwise>(input_gradient_operators(norm, Datatype::fp32)),
            (Elementwise{7.0 * n, 3 * n, n}));
  EXPECT_TRUE(input_gradient_operators(layer_of(network, "add1"), Datatype::fp32).empty());
  const NetworkLayer& pool = layer_of(network, "max-pool1");
  EXPECT_EQ(only<Elementwise>(input_gradient_operators(pool, Datatype::fp32)),
            (Elementwise{9.0 * n / 4, n / 4 + n, n}));
}

TEST(TrainingOperators, recommendation) {
  const NeuralNetwork network = find_model("dlrm", {}, no_files(), {{"batch", 4, {}}, {"pooling", 3, {}}});
  const NetworkLayer& embedding = layer_of(network, "embedding");
  const std::uint64_t out = 4 * 26 * 16;
  EXPECT_EQ(only<Elementwise>(forward_operators(embedding, Datatype::fp32)),
            (Elementwise{3.0 * out, 3 * out, out}));
  EXPECT_TRUE(input_gradient_operators(embedding, Datatype::fp32).empty());
  EXPECT_EQ(only<Gemm>(forward_operators(layer_of(network, "interaction"), Datatype::fp32)),
            (Gemm{27, 27, 16, 4}));
  EXPECT_EQ(layer_of(network, "top1").input.channels, 16u + 27 * 26 / 2);
  EXPECT_TRUE(input_gradient_operators(layer_of(network, "bottom1"), Datatype::fp32).empty());
  EXPECT_EQ(input_gradient_operators(layer_of(network, "bottom2"), Datatype::fp32).size(), 1u);
}

}  // namespace
}  // namespace orrery::core::training_operators_test
