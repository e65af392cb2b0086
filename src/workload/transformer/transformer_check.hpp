// Checks that all readers of transformers share. It fills in sizes that follow from others, and checks
// whether sizes fit together.
#pragma once

#include <functional>
#include <string_view>

#include "base/diagnostics/diagnostics.hpp"
#include "workload/transformer/transformer.hpp"

namespace orrery::core {

// Numbers of parameters fit 64 bits up to these limits.
inline constexpr int max_layers = 1 << 12, max_experts = 1 << 13, max_heads = 1 << 13;
inline constexpr int widest_layer = 1 << 18, largest_vocabulary = 1 << 27, longest_sequence = 1 << 24;

// Returns where the user wrote a size; `key` is named as in transformer files.
using TransformerPlaces = std::function<SourceLocation(std::string_view key)>;

// Fills in what is 0: `kv_heads` (as heads), `head_width` (hidden / heads) and `ffn` (4 hidden). Throws
// InputError when sizes do not fit together.
void complete_transformer(Transformer& model, const TransformerPlaces& where);

}  // namespace orrery::core
