#include "report/model_list.hpp"

#include <fmt/format.h>

#include <iterator>
#include <nlohmann/json.hpp>

namespace orrery {

std::string model_list_text(const std::vector<ModelSummary>& models) {
  std::string text = fmt::format("{:<16} {:>7} {:>12} {:>14}  {}\n", "model", "layers", "parameters",
                                 "GFLOP/sample", "what");
  for (const ModelSummary& model : models) {
    fmt::format_to(std::back_inserter(text), "{:<16} {:>7} {:>10.2f} M {:>14.3f}  {}\n", model.word,
                   model.layers, model.parameters / 1e6, model.flops_per_sample / 1e9, model.description);
  }
  return text;
}

nlohmann::json model_list_to_json(const std::vector<ModelSummary>& models) {
  nlohmann::json list = nlohmann::json::array();
  for (const ModelSummary& model : models) {
    list.push_back({{"model", model.word},
                    {"name", model.name},
                    {"description", model.description},
                    {"layers", model.layers},
                    {"parameters", model.parameters},
                    {"flops_per_sample", model.flops_per_sample}});
  }
  return {{"models", list}};
}

}  // namespace orrery
