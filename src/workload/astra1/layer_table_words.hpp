// The words of ASTRA-sim 1.0's layer table.
#pragma once

#include <algorithm>
#include <array>
#include <cctype>
#include <optional>
#include <string>

#include "base/diagnostics/words.hpp"
#include "workload/astra1/layer_table.hpp"

namespace orrery::core {

inline constexpr std::array<EnumName<TrainingPolicy>, 12> policy_words{{
    {"DATA", TrainingPolicy::data},
    {"MODEL", TrainingPolicy::model},
    {"HYBRID_DATA_MODEL", TrainingPolicy::hybrid_data_model},
    {"HYBRID_MODEL_DATA", TrainingPolicy::hybrid_model_data},
    {"HYBRID_CUSTOMIZED", TrainingPolicy::hybrid_customized},
    {"HYBRID_TRANSFORMER", TrainingPolicy::hybrid_transformer},
    {"HYBRID_TRANSFORMER_FWD_IN_BCKWD", TrainingPolicy::hybrid_transformer_fwd_in_bckwd},
    {"HYBRID_DLRM", TrainingPolicy::hybrid_dlrm},
    {"HYBRID_DLRM_ENHANCED", TrainingPolicy::hybrid_dlrm_enhanced},
    {"DISTRIBUTED_INFERENCE", TrainingPolicy::distributed_inference},
    {"MICRO", TrainingPolicy::micro},
    {"DATA_REORDER", TrainingPolicy::data_reorder},
}};

// Returns the policy as experiments write it: "hybrid-data-model".
inline std::string text_of(TrainingPolicy policy) {
  std::string text(word_of(policy_words, policy));
  for (char& c : text) c = c == '_' ? '-' : static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return text;
}

// Returns whether a layer may carry this policy under HYBRID_CUSTOMIZED.
constexpr bool usable_as_layer_policy(TrainingPolicy policy) {
  constexpr std::array unusable{TrainingPolicy::hybrid_customized, TrainingPolicy::hybrid_transformer,
                                TrainingPolicy::hybrid_transformer_fwd_in_bckwd,
                                TrainingPolicy::data_reorder};
  return std::ranges::find(unusable, policy) == unusable.end();
}

// The meaning of a collective word in the table.
struct CollectiveWord {
  std::optional<CollectiveKind> kind;
  bool all_reduce_all_to_all = false;

  bool operator==(const CollectiveWord&) const = default;
};
inline constexpr std::array<EnumName<CollectiveWord>, 6> collective_words{{
    {"ALLREDUCE", {CollectiveKind::all_reduce}},
    {"ALLGATHER", {CollectiveKind::all_gather}},
    {"REDUCESCATTER", {CollectiveKind::reduce_scatter}},
    {"ALLTOALL", {CollectiveKind::all_to_all}},
    {"NONE", {}},
    {"ALLREDUCEALLTOALL", {std::nullopt, true}},
}};

}  // namespace orrery::core
