#include "report/transformer_list.hpp"

#include <fmt/format.h>

#include <iterator>
#include <nlohmann/json.hpp>

#include "workload/transformer/model_flops.hpp"
#include "workload/transformer/transformer_catalogue.hpp"

namespace orrery {

std::vector<ListedTransformer> listed_transformers() {
  std::vector<ListedTransformer> list;
  for (const std::string_view word : transformer_words())
    list.push_back({std::string(word), find_transformer(std::string(word), {})});
  return list;
}

std::string transformer_list_text(const std::vector<ListedTransformer>& transformers) {
  std::string text =
      fmt::format("{:<16} {:>7} {:>7} {:>6} {:>8} {:>12} {:>12} {:>16}\n", "transformer", "layers", "hidden",
                  "heads", "sequence", "parameters", "active", "TFLOP/sequence");
  for (const auto& [word, model] : transformers) {
    const TransformerParameters parameters = transformer_parameters(model);
    fmt::format_to(std::back_inserter(text),
                   "{:<16} {:>7} {:>7} {:>6} {:>8} {:>10.3f} B {:>10.3f} B {:>16.3f}\n", word, model.layers,
                   model.hidden, model.heads, model.sequence, double(parameters.total()) / 1e9,
                   double(parameters.active) / 1e9, model_flops(model).forward() / 1e12);
  }
  return text;
}

nlohmann::json transformer_list_to_json(const std::vector<ListedTransformer>& transformers) {
  nlohmann::json list = nlohmann::json::array();
  for (const auto& [word, model] : transformers) {
    const TransformerParameters parameters = transformer_parameters(model);
    list.push_back({{"transformer", word},
                    {"name", model.name},
                    {"source", model.source},
                    {"layers", model.layers},
                    {"hidden", model.hidden},
                    {"heads", model.heads},
                    {"sequence", model.sequence},
                    {"parameters", parameters.total()},
                    {"active_parameters", parameters.active},
                    {"flops_per_sequence", model_flops(model).forward()}});
  }
  return {{"transformers", list}};
}

}  // namespace orrery
