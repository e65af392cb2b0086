#include "workload/transformer/huggingface/huggingface_config.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>

#include "base/diagnostics/words.hpp"
#include "workload/transformer/huggingface/huggingface_keys.hpp"
#include "workload/transformer/huggingface/huggingface_types.hpp"
#include "workload/transformer/huggingface/huggingface_warnings.hpp"
#include "workload/transformer/transformer_check.hpp"

namespace orrery::core {
namespace {

// Returns where the configuration has a key that complete_transformer() names, under the configuration's own
// name.
SourceLocation place_in(const HuggingfaceKeys& config, std::string_view key) {
  constexpr std::array<std::pair<std::string_view, std::string_view>, 8> names{{
      {"kv-heads", "num_key_value_heads"},
      {"heads", "num_attention_heads"},
      {"heads", "n_head"},
      {"heads", "n_heads"},
      {"heads", "num_heads"},
      {"rotary-width", "qk_rope_head_dim"},
      {"experts-per-token", "num_experts_per_tok"},
      {"dense-layers", "first_k_dense_replace"},
  }};
  for (const auto& [ours, theirs] : names)
    if (ours == key && config.find(theirs)) return config.where(theirs);
  return config.where("model_type");
}

// Returns the map in which that of the language model stands.
const InputNode& map_around_text_model(const InputNode& root) {
  const InputNode* thinker = HuggingfaceKeys(root).find("thinker_config");
  return thinker ? *thinker : root;
}

// Returns the map of the language model in the configuration of one that also sees or hears; null: the
// configuration is that of a language model.
const InputNode* text_model_of(const HuggingfaceKeys& config) {
  for (const std::string_view key : {"text_config", "llm_config", "language_config"})
    if (const InputNode* inner = config.find(key)) return inner;
  return nullptr;
}

// Types of models whose language model need not say its own.
constexpr std::pair<std::string_view, std::string_view> types_of_text[] = {
    {"gemma3", "gemma3_text"},
    {"llama4", "llama4_text"},
    {"llava", "llama"},
    {"mistral3", "mistral"},
    {"qwen3_vl", "qwen3_vl_text"},
    {"qwen3_vl_moe", "qwen3_vl_moe_text"},
    {"qwen2_5_omni", "qwen2_5_omni_text"},
    {"qwen2_5_omni_thinker", "qwen2_5_omni_text"},
    {"qwen3_omni_moe", "qwen3_omni_moe_text"},
    {"qwen3_omni_moe_thinker", "qwen3_omni_moe_text"}};

std::string type_of(const HuggingfaceKeys& inner, const HuggingfaceKeys& outer, bool is_nested,
                    const InputNode& root) {
  if (const InputNode* type = inner.find("model_type")) return scalar_of(*type, "model_type");
  const InputNode* type = outer.find("model_type");
  if (!type) type = HuggingfaceKeys(root).find("model_type");
  if (!type)
    throw InputError(root.where, "the configuration has no `model_type`; it has to be " +
                                     alternatives(huggingface_model_types()));
  const std::string& word = scalar_of(*type, "model_type");
  if (is_nested)
    for (const auto& [all, text] : types_of_text)
      if (all == word) return std::string(text);
  return word;
}

// Keys that say how a model of Llama's form is built, and, behind the first five, keys of no effect.
constexpr std::array<std::string_view, 5> sizes_of_llama{
    "hidden_size", "intermediate_size", "num_hidden_layers", "num_attention_heads", "vocab_size"};
constexpr std::string_view known_or_without_effect[] = {"num_key_value_heads",
                                                        "head_dim",
                                                        "max_position_embeddings",
                                                        "hidden_act",
                                                        "attention_bias",
                                                        "mlp_bias",
                                                        "attention_dropout",
                                                        "sliding_window",
                                                        "layer_types",
                                                        "tie_word_embeddings",
                                                        "model_type",
                                                        "architectures",
                                                        "auto_map",
                                                        "dtype",
                                                        "torch_dtype",
                                                        "transformers_version",
                                                        "initializer_range",
                                                        "rms_norm_eps",
                                                        "use_cache",
                                                        "rope_theta",
                                                        "rope_scaling",
                                                        "rope_parameters",
                                                        "bos_token_id",
                                                        "eos_token_id",
                                                        "pad_token_id",
                                                        "quantization_config",
                                                        "pretraining_tp",
                                                        "_name_or_path"};

// Returns an offer to read a model as one of Llama's, with what that would ignore; empty where sizes are
// missing.
std::string offer_of_llama(const HuggingfaceKeys& config) {
  if (!std::ranges::all_of(sizes_of_llama, [&](std::string_view key) { return config.find(key) != nullptr; }))
    return {};
  std::string ignored;
  for (const InputName& name : config.names()) {
    const auto is_it = [&](std::string_view key) { return key == name.text; };
    if (std::ranges::any_of(sizes_of_llama, is_it) || std::ranges::any_of(known_or_without_effect, is_it))
      continue;
    ignored += (ignored.empty() ? "" : ", ") + backquoted(name.text);
  }
  return fmt::format(
      "; with `llama` as its `model_type`, this configuration is read by the keys that it has in common with "
      "that type{}",
      ignored.empty() ? "" : ", without " + ignored);
}

[[noreturn]] void refuse_type(const std::string& type, const HuggingfaceKeys& config,
                              const SourceLocation& where) {
  const auto known = huggingface_model_types();
  throw InputError(
      where,
      fmt::format("models of type {} are not known{}; known are {}. A transformer file can describe "
                  "others{}",
                  backquoted(type), suggestion(type, known), alternatives(known), offer_of_llama(config)));
}

void warn_of_missing(const HuggingfaceKeys& config, const std::string& type, const SourceLocation& where,
                     Warnings& warnings) {
  if (config.missing().empty()) return;
  std::string list;
  for (const auto& [key, usual] : config.missing())
    list += fmt::format("{}`{}` ({})", list.empty() ? "" : ", ", key, usual);
  warnings.add(where,
               fmt::format("keys that are not given have the value that the library takes for models of type "
                           "`{}`: {}",
                           type, list));
}

}  // namespace

bool is_huggingface_config(std::string_view text) {
  const auto has = [&](std::string_view key) { return text.find(key) != text.npos; };
  if (text.starts_with("\xEF\xBB\xBF")) text.remove_prefix(3);  // byte order mark
  const std::size_t first = text.find_first_not_of(" \t\r\n");
  if (first == text.npos || text[first] != '{') return false;
  return has("\"model_type\"") || has("\"architectures\"");
}

Transformer read_huggingface_config(std::string_view text, const std::string& file, Warnings& warnings) {
  const InputNode root = parse_json(text, file);
  const HuggingfaceKeys outer(map_around_text_model(root));
  const InputNode* const inner = text_model_of(outer);
  HuggingfaceKeys keys(inner ? *inner : root);
  if (inner)
    warnings.add(inner->where, "the language model alone is counted: parts that see or hear are left out");
  const std::string word = type_of(keys, outer, inner != nullptr, root);
  const SourceLocation where = keys.find("model_type") ? keys.where("model_type") : outer.where("model_type");
  const HuggingfaceType* const type = find_huggingface_type(word);
  if (!type) refuse_type(word, keys, where);
  if (!type->read)
    throw InputError(where, fmt::format("models of type `{}` cannot be expressed: {}", word, type->refusal));
  Transformer model = type->read({keys, type->usual, warnings});
  if (inner && !keys.find("tie_word_embeddings"))
    model.tied_embeddings = outer.flag("tie_word_embeddings", model.tied_embeddings);
  model.name = word;
  model.source = file;
  model.vocabulary = keys.size("vocab_size", largest_vocabulary, type->usual.vocabulary);
  complete_transformer(model, [&](std::string_view key) { return place_in(keys, key); });
  choose_expert_layers(keys, model, warnings);
  warn_of_missing(keys, word, inner ? inner->where : root.where, warnings);
  warn_of_unmodelled(keys, model, type->usual.window, warnings);
  return model;
}

}  // namespace orrery::core
