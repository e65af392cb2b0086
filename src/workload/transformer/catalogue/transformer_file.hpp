// Reads transformer files: YAML with the model's sizes (docs/inputs/transformers.md, "Transformer files").
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/input/keys.hpp"
#include "workload/transformer/transformer.hpp"

namespace orrery::core {

// Throws InputError.
Transformer read_transformer_file(std::string_view text, const std::string& file);

// Returns every key of transformer files.
std::vector<KeyPath> transformer_file_keys();

}  // namespace orrery::core
