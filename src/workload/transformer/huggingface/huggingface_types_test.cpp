// Configurations of each family of types, with numbers of parameters that were added up by hand.
#include "workload/transformer/huggingface/huggingface_types.hpp"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "workload/transformer/catalogue/transformer_catalogue.hpp"
#include "workload/transformer/huggingface/huggingface_config.hpp"

namespace orrery::core::huggingface_types_test {
namespace {

struct ReadModel {
  Transformer model;
  std::vector<std::string> warnings;
};

ReadModel read(const std::string& text) {
  Warnings warnings;
  Transformer model = read_huggingface_config(text, "c.json", warnings);
  return {std::move(model), warnings.lines()};
}

std::uint64_t parameters(const std::string& text) {
  return transformer_parameters(read(text).model).total();
}

std::string refusal(const std::string& text) {
  try {
    read(text);
  } catch (const InputError& error) {
    return error.what();
  }
  return "";
}

bool has(const std::vector<std::string>& lines, const std::string& text) {
  for (const std::string& line : lines)
    if (line.find(text) != std::string::npos) return true;
  return false;
}

// All types can be read with nothing but what their class cannot know.
TEST(HuggingfaceTypes, AllHaveUsualSizes) {
  for (const std::string_view type : huggingface_model_types()) {
    std::string more;
    if (type == "deepseek_v2" || type == "dots1") more += ", \"num_experts_per_tok\": 6";
    if (type == "dots1") more += ", \"n_routed_experts\": 128";
    const ReadModel found = read("{\"model_type\": \"" + std::string(type) + "\"" + more + "}");
    EXPECT_GT(transformer_parameters(found.model).total(), 0U) << type;
    EXPECT_TRUE(has(found.warnings, "keys that are not given have the value that the library takes")) << type;
  }
}

TEST(HuggingfaceTypes, MissingKeysAreListedOnce) {
  const ReadModel found = read(
      R"({"model_type": "opt", "hidden_size": 768, "num_attention_heads": 12, "num_hidden_layers": 12,
          "max_position_embeddings": 2048})");
  EXPECT_EQ(found.model.ffn, 3072U);
  EXPECT_EQ(
      found.warnings,
      (std::vector<std::string>{
          "c.json:1:1: warning: keys that are not given have the value that the library takes for models of "
          "type `opt`: `ffn_dim` (3072), `vocab_size` (50272)"}));
}

// 16384 + 8192 + 8192 + 16384 of attention, 64 of its norms, 512 of norms, 3 x 128 x 256: 148,032 a layer.
TEST(HuggingfaceTypes, TheLanguageModelOfGemma3) {
  const std::string text =
      R"({"model_type": "gemma3", "text_config": {"hidden_size": 128, "intermediate_size": 256,
          "num_hidden_layers": 6, "num_attention_heads": 4, "num_key_value_heads": 2, "head_dim": 32,
          "vocab_size": 2000, "sliding_window": 512, "max_position_embeddings": 4096},
          "vision_config": {"hidden_size": 1152}})";
  EXPECT_EQ(parameters(text), 1'144'320U);
  const ReadModel found = read(text);
  EXPECT_EQ(found.model.name, "gemma3_text");
  EXPECT_TRUE(found.model.gated && found.model.query_key_norm && found.model.tied_embeddings);
  EXPECT_EQ(found.model.norms_per_layer, 4U);
  EXPECT_EQ(found.warnings.size(), 2U);
  EXPECT_TRUE(has(found.warnings, "the language model alone is counted"));
  EXPECT_TRUE(has(found.warnings, "the last 512 tokens"));
  EXPECT_FALSE(read("{\"tie_word_embeddings\": false, " + text.substr(1)).model.tied_embeddings);
}

TEST(HuggingfaceTypes, WrappedModelsSayTheirType) {
  EXPECT_EQ(read(R"({"model_type": "qwen3_vl", "text_config": {"model_type": "qwen3_vl_text"}})").model.name,
            "qwen3_vl_text");
  EXPECT_EQ(read(R"({"model_type": "llava", "text_config": {"hidden_size": 512}})").model.name, "llama");
  EXPECT_EQ(
      read(R"({"model_type": "x", "thinker_config": {"text_config": {"model_type": "qwen2"}}})").model.name,
      "qwen2");
  EXPECT_EQ(read(R"({"model_type": "qwen2_5_omni", "thinker_config": {"text_config": {}}})").model.name,
            "qwen2_5_omni_text");
  EXPECT_TRUE(read(R"({"model_type": "qwen2_5_omni", "tie_word_embeddings": false,
                      "thinker_config": {"tie_word_embeddings": true, "text_config": {}}})")
                  .model.tied_embeddings);
}

