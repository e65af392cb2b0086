// Reads the `config.json` of models in the format of Hugging Face's Transformers.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/diagnostics/diagnostics.hpp"
#include "workload/transformer/huggingface/huggingface_types.hpp"
#include "workload/transformer/transformer.hpp"

namespace orrery::core {

// Returns whether a text looks like such a file.
bool is_huggingface_config(std::string_view text);

// Throws InputError, also for architectures (`model_type`) that it does not know. Warns of keys that change
// what is computed but are not modelled. Keys that say nothing about sizes are passed over.
Transformer read_huggingface_config(std::string_view text, const std::string& file, Warnings& warnings);
}  // namespace orrery::core
