// Readers of configurations by family: those of huggingface_llama.cpp are like Llama (gated MLPs, RMS norms,
// rotary positions), those of huggingface_plain.cpp but for their MLPs, those of huggingface_gpt.cpp are like
// GPT-2 (plain MLPs, layer norms), those of huggingface_encoders.cpp see whole sequences, and those of
// huggingface_experts.cpp choose among experts.
#pragma once

#include <array>

#include "base/diagnostics/words.hpp"
#include "workload/transformer/huggingface/huggingface_types.hpp"

namespace orrery::core::huggingface {

using Reading = HuggingfaceReading;

// Norms of queries and keys are counted as one for each head's width.
void warn_of_wide_norm(const Reading& config, std::string_view key);

Activation activation_of(const HuggingfaceKeys& keys, std::string_view key, Activation usual);

// Layers that compute attention and MLP from the same input need one norm and, under tensor parallelism, one
// all-reduce; both are counted as in layers one after the other.
void warn_of_parallel_layers(const Reading& config, std::string_view key, bool one_norm);

// Like Llama.
Transformer llama(const Reading& config);
Transformer qwen2(const Reading& config);
Transformer qwen3(const Reading& config);
Transformer gemma(const Reading& config);
Transformer gemma2(const Reading& config);
Transformer gemma3(const Reading& config);
Transformer cohere(const Reading& config);
Transformer olmo(const Reading& config);
Transformer olmo2(const Reading& config);
Transformer granite(const Reading& config);
Transformer glm(const Reading& config);
Transformer glm4(const Reading& config);
Transformer helium(const Reading& config);
Transformer seed_oss(const Reading& config);
Transformer ernie4_5(const Reading& config);
Transformer internlm2(const Reading& config);
Transformer internlm3(const Reading& config);
Transformer baichuan(const Reading& config);

// Like Llama, but for MLPs that are not gated, or norms inside them.
Transformer arcee(const Reading& config);
Transformer apertus(const Reading& config);
Transformer bitnet(const Reading& config);

// Like GPT-2.
Transformer gpt2(const Reading& config);
Transformer gpt_bigcode(const Reading& config);
Transformer gpt_neo(const Reading& config);
Transformer gpt_neox(const Reading& config);
Transformer gptj(const Reading& config);
Transformer opt(const Reading& config);
Transformer bloom(const Reading& config);
Transformer mpt(const Reading& config);
Transformer falcon(const Reading& config);
Transformer nemotron(const Reading& config);
Transformer starcoder2(const Reading& config);
Transformer phi(const Reading& config);
Transformer stablelm(const Reading& config);
Transformer persimmon(const Reading& config);
Transformer xglm(const Reading& config);

// Encoders.
Transformer bert(const Reading& config);

// With experts.
Transformer mixtral(const Reading& config);
Transformer phimoe(const Reading& config);
Transformer gpt_oss(const Reading& config);
Transformer dbrx(const Reading& config);
Transformer olmoe(const Reading& config);
Transformer granitemoe(const Reading& config);
Transformer qwen2_moe(const Reading& config);
Transformer qwen3_moe(const Reading& config);
Transformer llama4(const Reading& config);
Transformer deepseek_v2(const Reading& config);
Transformer deepseek_v3(const Reading& config);
Transformer glm4_moe(const Reading& config);
Transformer glm4_moe_lite(const Reading& config);
Transformer dots1(const Reading& config);
Transformer ernie4_5_moe(const Reading& config);
Transformer hunyuan_moe(const Reading& config);
Transformer minimax_m2(const Reading& config);

}  // namespace orrery::core::huggingface