TEST(HuggingfaceTypes, ConfigurationsAreRecognised) {
  EXPECT_TRUE(is_huggingface_config("\xEF\xBB\xBF{\"model_type\": \"llama\"}"));
  EXPECT_TRUE(is_huggingface_config(R"({"architectures": ["LlamaForCausalLM"], "hidden_size": 4096})"));
  EXPECT_FALSE(is_huggingface_config("model_type: llama"));
  EXPECT_FALSE(is_huggingface_config("[]"));
  EXPECT_NE(
      refusal(R"({"architectures": ["LlamaForCausalLM"]})").find("the configuration has no `model_type`"),
      std::string::npos);
}

// A layer: 128 of norms, 4160 + 2080 + 2080 + 4160 of products with biases, 4 sinks, 260 of the router, four
// experts of 64 x 64 + 64 + 32 x 64 + 64.
TEST(HuggingfaceTypes, GptOss) {
  const std::string text =
      R"({"model_type": "gpt_oss", "num_hidden_layers": 2, "hidden_size": 64, "num_attention_heads": 4,
          "num_key_value_heads": 2, "head_dim": 16, "intermediate_size": 32, "num_local_experts": 4,
          "num_experts_per_tok": 2, "vocab_size": 1000, "attention_bias": true, "max_position_embeddings": 4096,
          "sliding_window": 128, "hidden_act": "silu"})";
  EXPECT_EQ(parameters(text), 203'984U);
  EXPECT_TRUE(has(read(text).warnings, "the last 128 tokens"));
}

// Orrery's own file of this model was made from its configuration.
TEST(HuggingfaceTypes, GptOss120bIsTheOneThatComesAlong) {
  Transformer found =
      read(
          R"({"model_type": "gpt_oss", "num_hidden_layers": 36, "hidden_size": 2880, "num_attention_heads": 64,
              "num_key_value_heads": 8, "head_dim": 64, "intermediate_size": 2880, "num_local_experts": 128,
              "num_experts_per_tok": 4, "vocab_size": 201088, "attention_bias": true})")
          .model;
  const Transformer expected = find_transformer("gpt-oss-120b", {});
  EXPECT_EQ(transformer_parameters(found).total(), transformer_parameters(expected).total());
  EXPECT_EQ(transformer_parameters(found).active, transformer_parameters(expected).active);
}

// The library's MLPs have four times the width. A layer: 4 x 256^2 + 2 x 256 x 1024 + 512.
TEST(HuggingfaceTypes, Mpt) {
  const std::string text =
      R"({"model_type": "mpt", "d_model": 256, "n_heads": 4, "n_layers": 2, "expansion_ratio": 3,
          "vocab_size": 1000, "max_seq_len": 512})";
  EXPECT_EQ(parameters(text), 1'830'144U);
  EXPECT_TRUE(has(read(text).warnings, "the library does not use `expansion_ratio`"));
}

// A layer: 131,072 + 65,536 of attention, 1,024 of the router, four experts of 98,304, 512 of norms.
TEST(HuggingfaceTypes, Dbrx) {
  EXPECT_EQ(
      parameters(R"({"model_type": "dbrx", "d_model": 256, "n_heads": 4, "n_layers": 2, "max_seq_len": 512,
                           "vocab_size": 1000, "attn_config": {"kv_n_heads": 2, "clip_qkv": 8},
                           "ffn_config": {"ffn_hidden_size": 128, "moe_num_experts": 4, "moe_top_k": 2}})"),
      1'694'976U);
}

