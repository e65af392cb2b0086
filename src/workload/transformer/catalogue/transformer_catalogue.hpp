// The transformers that come with the program, and files of users.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/diagnostics/diagnostics.hpp"
#include "base/files/file_loader.hpp"
#include "workload/transformer/transformer.hpp"

namespace orrery::core {

// Returns the words of all transformers, in alphabetical order.
std::vector<std::string_view> transformer_words();

// Returns the transformer of one of these words. `where` is the place of the word. Throws InputError.
Transformer find_transformer(const std::string& word, const SourceLocation& where);

// Finds a transformer by its word, or by the path of a transformer file or of a Hugging Face configuration
// (".json"). The latter may warn of what is not modelled. Throws InputError.
Transformer find_transformer(const std::string& word_or_path, const SourceLocation& where,
                             const FileLoader& load, Warnings& warnings);

// Reads a transformer file or a configuration of Hugging Face, whatever its name; the content says which it
// is. Throws InputError.
Transformer read_transformer(const std::string& text, const std::string& file, Warnings& warnings);

}  // namespace orrery::core
