// The layer table of models/gpt3.yaml.

#include <gtest/gtest.h>

#include <cmath>
#include <string>
#include <utility>
#include <vector>

#include "workload/models/model_catalogue.hpp"
#include "workload/models/network_layer_table.hpp"

namespace orrery::core::gpt3_table_test {
namespace {

using Choices = std::vector<ParameterChoice>;

const LayerTableOptions tutorial{.flops_per_second = 62 * 0x1p40};
const Choices three_layers{{"transformer-layers", 3, {}}};  // on groups of 16 NPUs

LayerTable gpt3(const Choices& choices, const LayerTableOptions& options = tutorial) {
  return layer_table_of(find_model("gpt3", {}, no_files(), choices), options);
}

std::int64_t ns_of(double operations) {
  return std::llround(operations / (62 * 0x1p40) * 1e9);
}

TEST(Gpt3, a_block_follows_the_formulas) {
  const LayerTable table = gpt3(three_layers);
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
  const LayerTable table = gpt3({{"transformer-layers", 2, {}}});
  EXPECT_EQ(table.policy, TrainingPolicy::hybrid_transformer_fwd_in_bckwd);
  EXPECT_EQ(table.model_parallel_group, 16);
  EXPECT_EQ(table.checkpoints, (std::vector<int>{0, 9}));
  EXPECT_EQ(table.initiators, (std::vector<int>{17, 8}));
  EXPECT_EQ(table.layers[table.checkpoints[1]].name, "Q2");
  EXPECT_EQ(table.layers[table.initiators[0]].name, "layerNorm2");
}

TEST(Gpt3, all_of_it_has_175_billion_parameters) {
  // 50'257 words, made a multiple of 16
  const LayerTable table = gpt3({{"transformer-layers", 96, {}}, {"vocabulary", 50'256, {}}});
  std::uint64_t elements = 0;
  for (const Layer& layer : table.layers) elements += layer.weight_gradient.size.count() / 2;
  EXPECT_NEAR(static_cast<double>(elements) * 16, 175e9, 1e9);
}

TEST(Gpt3, refuses_bad_options) {
  const auto error_with =
      [](const std::vector<std::pair<const char*, std::uint64_t>>& values) -> std::string {
    Choices choices = three_layers;
    for (const auto& [name, value] : values) choices.push_back({name, value, {"x.yaml", 4, 2}});
    try {
      gpt3(choices);
    } catch (const InputError& error) {
      return error.what();
    }
    return "no error";
  };
  EXPECT_EQ(error_with({{"heads", 112}}),
            "x.yaml:4:2: error: `hidden` has to be a multiple of heads, but 12288 is not a "
            "multiple of 112");
  EXPECT_EQ(
      error_with({{"heads", 100}}),
      "x.yaml:4:2: error: `heads` has to be a multiple of tensor-parallel, but 100 is not a multiple of 16");
  EXPECT_EQ(error_with({{"batch", 0}}), "x.yaml:4:2: error: `batch` has to be from 1 to 16777216, not 0");
  EXPECT_NE(error_with({{"tensor-parallel", 5}}).find("tensor-parallel"), std::string::npos);
  EXPECT_NE(error_with({{"vocabulary", 36'001}}).find("vocabulary"), std::string::npos);
  EXPECT_NE(error_with({{"sequence", 0}}).find("sequence"), std::string::npos);
  EXPECT_NE(error_with({{"hidden", 0}}).find("hidden"), std::string::npos);
  EXPECT_NE(error_with({{"batch", 1 << 24}, {"sequence", 1 << 24}}).find("2^53"), std::string::npos);
  EXPECT_THROW(gpt3({{"transformer-layers", 10'001, {}}}), InputError);
  EXPECT_THROW(gpt3(three_layers, {}), InputError);
  EXPECT_THROW(gpt3(three_layers, {.flops_per_second = 1e12, .bytes_per_element = 0}), InputError);
}

}  // namespace
}  // namespace orrery::core::gpt3_table_test
