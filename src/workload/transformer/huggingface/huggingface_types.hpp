// The types of models (`model_type`) in the format of Hugging Face's Transformers that can be read: decoders
// or encoders of attention and MLPs. A new one is a line in the table of huggingface_types.cpp, and a
// function where its keys differ from those of others.
#pragma once

#include <string_view>
#include <vector>

#include "base/diagnostics/diagnostics.hpp"
#include "workload/transformer/huggingface/huggingface_keys.hpp"
#include "workload/transformer/transformer.hpp"

namespace orrery::core {

// What the library's class of a type takes for keys that are not given. 0: as the reader of the type says.
struct HuggingfaceUsual {
  std::uint64_t layers = 0, hidden = 0, heads = 0, kv_heads = 0, head_width = 0, ffn = 0;
  std::uint64_t vocabulary = 0, sequence = 0;
  bool tied = false;
  std::uint64_t window = 0;  // tokens that some layers see
  std::uint64_t experts = 0, experts_per_token = 0, expert_ffn = 0;
};

struct HuggingfaceReading {
  HuggingfaceKeys& keys;
  const HuggingfaceUsual& usual;
  Warnings& warnings;
};

struct HuggingfaceType {
  std::string_view name;
  // Returns the model, but for its name and vocabulary.
  Transformer (*read)(const HuggingfaceReading& config);
  HuggingfaceUsual usual;
  std::string_view refusal = {};  // why models of this type cannot be expressed; empty: they can
};

// Returns null for a type that is not known.
const HuggingfaceType* find_huggingface_type(std::string_view name);

// Returns the names of all types that can be read.
std::vector<std::string_view> huggingface_model_types();

}  // namespace orrery::core
