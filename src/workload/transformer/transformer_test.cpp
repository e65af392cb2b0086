#include "workload/transformer/transformer.hpp"

#include <gtest/gtest.h>

#include <string>

#include "workload/transformer/catalogue/transformer_catalogue.hpp"

namespace orrery::core::transformer_test {
namespace {

double billions(const char* word) {
  return double(transformer_parameters(find_transformer(word, {})).total()) / 1e9;
}

// Counted from the published weights: model cards on Hugging Face, printed to the last digit given here.
TEST(Transformer, published_numbers_of_parameters) {
  EXPECT_EQ(transformer_parameters(find_transformer("llama2-7b", {})).total(), 6'738'415'616u);
  EXPECT_EQ(transformer_parameters(find_transformer("llama2-13b", {})).total(), 13'015'864'320u);
  EXPECT_EQ(transformer_parameters(find_transformer("llama2-70b", {})).total(), 68'976'648'192u);
  EXPECT_EQ(transformer_parameters(find_transformer("llama3-8b", {})).total(), 8'030'261'248u);
  EXPECT_EQ(transformer_parameters(find_transformer("llama3-70b", {})).total(), 70'553'706'496u);
  EXPECT_EQ(transformer_parameters(find_transformer("llama3-405b", {})).total(), 405'853'388'800u);
  EXPECT_EQ(transformer_parameters(find_transformer("mixtral-8x7b", {})).total(), 46'702'792'704u);
  EXPECT_EQ(transformer_parameters(find_transformer("bloom-176b", {})).total(), 176'247'271'424u);
  EXPECT_EQ(transformer_parameters(find_transformer("opt-350m", {})).total(), 331'196'416u);
  EXPECT_EQ(transformer_parameters(find_transformer("opt-125m", {})).total(), 125'239'296u);
  EXPECT_EQ(transformer_parameters(find_transformer("gpt-neo-2.7b", {})).total(), 2'651'307'520u);
  EXPECT_EQ(transformer_parameters(find_transformer("bert-base", {})).total(), 110'106'428u);
  EXPECT_EQ(transformer_parameters(find_transformer("bert-large", {})).total(), 336'226'108u);
  EXPECT_NEAR(billions("turing-nlg-17.2b"), 17.2, 0.05);
  EXPECT_NEAR(billions("megatron-lm-8.3b"), 8.3, 0.05);
  EXPECT_NEAR(billions("mixtral-8x22b"), 140.63, 0.01);
  EXPECT_NEAR(billions("deepseek-v3"), 671.03, 0.01);
  EXPECT_NEAR(billions("qwen3-30b-a3b"), 30.53, 0.01);
  EXPECT_NEAR(billions("qwen3-235b-a22b"), 235.09, 0.01);
  EXPECT_NEAR(billions("gpt-oss-120b"), 116.83, 0.01);
}

// Published numbers of parameters that a token passes: Mixtral 12.9 B (Jiang et al.), DeepSeek-V3 37 B, Qwen3
// 3.3 B and 22 B.
TEST(Transformer, active_parameters) {
  const auto active = [](const char* word) {
    return double(transformer_parameters(find_transformer(word, {})).active) / 1e9;
  };
  EXPECT_NEAR(active("mixtral-8x7b"), 12.9, 0.05);
  EXPECT_NEAR(active("deepseek-v3"), 37, 1);  // 37.55 with both embeddings
  EXPECT_NEAR(active("qwen3-30b-a3b"), 3.3, 0.06);
  EXPECT_NEAR(active("qwen3-235b-a22b"), 22, 0.3);
  EXPECT_EQ(active("llama2-7b"), billions("llama2-7b"));
}

// Narayanan et al., 2021: P = 12 L h^2 (1 + 13 / 12h + (V + s) / 12 L h), less the norm at the end.
TEST(Transformer, closed_form_of_gpt) {
  for (const char* word :
       {"megatron-1.7b", "megatron-18.4b", "megatron-1008b", "gpt3-175b", "megatron-22b"}) {
    const Transformer model = find_transformer(word, {});
    const std::uint64_t h = model.hidden;
    const TransformerParameters parameters = transformer_parameters(model);
    EXPECT_EQ(parameters.layers, model.layers * (12 * h * h + 13 * h)) << word;
    EXPECT_EQ(parameters.embedding + parameters.positions, (model.vocabulary + model.sequence) * h);
    EXPECT_EQ(parameters.head, 0u);
    EXPECT_EQ(parameters.final_norm, 2 * h);
  }
}

// Every size of table 1 of that paper is in its model's name.
TEST(Transformer, sizes_in_names_of_megatron_models) {
  for (const std::string_view word : transformer_words()) {
    if (!word.starts_with("megatron-") || word == "megatron-22b") continue;
    const double printed = std::stod(std::string(word.substr(word.find_first_of("0123456789"))));
    const double digit = word.find('.') == word.npos ? 1 : 0.1;
    EXPECT_NEAR(billions(std::string(word).c_str()), printed, digit / 2) << word;
  }
}

TEST(Transformer, which_layers_have_experts) {
  Transformer model;
  model.layers = 8;
  EXPECT_EQ(model.layers_with_experts(), 0u);
  model.moe = MixtureOfExperts{.experts = 4, .dense_layers = 3, .every = 2};
  EXPECT_EQ(model.layers_with_experts(), 2u);
  std::string with_experts;
  for (std::uint64_t layer = 0; layer < 8; ++layer) with_experts += model.has_experts(layer) ? "x" : "-";
  EXPECT_EQ(with_experts, "----x-x-");
}

TEST(Transformer, every_model_has_a_source) {
  for (const std::string_view word : transformer_words()) {
    const Transformer model = find_transformer(std::string(word), {});
    EXPECT_FALSE(model.name.empty()) << word;
    EXPECT_FALSE(model.source.empty()) << word;
  }
}

}  // namespace
}  // namespace orrery::core::transformer_test
