#include "workload/transformer/huggingface/huggingface_warnings.hpp"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "workload/transformer/huggingface/huggingface_config.hpp"

namespace orrery::core::huggingface_warnings_test {
namespace {

const std::string gpt2 =
    "{\"model_type\": \"gpt2\", \"n_layer\": 2, \"n_head\": 2, \"n_embd\": 8,"
    " \"n_positions\": 1024, \"vocab_size\": 10, \"resid_pdrop\": 0.1";
const std::string gpt_neo =
    "{\"model_type\": \"gpt_neo\", \"num_layers\": 2, \"num_heads\": 2, \"hidden_size\": 8,"
    " \"max_position_embeddings\": 2048, \"vocab_size\": 10";
const std::string opt =
    "{\"model_type\": \"opt\", \"num_hidden_layers\": 2, \"num_attention_heads\": 2,"
    " \"hidden_size\": 8, \"ffn_dim\": 8, \"max_position_embeddings\": 8, \"vocab_size\": 10";
const std::string bloom =
    "{\"model_type\": \"bloom\", \"n_layer\": 2, \"n_head\": 2, \"n_embed\": 8,"
    " \"seq_length\": 8, \"vocab_size\": 10";

// Returns the configuration of a family that looks like Llama.
std::string llama_like(const std::string& type) {
  return "{\"model_type\": \"" + type +
         "\", \"num_hidden_layers\": 6, \"num_attention_heads\": 2, \"hidden_size\": 8, "
         "\"intermediate_size\": 8, "
         "\"max_position_embeddings\": 32768, \"num_key_value_heads\": 2, \"vocab_size\": 10";
}
std::string qwen3_moe() {
  return llama_like("qwen3_moe") +
         ", \"num_experts\": 4, \"num_experts_per_tok\": 2, \"moe_intermediate_size\": 8";
}
std::string deepseek() {
  return llama_like("deepseek_v3") +
         ", \"kv_lora_rank\": 4, \"qk_rope_head_dim\": 2, \"qk_nope_head_dim\": 2, \"v_head_dim\": 2, "
         "\"n_routed_experts\": 4, \"num_experts_per_tok\": 2, \"moe_intermediate_size\": 8";
}

struct ReadConfig {
  Transformer model;
  std::vector<std::string> warnings;
};

// `more` is on the second line.
ReadConfig read(const std::string& config, const std::string& more) {
  Warnings warnings;
  const Transformer model = read_huggingface_config(config + ",\n" + more + "}", "c.json", warnings);
  return {model, warnings.lines()};
}

// The one warning points at the second line and names what it says there.
void expect_warning(const std::string& config, const std::string& more, const std::string& text) {
  const ReadConfig found = read(config, more);
  ASSERT_EQ(found.warnings.size(), 1u) << more;
  EXPECT_EQ(found.warnings[0].find("c.json:2:"), 0u) << found.warnings[0];
  EXPECT_NE(found.warnings[0].find(text), std::string::npos) << found.warnings[0];
}

void expect_none(const std::string& config, const std::string& more) {
  EXPECT_EQ(read(config, more).warnings, std::vector<std::string>{}) << more;
}

TEST(HuggingfaceConfig, says_that_windows_are_not_modelled) {
  expect_warning(llama_like("mistral"), "\"sliding_window\": 4096",
                 "the last 4096 tokens (`sliding_window`)");
  expect_warning(llama_like("mixtral") + ", \"num_local_experts\": 2, \"num_experts_per_tok\": 2",
                 "\"sliding_window\": 4096", "sliding_window");
  expect_none(llama_like("mistral"), "\"sliding_window\": null");
  expect_none(llama_like("mistral"), "\"sliding_window\": 32768");
  expect_none(llama_like("qwen2"), "\"sliding_window\": 4096, \"use_sliding_window\": false");
  expect_warning(llama_like("qwen2"), "\"sliding_window\": 4096, \"use_sliding_window\": true", "4096");
  expect_none(llama_like("qwen3"), "\"layer_types\": [\"full_attention\"]");
  expect_warning(llama_like("qwen3"), "\"layer_types\": [\"linear_attention\"]", "`linear_attention`");
  expect_warning(gpt_neo, "\"attention_types\": [[[\"global\", \"local\"], 12]], \"window_size\": 512",
                 "the last 512 tokens (`attention_types`)");
  expect_warning(gpt_neo, "\"attention_types\": [[[\"global\", \"local\"], 12]]", "256");
  expect_none(gpt_neo, "\"attention_types\": [[[\"global\"], 24]], \"window_size\": 256");
}

TEST(HuggingfaceConfig, embeddings_may_be_tied_or_not) {
  for (const std::string& config : {gpt2, gpt_neo, opt, bloom}) {
    EXPECT_TRUE(read(config, "\"use_cache\": true").model.tied_embeddings) << config;
    EXPECT_FALSE(read(config, "\"tie_word_embeddings\": false").model.tied_embeddings) << config;
  }
  EXPECT_TRUE(read(llama_like("llama"), "\"tie_word_embeddings\": true").model.tied_embeddings);
}

std::string layers_with_experts(const Transformer& model) {
  std::string text;
  for (std::uint64_t layer = 0; layer < model.layers; ++layer) text += model.has_experts(layer) ? 'x' : '-';
  return text;
}

TEST(HuggingfaceConfig, layers_with_plain_mlps) {
  const auto layers = [](const std::string& config, const std::string& more) {
    expect_none(config, more);
    return layers_with_experts(read(config, more).model);
  };
  EXPECT_EQ(layers(qwen3_moe(), "\"mlp_only_layers\": []"), "xxxxxx");
  EXPECT_EQ(layers(qwen3_moe(), "\"mlp_only_layers\": [0, 1]"), "--xxxx");
  EXPECT_EQ(layers(qwen3_moe(), "\"decoder_sparse_step\": 2, \"mlp_only_layers\": [1]"), "---x-x");
  EXPECT_EQ(layers(deepseek(), "\"first_k_dense_replace\": 1, \"moe_layer_freq\": 2"), "--x-x-");
  expect_warning(qwen3_moe(), "\"mlp_only_layers\": [3]", "`mlp_only_layers`");
  expect_warning(deepseek(), "\"first_k_dense_replace\": 0, \"moe_layer_freq\": 2", "`moe_layer_freq`");
}

TEST(HuggingfaceConfig, says_what_else_is_not_modelled) {
  expect_warning(gpt2, "\"attn_pdrop\": 0.0", "although `attn_pdrop` is 0");
  expect_none(gpt2, "\"attn_pdrop\": 0.1, \"embd_pdrop\": 0.1");
  expect_warning(llama_like("llama"), "\"attention_dropout\": 0.1", "dropout by `attention_dropout`");
  expect_none(llama_like("llama"), "\"attention_dropout\": 0.0");
  expect_warning(gpt2, "\"add_cross_attention\": true", "`add_cross_attention`");
  expect_warning(opt, "\"layerdrop\": 0.1", "`layerdrop`");
  expect_none(opt, "\"layerdrop\": 0.0, \"is_encoder_decoder\": false");
  expect_warning(opt, "\"layer_norm_elementwise_affine\": false", "norms without weights");
  EXPECT_FALSE(read(opt, "\"_remove_final_layer_norm\": true").model.final_norm);
  expect_warning(deepseek(), "\"num_nextn_predict_layers\": 1", "`num_nextn_predict_layers`");
  expect_warning(deepseek(), "\"attention_bias\": true", "`attention_bias`");
}

}  // namespace
}  // namespace orrery::core::huggingface_warnings_test
