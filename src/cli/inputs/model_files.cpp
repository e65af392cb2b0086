#include "cli/inputs/model_files.hpp"

#include <fmt/format.h>

#include <fstream>
#include <nlohmann/json.hpp>

#include "base/files/input_log.hpp"
#include "cli/console.hpp"
#include "report/catalogue.hpp"
#include "workload/transformer/catalogue/transformer_catalogue.hpp"
#include "workload/transformer/huggingface/huggingface_config.hpp"

namespace orrery::core {

bool describes_transformer(const std::string& file) {
  std::ifstream stream(file, std::ios::binary);
  constexpr std::size_t enough = 1 << 20;  // such files are short, and traces long
  std::string text(enough, '\0');
  stream.read(text.data(), static_cast<std::streamsize>(text.size()));
  text.resize(static_cast<std::size_t>(stream.gcount()));
  if (text.size() == enough) return false;
  return is_huggingface_config(text) || kind_of_input(text).name == transformer_file_name;
}

std::string check_huggingface_config(const InputCheck& input) {
  const Transformer model = read_huggingface_config(input.text, input.file, input.warnings);
  const TransformerParameters parameters = transformer_parameters(model);
  const std::string active = parameters.active < parameters.total()
                                 ? fmt::format(", of which a token passes {}", parameters.active)
                                 : std::string();
  return fmt::format("configuration of a Hugging Face model of type {}: {} layers, {} parameters{}",
                     model.name, model.layers, parameters.total(), active);
}

void print_transformers(const std::vector<std::string>& files, bool json) {
  Warnings warnings;
  std::vector<ListedTransformer> listed;
  const InputLog inputs(InputLog::Holds::paths);
  for (const std::string& file : files)
    listed.push_back({file, read_transformer(inputs.read(file), file, warnings)});
  print_warnings(warnings);
  if (json)
    print_json(transformer_list_to_json(listed).dump(2) + "\n");
  else
    print(text_of(transformer_table, listed));
}

}  // namespace orrery::core
