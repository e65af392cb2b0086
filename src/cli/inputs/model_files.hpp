// Shows what files of transformers describe, among them Hugging Face's `config.json`.
#pragma once

#include <string>
#include <vector>

#include "cli/inputs/input_kinds.hpp"

namespace orrery::core {

// Returns whether this is a file that describes a transformer, told by its content.
bool describes_transformer(const std::string& file);

// Reads Hugging Face's `config.json` and returns what it is, in words. Throws InputError.
std::string check_huggingface_config(const InputCheck& input);

// Prints the table of transformers for these files, or its JSON, and warnings. Throws InputError.
void print_transformers(const std::vector<std::string>& files, bool json);

}  // namespace orrery::core
