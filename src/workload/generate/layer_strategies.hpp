// The words by which users choose how NPUs share a network, and files that choose layer by layer.
#pragma once

#include <array>
#include <string>
#include <string_view>
#include <vector>

#include "base/diagnostics/diagnostics.hpp"
#include "base/diagnostics/words.hpp"
#include "workload/astra1/layer_table.hpp"

namespace orrery {

// The policies of a network as users write them. Under the last one, every layer has one of the others.
inline constexpr std::array<EnumName<TrainingPolicy>, 5> strategy_words{{
    {"data", TrainingPolicy::data},
    {"model", TrainingPolicy::model},
    {"hybrid-data-model", TrainingPolicy::hybrid_data_model},
    {"hybrid-model-data", TrainingPolicy::hybrid_model_data},
    {"hybrid-customized", TrainingPolicy::hybrid_customized},
}};

struct LayerStrategy {
  std::string layer;
  TrainingPolicy policy;  // a policy that splits a layer
  SourceLocation where;
};

// Reads CSV behind a header: `layer,strategy`. Blank lines are skipped. Throws InputError, also when a layer
// is named twice. `file` names the text in messages.
std::vector<LayerStrategy> read_layer_strategies(std::string_view text, const std::string& file,
                                                 Warnings& warnings);

}  // namespace orrery
