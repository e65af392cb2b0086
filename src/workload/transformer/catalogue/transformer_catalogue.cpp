#include "workload/transformer/catalogue/transformer_catalogue.hpp"

#include "base/files/embedded_file.hpp"
#include "workload/transformer/catalogue/transformer_file.hpp"
#include "workload/transformer/huggingface/huggingface_config.hpp"

namespace orrery::core {

std::vector<std::string_view> transformer_words() {
  return embedded_names("transformers");
}

Transformer find_transformer(const std::string& word, const SourceLocation& where) {
  Warnings none;
  return find_transformer(word, where, no_files(), none);
}

Transformer find_transformer(const std::string& word_or_path, const SourceLocation& where,
                             const FileLoader& load, Warnings& warnings) {
  constexpr Catalogue transformers{"transformers", "transformer",
                                   " (`orrery list models` shows all); a transformer file ends in .yaml, a "
                                   "configuration of Hugging Face in .json"};
  const FoundFile file = find_file(transformers, word_or_path, where, load);
  return file.name.ends_with(".json") ? read_huggingface_config(file.text, file.name, warnings)
                                      : read_transformer_file(file.text, file.name);
}

Transformer read_transformer(const std::string& text, const std::string& file, Warnings& warnings) {
  return is_huggingface_config(text) ? read_huggingface_config(text, file, warnings)
                                     : read_transformer_file(text, file);
}

}  // namespace orrery::core
