// Warns of keys of a `config.json` that change what a model computes, but that transformers here cannot
// express. Each warning is at the key's line and says what is counted instead.
#pragma once

#include "base/diagnostics/diagnostics.hpp"
#include "workload/transformer/huggingface/huggingface_keys.hpp"
#include "workload/transformer/transformer.hpp"

namespace orrery::core {

// Sets which layers have experts, where the configuration says more than a period (`mlp_only_layers`,
// `moe_layer_freq`, `moe_layers`). The model has to be complete in everything else.
void choose_expert_layers(const HuggingfaceKeys& config, Transformer& model, Warnings& warnings);

// `usual_window` is the number of tokens that some layers see where the configuration does not say it; 0:
// all.
void warn_of_unmodelled(const HuggingfaceKeys& config, const Transformer& model, std::uint64_t usual_window,
                        Warnings& warnings);

}  // namespace orrery::core
