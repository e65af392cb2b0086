// Reads the `config.json` of models in the format of Hugging Face's Transformers.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "workload/transformer/transformer.hpp"

namespace orrery {

// Throws InputError, also for architectures (`model_type`) that it does not know. Keys that say nothing of
// sizes are passed over.
Transformer read_huggingface_config(std::string_view text, const std::string& file);

std::vector<std::string_view> huggingface_model_types();

}  // namespace orrery
