#include "workload/models/gpt3.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <string>
#include <vector>

namespace orrery {
namespace {

// The first three layers, on groups of 16 NPUs.
const Gpt3Options tutorial{.flops_per_second = 62 * 0x1p40, .transformer_layers = 3};

std::int64_t ns_of(double operations) {
  return std::llround(operations / (62 * 0x1p40) * 1e9);
}

TEST(Gpt3, a_block_follows_the_formulas) {
  const LayerTable table = gpt3(tutorial);
  ASSERT_EQ(table.layers.size(), 3u * 9 + 1);
  std::vector<std::string> names;
  for (std::size_t i = 9; i < 18; ++i) names.push_back(table.layers[i].name);
  EXPECT_EQ(names, (std::vector<std::string>{"Q2", "K2", "V2", "QK2", "softmax2", "concat2", "X2W1b1",
                                             "X2W2b2", "layerNorm2"}));
  // M = 16 * 2048 = 32'768 tokens, h = 12'288, a sixteenth of the columns: h/16 = 768.
  const double m = 32'768, h = 12'288;
  const Layer &q = table.layers[0], &qk = table.layers[3], &concat = table.layers[5], &up = table.layers[6],
              &down = table.layers[7], &norm = table.layers[8], &projection = table.layers[27];
  EXPECT_EQ(q.forward.compute.whole_ns(), ns_of(2 * m * h * 768));
  EXPECT_EQ(q.forward.compute.whole_ns(), 9'072'581);  // 618'475'290'624 / 68'169'720'922'112 s
  EXPECT_EQ(qk.forward.compute.whole_ns(), ns_of(16.0 * 6 * 2048 * 2048 * 128));
  EXPECT_EQ(up.forward.compute.whole_ns(), ns_of(2 * m * h * 4 * 768));
  EXPECT_EQ(norm.forward.compute.whole_ns(), ns_of(2 * m * h));
  EXPECT_EQ(projection.forward.compute.whole_ns(), ns_of(2 * m * h * 2250));  // 36'000 / 16 words

  const Bytes activations(32'768ull * 12'288 * 2);
  EXPECT_EQ(q.input_gradient.collective, CollectiveKind::all_reduce);
  EXPECT_EQ(q.input_gradient.size, activations);
  EXPECT_EQ(q.weight_gradient.size, Bytes(12'288 * 768 * 2));
  EXPECT_FALSE(qk.forward.collective || qk.input_gradient.collective || qk.weight_gradient.collective);
  EXPECT_EQ(concat.forward.size, activations);
  EXPECT_EQ(concat.input_gradient.collective, CollectiveKind::all_gather);
  EXPECT_EQ(concat.input_gradient.size, activations / 16);
  EXPECT_EQ(up.input_gradient.size, activations);
  EXPECT_EQ(down.forward.size, activations);
  EXPECT_EQ(down.weight_gradient.size, Bytes(4 * 12'288 * 768 * 2));
  EXPECT_EQ(projection.forward.collective, CollectiveKind::all_gather);
  EXPECT_EQ(projection.forward.size, Bytes(32'768 * 2250 * 2));
  EXPECT_EQ(projection.weight_gradient.size, Bytes(12'288 * 2250 * 2));
}

TEST(Gpt3, recomputation_follows_the_blocks) {
  Gpt3Options options = tutorial;
  options.transformer_layers = 2;
  const LayerTable table = gpt3(options);
  EXPECT_EQ(table.policy, TrainingPolicy::hybrid_transformer_fwd_in_bckwd);
  EXPECT_EQ(table.model_parallel_group, 16);
  EXPECT_EQ(table.checkpoints, (std::vector<int>{0, 9}));
  EXPECT_EQ(table.initiators, (std::vector<int>{17, 8}));
  EXPECT_EQ(table.layers[table.checkpoints[1]].name, "Q2");
  EXPECT_EQ(table.layers[table.initiators[0]].name, "layerNorm2");
}

TEST(Gpt3, all_of_it_has_175_billion_parameters) {
  Gpt3Options options = tutorial;
  options.transformer_layers = 96;
  options.vocabulary = 50'256;  // 50'257 words, a multiple of 16
  std::uint64_t elements = 0;
  for (const Layer& layer : gpt3(options).layers) elements += layer.weight_gradient.size.count() / 2;
  EXPECT_NEAR(static_cast<double>(elements) * 16, 175e9, 1e9);
}

TEST(Gpt3, refuses_bad_options) {
  const auto error_with = [](auto change) -> std::string {
    Gpt3Options options = tutorial;
    options.where = {"x.yaml", 4, 2};
    change(options);
    try {
      gpt3(options);
    } catch (const InputError& error) {
      return error.what();
    }
    return "no error";
  };
  EXPECT_EQ(error_with([](auto& o) { o.heads = 100; }),
            "x.yaml:4:2: error: hidden has to be a multiple of heads, but 12288 is not a multiple of 100");
  EXPECT_NE(error_with([](auto& o) { o.tensor_parallel = 5; }).find("tensor-parallel"), std::string::npos);
  EXPECT_NE(error_with([](auto& o) { o.vocabulary = 36'001; }).find("vocabulary"), std::string::npos);
  EXPECT_NE(error_with([](auto& o) { o.transformer_layers = 0; }).find("transformer-layers"),
            std::string::npos);
  EXPECT_NE(error_with([](auto& o) { o.batch = 0; }).find("batch"), std::string::npos);
  EXPECT_NE(error_with([](auto& o) { o.sequence = -1; }).find("sequence"), std::string::npos);
  EXPECT_NE(error_with([](auto& o) { o.hidden = 0; }).find("hidden"), std::string::npos);
  EXPECT_NE(error_with([](auto& o) { o.flops_per_second = 0; }).find("peak"), std::string::npos);
  EXPECT_NE(error_with([](auto& o) { o.bytes_per_element = 0; }).find("byte"), std::string::npos);
  EXPECT_NE(error_with([](auto& o) { o.batch = o.sequence = 1 << 24; }).find("8 PiB"), std::string::npos);
}

}  // namespace
}  // namespace orrery
