#include "workload/transformer/transformer_catalogue.hpp"

#include "base/embedded_file.hpp"
#include "base/nearest_names.hpp"
#include "base/words.hpp"
#include "workload/transformer/huggingface_config.hpp"
#include "workload/transformer/transformer_file.hpp"

namespace orrery {

std::vector<std::string_view> transformer_words() {
  return embedded_names("transformers");
}

Transformer find_transformer(const std::string& word, const SourceLocation& where) {
  const std::string name = "transformers/" + word + ".yaml";
  if (const auto text = embedded_file(name)) return read_transformer_file(*text, name);
  const auto words = transformer_words();
  throw InputError(where, none_of_name("transformer", word, words) +
                              " (`orrery list models` shows all); a transformer file ends in .yaml, a "
                              "configuration of Hugging Face in .json");
}

Transformer find_transformer(const std::string& word_or_path, const SourceLocation& where,
                             const FileLoader& load, Warnings& warnings) {
  if (word_or_path.ends_with(".json"))
    return read_huggingface_config(load(word_or_path), word_or_path, warnings);
  if (word_or_path.find('/') != std::string::npos || word_or_path.ends_with(".yaml") ||
      word_or_path.ends_with(".yml"))
    return read_transformer_file(load(word_or_path), word_or_path);
  return find_transformer(word_or_path, where);
}

}  // namespace orrery
