#include "workload/transformer/catalogue/transformer_file.hpp"

#include <gtest/gtest.h>

#include <fmt/format.h>

#include <string>

#include "workload/transformer/catalogue/transformer_catalogue.hpp"
#include "workload/transformer/huggingface/huggingface_config.hpp"

namespace orrery::core::transformer_file_test {
namespace {

template <class Read>
std::string error_of(Read read, const std::string& text) {
  try {
    read(text, "file");
  } catch (const InputError& error) {
    return error.what();
  }
  return "no error";
}

std::string yaml_error(const std::string& text) {
  return error_of(read_transformer_file, text);
}
std::string json_error(const std::string& text) {
  Warnings warnings;
  return error_of([&](const std::string& json,
                      const std::string& file) { read_huggingface_config(json, file, warnings); },
                  text);
}

constexpr const char* least = "layers: 2\nhidden: 8\nheads: 2\nvocabulary: 10\nsequence: 4\n";

// The least that a file says, and more.
std::string with(std::string_view more) {
  return fmt::format("{}{}", least, more);
}

TEST(TransformerFile, what_is_usual) {
  const Transformer model = read_transformer_file(least, "file");
  EXPECT_EQ(model.kv_heads, 2u);
  EXPECT_EQ(model.head_width, 4u);
  EXPECT_EQ(model.ffn, 32u);
  EXPECT_FALSE(model.gated);
  EXPECT_FALSE(model.moe);
}

// An embedding as wide as the layers needs no products that lead from or to it.
TEST(TransformerFile, an_embedding_as_wide_as_the_layers_needs_no_products) {
  EXPECT_EQ(read_transformer_file(with("embedding-width: 8\n"), "file"),
            read_transformer_file(least, "file"));
}

TEST(TransformerFile, errors) {
  EXPECT_EQ(yaml_error("layers: 2\n"), "file:1:1: error: a transformer needs the key `hidden`");
  EXPECT_EQ(
      yaml_error(with("kv-heads: 3\n")),
      "file:6:11: error: 2 heads cannot share 3 heads of keys and values evenly; choose a divisor of 2");
  EXPECT_EQ(
      yaml_error("layers: 2\nhidden: 9\nheads: 2\nvocabulary: 10\nsequence: 4\n"),
      "file:3:8: error: 2 heads do not divide the hidden size 9; choose a divisor, or say `head-width`");
  EXPECT_EQ(yaml_error(with("mixture: { experts: 4, experts-per-token: 5, ffn: 8 }\n")),
            "file:6:43: error: a token cannot pass 5 of 4 experts; choose at most 4");
  EXPECT_EQ(yaml_error(with("mixture: { experts: 4, experts-per-token: 1, ffn: 8, dense-layers: 3 }\n")),
            "file:6:68: error: 3 dense layers are more than the 2 there are");
  const std::string latent =
      "latent-attention: { query-rank: 2, kv-rank: 2, rotary-width: 2, value-width: 4 }\n";
  EXPECT_EQ(
      yaml_error(with(latent + "biases: [qkv]\n")),
      "file:7:9: error: with latent attention no bias is added to queries, keys and values; leave `qkv` out");
  EXPECT_EQ(yaml_error(with(latent + "query-key-norm: true\n")),
            "file:7:17: error: latent attention has norms of its own, of its low-rank vectors; leave it out");
  EXPECT_EQ(
      yaml_error(with("latent-attention: { query-rank: 2, kv-rank: 2, rotary-width: 4, value-width: 4 }\n")),
      "file:6:62: error: `rotary-width` is a part of `head-width`, so it has to be below 4, not 4");
}

constexpr const char* llama =
    R"({"model_type": "llama", "hidden_size": 4096, "intermediate_size": 14336, "num_attention_heads": 32,
 "num_hidden_layers": 32, "num_key_value_heads": 8, "vocab_size": 128256, "max_position_embeddings": 8192,
 "hidden_act": "silu", "rope_scaling": null, "torch_dtype": "bfloat16", "tie_word_embeddings": false})";

// Sizes without names and sources.
Transformer sizes(Transformer model) {
  model.name = model.source = "";
  return model;
}

Transformer of_config(const std::string& text) {
  Warnings warnings;
  return sizes(read_huggingface_config(text, "config.json", warnings));
}
Transformer of_word(const char* word) {
  return sizes(find_transformer(word, {}));
}