// DeepSeek-V2-Lite has 15,706,484,224 parameters, Qwen1.5-MoE-A2.7B 14,315,784,192 (model cards on Hugging
// Face), of which 24 x 2048 are gates of shared experts that are not modelled.
TEST(HuggingfaceTypes, ModelsOfTheHub) {
  EXPECT_EQ(
      parameters(
          R"({"model_type": "deepseek_v2", "hidden_size": 2048, "intermediate_size": 10944, "num_hidden_layers": 27,
              "num_attention_heads": 16, "num_key_value_heads": 16, "q_lora_rank": null, "kv_lora_rank": 512,
              "qk_rope_head_dim": 64, "qk_nope_head_dim": 128, "v_head_dim": 128, "n_routed_experts": 64,
              "n_shared_experts": 2, "num_experts_per_tok": 6, "moe_intermediate_size": 1408,
              "first_k_dense_replace": 1, "moe_layer_freq": 1, "vocab_size": 102400})"),
      15'706'484'224U);
  EXPECT_EQ(
      parameters(
          R"({"model_type": "qwen2_moe", "hidden_size": 2048, "intermediate_size": 5632, "num_hidden_layers": 24,
              "num_attention_heads": 16, "num_key_value_heads": 16, "num_experts": 60, "num_experts_per_tok": 4,
              "moe_intermediate_size": 1408, "shared_expert_intermediate_size": 5632, "vocab_size": 151936})"),
      14'315'784'192U - 24U * 2048U);
}

// Falcon-7B has 6,921,720,704 parameters, Starcoder2-3B 3,030,371,328, Phi-3-mini 3,821,079,552, Gemma-2-2B
// 2,614,341,888 (model cards on Hugging Face). Falcon has one norm in each of its 32 layers, and two are
// counted.
TEST(HuggingfaceTypes, DenseModelsOfTheHub) {
  EXPECT_EQ(parameters(R"({"model_type": "falcon", "hidden_size": 4544, "num_hidden_layers": 32,
                           "num_attention_heads": 71, "vocab_size": 65024, "multi_query": true})"),
            6'921'720'704U + 32U * 2U * 4544U);
  EXPECT_EQ(parameters(R"({"model_type": "starcoder2", "hidden_size": 3072, "intermediate_size": 12288,
                           "num_hidden_layers": 30, "num_attention_heads": 24, "num_key_value_heads": 2,
                           "vocab_size": 49152})"),
            3'030'371'328U);
  EXPECT_EQ(parameters(R"({"model_type": "phi3", "hidden_size": 3072, "intermediate_size": 8192,
                           "num_hidden_layers": 32, "num_attention_heads": 32, "num_key_value_heads": 32,
                           "vocab_size": 32064})"),
            3'821'079'552U);
  EXPECT_EQ(parameters(R"({"model_type": "gemma2", "hidden_size": 2304, "intermediate_size": 9216,
                           "num_hidden_layers": 26, "num_attention_heads": 8, "num_key_value_heads": 4,
                           "head_dim": 256, "vocab_size": 256000})"),
            2'614'341'888U);
}

TEST(HuggingfaceTypes, Llama4HasTwoWidths) {
  const Transformer model =
      read(R"({"model_type": "llama4", "text_config": {"num_hidden_layers": 4, "moe_layers": [1, 3],
               "interleave_moe_layer_step": 2}})")
          .model;
  EXPECT_EQ(model.ffn, 16384U);
  EXPECT_EQ(model.moe->ffn, 8192U);
  EXPECT_EQ(model.moe->shared_experts, 1U);
  EXPECT_FALSE(model.has_experts(0));
  EXPECT_TRUE(model.has_experts(1));
}

TEST(HuggingfaceTypes, WhatCannotBeExpressedIsRefused) {
  EXPECT_NE(refusal(R"({"model_type": "qwen3_next"})").find("linear attention"), std::string::npos);
  const std::string unknown = refusal(R"({"model_type": "mamba9", "hidden_size": 256})");
  EXPECT_NE(unknown.find("models of type `mamba9` are not known"), std::string::npos);
  EXPECT_EQ(unknown.find("with `llama` as its `model_type`"), std::string::npos);
  EXPECT_NE(
      refusal(R"({"model_type": "lama3", "hidden_size": 1, "intermediate_size": 1, "num_hidden_layers": 1,
                        "num_attention_heads": 1, "vocab_size": 1, "rms_norm_eps": 1e-5, "beam": 2})")
          .find("with `llama` as its `model_type`, this configuration is read by the keys that it has in "
                "common "
                "with that type, without `beam`"),
      std::string::npos);
}

}  // namespace
}  // namespace orrery::core::huggingface_types_test
