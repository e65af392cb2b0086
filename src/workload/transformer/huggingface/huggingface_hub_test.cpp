// Models on Hugging Face have the numbers of parameters that their cards tell, but for what a Transformer
// cannot say.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "workload/transformer/huggingface/huggingface_config.hpp"

namespace orrery::core::huggingface_hub_test {
namespace {

struct Model {
  const char* name;
  const char* type;
  const char* keys;  // that differ from the usual values of the type
  std::uint64_t parameters;
  std::int64_t counted_more = 0;  // than there are
};

Transformer read(const std::string& type, const std::string& keys) {
  Warnings warnings;
  return read_huggingface_config("{\"model_type\": \"" + type + "\"" + keys + "}", "c.json", warnings);
}

TEST(HuggingfaceHub, ModelsHaveTheParametersOfTheirCards) {
  for (
      const Model& model : std::vector<Model>{
          {"SmolLM3-3B", "smollm3", "", 3'075'098'624},
          {"GLM-4-9B-0414", "glm4", "", 9'400'279'040},
          {"ERNIE-4.5-0.3B", "ernie4_5", "", 360'748'032},
          {"XGLM-564M", "xglm", "", 564'463'616},
          {"Seed-OSS-36B", "seed_oss", R"(, "hidden_size": 5120)", 36'151'104'512},
          {"EXAONE-4.0-1.2B", "exaone4",
           R"(, "hidden_size": 2048, "intermediate_size": 4096, "num_hidden_layers": 30, "head_dim": 64,
               "num_key_value_heads": 8, "tie_word_embeddings": true)",
           1'279'391'488},
          {"InternLM2-7B", "internlm2",
           R"(, "intermediate_size": 14336, "num_key_value_heads": 8, "vocab_size": 92544, "bias": false)",
           7'737'708'544},
          {"InternLM3-8B", "internlm3",
           R"(, "intermediate_size": 10240, "num_hidden_layers": 48, "num_key_value_heads": 2, "head_dim": 128)",
           8'804'241'408},
          {"Baichuan2-13B", "baichuan",
           R"(, "hidden_size": 5120, "intermediate_size": 13696, "num_hidden_layers": 40,
               "num_attention_heads": 40, "vocab_size": 125696, "model_max_length": 4096)",
           13'896'668'160},
          {"dots.llm1", "dots1",
           R"(, "hidden_size": 4096, "n_routed_experts": 128, "n_shared_experts": 2, "num_experts_per_tok": 6,
               "first_k_dense_replace": 1)",
           142'774'381'696},
          {"Hunyuan-A13B", "hunyuan_v1_moe",
           R"(, "intermediate_size": 3072, "num_key_value_heads": 8, "head_dim": 128, "vocab_size": 128167,
               "num_experts": 64, "moe_topk": [8, 8], "tie_word_embeddings": true)",
           80'393'183'232},
          {"Qwen2.5-Omni-7B, its language model", "qwen2_5_omni_text", "", 7'615'616'512},
          // Norms of all heads together, of which one of a head's width is counted.
          {"Olmo-3-7B", "olmo3", R"(, "vocab_size": 100278)", 7'298'011'136, -32 * (2 * 4096 - 2 * 128)},
          // Two numbers of each activation, xIELU.
          {"Apertus-8B", "apertus", R"(, "num_key_value_heads": 8, "intermediate_size": 21504)",
           8'053'338'176, -32 * 2},
          // Norms inside attention and MLP.
          {"BitNet-b1.58-2B-4T", "bitnet", R"(, "tie_word_embeddings": true)", 2'412'820'480,
           -30 * (2560 + 6912)},
          // A bias of the head; and one norm in each layer, of which two are counted.
          {"CodeGen-350M", "codegen", R"(, "n_embd": 1024, "n_layer": 20, "vocab_size": 51200)", 356'712'448,
           20 * 2 * 1024 - 51200},
      })
    EXPECT_EQ(transformer_parameters(read(model.type, model.keys)).total(),
              model.parameters + static_cast<std::uint64_t>(model.counted_more))
        << model.name;
}

// A layer: 4 x 2560^2 of attention, 2 or 3 x 2560 x the MLP's width, 2 x 2560 of norms.
TEST(HuggingfaceHub, UsualModelsWithoutCards) {
  EXPECT_EQ(transformer_parameters(read("helium", "")).total(), 2'172'643'840U);
  EXPECT_EQ(transformer_parameters(read("arcee", "")).total(), 4'022'766'080U);
  EXPECT_FALSE(read("arcee", "").gated);
  EXPECT_EQ(read("arcee", "").activation, Activation::squared_relu);
  EXPECT_FALSE(read("persimmon", "").gated);
  EXPECT_TRUE(read("persimmon", "").query_key_norm);
  EXPECT_TRUE(read("hunyuan_v1_dense", "").query_key_norm);
  EXPECT_TRUE(read("glm", "").biases.qkv);
  EXPECT_FALSE(read("glm4_moe", "").biases.qkv);
}

std::string layers_with_experts(const Transformer& model) {
  std::string text;
  for (std::uint64_t layer = 0; layer < model.layers; ++layer) text += model.has_experts(layer) ? 'x' : '-';
  return text;
}

TEST(HuggingfaceHub, ExpertsOfErnieStandInARangeOfLayers) {
  EXPECT_EQ(layers_with_experts(read("ernie4_5_moe", R"(, "num_hidden_layers": 4)")), "-xxx");
  EXPECT_EQ(layers_with_experts(read("ernie4_5_moe", R"(, "num_hidden_layers": 8, "moe_layer_interval": 2,
                                                        "moe_layer_start_index": 3)")),
            "---x-x-x");
  Warnings warnings;
  read_huggingface_config(R"({"model_type": "ernie4_5_moe", "moe_layer_end_index": 20})", "c.json", warnings);
  EXPECT_NE(warnings.lines().at(0).find("`moe_layer_end_index` is 20"), std::string::npos);
}

TEST(HuggingfaceHub, WidthsOfLatentAttentionDifferByType) {
  const Transformer model = read("glm4_moe_lite", "");
  EXPECT_EQ(model.head_width, 256U);
  EXPECT_EQ(model.latent->value_width, 256U);
  EXPECT_EQ(model.latent->query_rank, 768U);
  EXPECT_EQ(model.moe->dense_layers, 1U);
  EXPECT_EQ(layers_with_experts(read("glm4_moe_lite", R"(, "num_hidden_layers": 4,
                                      "mlp_layer_types": ["dense", "dense", "sparse", "sparse"])")),
            "--xx");
}

TEST(HuggingfaceHub, ListsOfSizesCountTheLargest) {
  Warnings warnings;
  const Transformer model = read_huggingface_config(
      R"({"model_type": "hunyuan_v1_moe", "num_experts": [16, 64, 16], "moe_topk": [8, 8, 8]})", "c.json",
      warnings);
  EXPECT_EQ(model.moe->experts, 64U);
  EXPECT_EQ(model.moe->experts_per_token, 8U);
  EXPECT_NE(warnings.lines().at(0).find("`num_experts`"), std::string::npos);
}

}  // namespace
}  // namespace orrery::core::huggingface_hub_test
