#include "workload/astra1/layer_table_words.hpp"

namespace orrery {
namespace {

constexpr std::array<Word<TrainingPolicy>, 12> policies{{
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

}  // namespace

std::string_view name_of(TrainingPolicy policy) {
  return word_of(policies, policy);
}

std::optional<TrainingPolicy> training_policy_from(std::string_view word) {
  return value_of(policies, word);
}

std::vector<std::string_view> training_policy_words() {
  return words_of(policies);
}

bool usable_as_layer_policy(TrainingPolicy policy) {
  switch (policy) {
    case TrainingPolicy::data:
    case TrainingPolicy::model:
    case TrainingPolicy::hybrid_data_model:
    case TrainingPolicy::hybrid_model_data:
    case TrainingPolicy::hybrid_dlrm:
    case TrainingPolicy::hybrid_dlrm_enhanced:
    case TrainingPolicy::distributed_inference:
    case TrainingPolicy::micro:
      return true;
    case TrainingPolicy::hybrid_customized:
    case TrainingPolicy::hybrid_transformer:
    case TrainingPolicy::hybrid_transformer_fwd_in_bckwd:
    case TrainingPolicy::data_reorder:
      return false;
  }
  return false;
}

}  // namespace orrery
