#include "workload/transformer/huggingface/huggingface_types.hpp"

#include <algorithm>
#include <iterator>

#include "workload/transformer/huggingface/huggingface_readers.hpp"

namespace orrery::core {
namespace {

constexpr std::string_view linear_attention =
    "most of its layers have linear attention, whose cost is not modelled";

// The usual sizes are those of the configuration classes of transformers 5, or of those that come with the
// models.
constexpr HuggingfaceUsual of_llama{32, 4096, 32, 0, 0, 11008, 32000, 2048};
constexpr HuggingfaceUsual of_mistral{32, 4096, 32, 8, 0, 14336, 32000, 131072, false, 4096};
constexpr HuggingfaceUsual of_qwen2{32, 4096, 32, 32, 0, 22016, 151936, 32768};
constexpr HuggingfaceUsual of_qwen3{32, 4096, 32, 32, 128, 22016, 151936, 32768};
constexpr HuggingfaceUsual of_qwen3_moe{24, 2048, 32, 4, 0, 6144, 151936, 32768, false, 0, 128, 8, 768};
constexpr HuggingfaceUsual of_gemma2{26, 2304, 8, 4, 256, 9216, 256000, 8192, true, 4096};
constexpr HuggingfaceUsual of_gemma3{26, 2304, 8, 4, 256, 9216, 262208, 131072, true, 4096};
constexpr HuggingfaceUsual of_cohere{40, 8192, 64, 0, 0, 22528, 256000, 8192, true};
constexpr HuggingfaceUsual of_deepseek_v3{61, 7168, 128, 0, 0, 18432, 129280, 4096, false, 0, 256, 8, 2048};
constexpr HuggingfaceUsual of_ernie4_5_moe{28, 2560, 20, 4, 0, 12288, 103424, 131072, true, 0, 64, 6, 1536};
constexpr HuggingfaceUsual of_glm4_moe_lite{47, 2048, 20, 0, 0, 10240, 154880, 202752, false, 0, 64, 4, 1536};
constexpr HuggingfaceUsual of_qwen3_omni{28, 2048, 28, 4, 73, 18944, 3584, 32768, false, 0, 128, 8, 768};

namespace hf = huggingface;

// In the order of the alphabet.
constexpr HuggingfaceType types[] = {
    {"apertus", hf::apertus, {32, 4096, 32, 0, 0, 14336, 131072, 65536}},
    {"arcee", hf::arcee, {32, 2560, 32, 0, 0, 18432, 32000, 4096}},
    {"baichuan", hf::baichuan, {32, 4096, 32, 0, 0, 11008, 64000, 4096}},
    {"bert", hf::bert, {12, 768, 12, 0, 0, 3072, 30522, 512, true}},
    {"bitnet", hf::bitnet, {30, 2560, 20, 5, 0, 6912, 128256, 2048}},
    {"bloom", hf::bloom, {2, 64, 8, 0, 0, 0, 250880, 2048, true}},
    {"codegen", hf::gptj, {28, 4096, 16, 0, 0, 0, 50400, 2048}},
    {"cohere", hf::cohere, of_cohere},
    {"cohere2", hf::cohere, {40, 8192, 64, 0, 0, 22528, 256000, 8192, true, 4096}},
    {"dbrx", hf::dbrx, {24, 2048, 16, 1, 0, 0, 32000, 2048, false, 0, 4, 1, 3584}},
    {"deepseek_v2", hf::deepseek_v2, {32, 4096, 32, 0, 0, 11008, 102400, 2048, false, 0, 64, 0, 1407}},
    {"deepseek_v3", hf::deepseek_v3, of_deepseek_v3},
    {"dots1", hf::dots1, {62, 4608, 32, 32, 0, 10944, 152064, 2048, false, 0, 0, 0, 1408}},
    {"ernie4_5", hf::ernie4_5, {18, 1024, 16, 2, 128, 3072, 103424, 131072, true}},
    {"ernie4_5_moe", hf::ernie4_5_moe, of_ernie4_5_moe},
    {"exaone4", hf::qwen3, {32, 4096, 32, 32, 0, 16384, 102400, 2048, false, 4096}},
    {"falcon", hf::falcon, {32, 4544, 71, 0, 0, 0, 65024, 2048, true}},
    {"gemma", hf::gemma, {28, 3072, 16, 16, 256, 24576, 256000, 8192, true}},
    {"gemma2", hf::gemma2, of_gemma2},
    {"gemma3_text", hf::gemma3, of_gemma3},
    {"glm", hf::glm, {40, 4096, 32, 2, 128, 13696, 151552, 131072}},
    {"glm4", hf::glm4, {40, 4096, 32, 2, 128, 13696, 151552, 131072}},
    {"glm4_moe", hf::glm4_moe, {46, 4096, 96, 8, 128, 10944, 151552, 131072, false, 0, 128, 8, 1408}},
    {"glm4_moe_lite", hf::glm4_moe_lite, of_glm4_moe_lite},
    {"gpt2", hf::gpt2, {12, 768, 12, 0, 0, 0, 50257, 1024, true}},
    {"gpt_bigcode", hf::gpt_bigcode, {12, 768, 12, 0, 0, 0, 50257, 1024, true}},
    {"gpt_neo", hf::gpt_neo, {24, 2048, 16, 0, 0, 0, 50257, 2048, true}},
    {"gpt_neox", hf::gpt_neox, {44, 6144, 64, 0, 0, 24576, 50432, 2048}},
    {"gpt_oss", hf::gpt_oss, {36, 2880, 64, 8, 64, 2880, 201088, 131072, false, 128, 128, 4}},
    {"gptj", hf::gptj, {28, 4096, 16, 0, 0, 0, 50400, 2048}},
    {"granite", hf::granite, of_llama},
    {"granitemoe", hf::granitemoe, {32, 4096, 32, 0, 0, 11008, 32000, 2048, false, 0, 8, 2}},
    {"helium", hf::helium, {24, 2560, 20, 20, 128, 7040, 48000, 4096}},
    {"hunyuan_v1_dense", hf::qwen3, {32, 4096, 32, 0, 0, 11008, 290943, 2048}},
    {"hunyuan_v1_moe", hf::hunyuan_moe, {32, 4096, 32, 0, 0, 11008, 290943, 2048, false, 0, 1, 1}},
    {"internlm2", hf::internlm2, {32, 4096, 32, 0, 0, 11008, 103168, 2048}},
    {"internlm3", hf::internlm3, {32, 4096, 32, 32, 0, 11008, 128512, 32768}},
    {"kimi_k2", hf::deepseek_v3, of_deepseek_v3},
    {"llama", hf::llama, of_llama},
    {"llama4_text", hf::llama4, {48, 5120, 40, 8, 128, 8192, 202048, 131072, false, 0, 16, 1}},
    {"minimax_m2", hf::minimax_m2, {62, 3072, 48, 8, 128, 1536, 200064, 196608, false, 0, 256, 8}},
    {"mistral", hf::llama, of_mistral},
    {"mixtral", hf::mixtral, {32, 4096, 32, 8, 0, 14336, 32000, 131072, false, 0, 8, 2}},
    {"mpt", hf::mpt, {24, 2048, 16, 0, 0, 0, 50368, 2048, true}},
    {"nemotron", hf::nemotron, {32, 6144, 48, 0, 0, 24576, 256000, 4096}},
    {"olmo", hf::olmo, {32, 4096, 32, 0, 0, 11008, 50304, 2048}},
    {"olmo2", hf::olmo2, {32, 4096, 32, 0, 0, 11008, 50304, 2048}},
    {"olmo3", hf::olmo2, {32, 4096, 32, 0, 0, 11008, 50304, 2048, false, 4096}},
    {"olmoe", hf::olmoe, {16, 2048, 16, 0, 0, 2048, 50304, 4096, false, 0, 64, 8}},
    {"opt", hf::opt, {12, 768, 12, 0, 0, 3072, 50272, 2048, true}},
    {"persimmon", hf::persimmon, {36, 4096, 64, 0, 0, 16384, 262144, 16384}},
    {"phi", hf::phi, {24, 2048, 32, 0, 0, 8192, 51200, 2048}},
    {"phi3", hf::llama, {32, 3072, 32, 0, 0, 8192, 32064, 4096}},
    {"phimoe", hf::phimoe, {32, 4096, 32, 8, 0, 6400, 32064, 131072, false, 0, 16, 2}},
    {"qwen2", hf::qwen2, of_qwen2},
    {"qwen2_5_omni_text", hf::qwen2, {28, 3584, 28, 4, 0, 18944, 152064, 32768}},
    {"qwen2_5_vl", hf::qwen2, of_qwen2},
    {"qwen2_5_vl_text", hf::qwen2, of_qwen2},
    {"qwen2_moe", hf::qwen2_moe, {24, 2048, 16, 16, 0, 5632, 151936, 32768, false, 0, 60, 4, 1408}},
    {"qwen2_vl", hf::qwen2, of_qwen2},
    {"qwen2_vl_text", hf::qwen2, of_qwen2},
    {"qwen3", hf::qwen3, of_qwen3},
    {"qwen3_moe", hf::qwen3_moe, of_qwen3_moe},
    {"qwen3_next", nullptr, {}, linear_attention},
    {"qwen3_omni_moe_text", hf::qwen3_moe, of_qwen3_omni},
    {"qwen3_vl_moe_text", hf::qwen3_moe, of_qwen3_moe},
    {"qwen3_vl_text", hf::qwen3, of_qwen3},
    {"seed_oss", hf::seed_oss, {64, 4096, 80, 8, 128, 27648, 155136, 524288}},
    {"smollm3", hf::llama, {36, 2048, 16, 4, 0, 11008, 128256, 32768, true}},
    {"stablelm", hf::stablelm, {32, 2560, 32, 32, 0, 6912, 50304, 4096}},
    {"starcoder2", hf::starcoder2, {30, 3072, 24, 2, 0, 12288, 49152, 4096, true}},
    {"xglm", hf::xglm, {24, 1024, 16, 0, 0, 4096, 256008, 2048, true}},
};

}  // namespace

const HuggingfaceType* find_huggingface_type(std::string_view name) {
  const auto found = std::ranges::find(types, name, &HuggingfaceType::name);
  return found == std::end(types) ? nullptr : found;
}

std::vector<std::string_view> huggingface_model_types() {
  std::vector<std::string_view> names;
  for (const HuggingfaceType& type : types)
    if (type.read) names.push_back(type.name);
  return names;
}

}  // namespace orrery::core