// The files that Hugging Face has for these models, without what says nothing of sizes.
TEST(HuggingfaceConfig, describes_models_that_come_along) {
  EXPECT_EQ(of_config(llama), of_word("llama3-8b"));
  EXPECT_EQ(of_config(R"({"model_type": "bert", "hidden_size": 1024, "intermediate_size": 4096,
                         "num_attention_heads": 16, "num_hidden_layers": 24, "vocab_size": 30522,
                         "max_position_embeddings": 512, "type_vocab_size": 2, "hidden_act": "gelu",
                         "hidden_dropout_prob": 0.1, "attention_probs_dropout_prob": 0.1})"),
            of_word("bert-large"));
  EXPECT_EQ(
      of_config(
          R"({"model_type": "bloom", "n_layer": 70, "n_head": 112, "n_embed": 14336, "vocab_size": 250880,
                         "seq_length": 2048, "hidden_dropout": 0.0})"),
      of_word("bloom-176b"));
  EXPECT_EQ(
      of_config(R"({"model_type": "opt", "num_hidden_layers": 24, "num_attention_heads": 16, "ffn_dim": 4096,
                         "hidden_size": 1024, "word_embed_proj_dim": 512, "do_layer_norm_before": false,
                         "max_position_embeddings": 2048, "vocab_size": 50272, "dropout": 0.1,
                         "activation_function": "relu"})"),
      of_word("opt-350m"));
  EXPECT_EQ(of_config(R"({"model_type": "gpt_neo", "num_layers": 32, "num_heads": 20, "hidden_size": 2560,
                         "intermediate_size": null, "max_position_embeddings": 2048, "vocab_size": 50257,
                         "activation_function": "gelu_new", "resid_dropout": 0})"),
            of_word("gpt-neo-2.7b"));
  EXPECT_EQ(of_config(R"({"model_type": "mixtral", "hidden_size": 4096, "intermediate_size": 14336,
                         "num_attention_heads": 32, "num_hidden_layers": 32, "num_key_value_heads": 8,
                         "num_local_experts": 8, "num_experts_per_tok": 2, "vocab_size": 32000,
                         "max_position_embeddings": 4096})"),
            of_word("mixtral-8x7b"));
  EXPECT_EQ(of_config(R"({"model_type": "deepseek_v3", "hidden_size": 7168, "intermediate_size": 18432,
                         "num_attention_heads": 128, "num_key_value_heads": 128, "num_hidden_layers": 61,
                         "q_lora_rank": 1536, "kv_lora_rank": 512, "qk_rope_head_dim": 64, "qk_nope_head_dim": 128,
                         "v_head_dim": 128, "n_routed_experts": 256, "num_experts_per_tok": 8,
                         "moe_intermediate_size": 2048, "n_shared_experts": 1, "first_k_dense_replace": 3,
                         "moe_layer_freq": 1, "vocab_size": 129280, "max_position_embeddings": 4096})"),
            of_word("deepseek-v3"));
  EXPECT_EQ(
      of_config(
          R"({"model_type": "qwen3_moe", "hidden_size": 2048, "intermediate_size": 6144, "head_dim": 128,
                         "num_attention_heads": 32, "num_hidden_layers": 48, "num_key_value_heads": 4,
                         "num_experts": 128, "num_experts_per_tok": 8, "moe_intermediate_size": 768,
                         "decoder_sparse_step": 1, "vocab_size": 151936, "max_position_embeddings": 4096})"),
      of_word("qwen3-30b-a3b"));
}

// GPT-2 has 124'439'808 parameters, Qwen2-0.5B 494'032'768 (model cards on Hugging Face).
TEST(HuggingfaceConfig, numbers_of_parameters) {
  const auto parameters = [](const std::string& text) {
    return transformer_parameters(of_config(text)).total();
  };
  EXPECT_EQ(
      parameters(R"({"model_type": "gpt2", "n_layer": 12, "n_head": 12, "n_embd": 768, "n_positions": 1024,
                          "vocab_size": 50257, "activation_function": "gelu_new", "resid_pdrop": 0.1})"),
      124'439'808u);
  EXPECT_EQ(parameters(R"({"model_type": "qwen2", "hidden_size": 896, "intermediate_size": 4864,
                          "num_attention_heads": 14, "num_hidden_layers": 24, "num_key_value_heads": 2,
                          "vocab_size": 151936, "max_position_embeddings": 131072, "tie_word_embeddings": true})"),
            494'032'768u);
}

TEST(HuggingfaceConfig, errors) {
  EXPECT_EQ(json_error("{}").substr(0, 70),
            "file:1:1: error: the configuration has no `model_type`; it has to be `");
  EXPECT_EQ(json_error("{\"model_type\": \"lama\"}").substr(0, 90),
            "file:1:16: error: models of type `lama` are not known, did you mean `llama`?; known are `a");
  EXPECT_EQ(json_error("{\"model_type\": \"deepseek_v2\"}"),
            "file:1:1: error: the configuration needs the key `num_experts_per_tok`");
  std::string text = llama;
  text.replace(text.find("\"num_key_value_heads\": 8"), 24, "\"num_key_value_heads\": 7");
  EXPECT_EQ(
      json_error(text),
      "file:2:50: error: 32 heads cannot share 7 heads of keys and values evenly; choose a divisor of 32");
  text = llama;
  text.replace(text.find("silu"), 4, "tanh");
  EXPECT_NE(json_error(text).find("file:3:16: error: `hidden_act` has to be"), std::string::npos);
  text = llama;
  text.replace(text.find("\"num_key_value_heads\": 8"), 24, "\"num_key_value_heads\": 0");
  EXPECT_EQ(json_error(text),
            "file:2:50: error: `num_key_value_heads` has to be a whole number from 1 to 8192, not `0`");
}

TEST(TransformerCatalogue, unknown_words) {
  EXPECT_EQ(error_of([](const std::string& text, const std::string&) { find_transformer(text, {"here"}); },
                     "llama2-7")
                .substr(0, 87),
            "here: error: there is no transformer `llama2-7`; you may mean `llama2-7b`, `llama2-70b`");
}

TEST(TransformerCatalogue, paths) {
  const auto load = [](const std::string& path) {
    return path == "a/config.json" ? std::string(llama) : std::string(least);
  };
  Warnings warnings;
  EXPECT_EQ(find_transformer("a/config.json", {}, load, warnings).vocabulary, 128256u);
  EXPECT_EQ(find_transformer("b.yaml", {}, load, warnings).vocabulary, 10u);
}

}  // namespace
}  // namespace orrery::core::transformer_file_test
