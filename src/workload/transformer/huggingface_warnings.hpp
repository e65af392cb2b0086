// Keys of a `config.json` that change what a model computes, but that transformers here cannot say: each is
// warned about at its line, with what is counted instead.
#pragma once

#include "base/diagnostics.hpp"
#include "workload/transformer/huggingface_keys.hpp"
#include "workload/transformer/transformer.hpp"

namespace orrery {

// Sets which layers have experts, where the configuration says more than a period (`mlp_only_layers`,
// `moe_layer_freq`). The model has to be complete otherwise.
void choose_expert_layers(const HuggingfaceKeys& config, Transformer& model, Warnings& warnings);

void warn_of_unmodelled(const HuggingfaceKeys& config, const Transformer& model, Warnings& warnings);

}  // namespace orrery
