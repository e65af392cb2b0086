#include "workload/astra1/layer_table_writer.hpp"

#include "workload/astra1/layer_table_words.hpp"

namespace orrery::core {
namespace {

std::string list_of(const std::vector<int>& indices) {
  std::string out = std::to_string(indices.size());
  for (const int index : indices) out += " " + std::to_string(index);
  return out;
}

std::string header_of(const LayerTable& table) {
  std::string policy(word_of(policy_words, table.policy));
  const std::string group = " model_parallel_NPU_group: " + std::to_string(table.model_parallel_group);
  switch (table.policy) {
    case TrainingPolicy::hybrid_transformer:
      return policy + group;
    case TrainingPolicy::hybrid_transformer_fwd_in_bckwd:
      return policy + group + " checkpoints: " + list_of(table.checkpoints) +
             " checkpoint_initiates: " + list_of(table.initiators);
    case TrainingPolicy::hybrid_dlrm:
    case TrainingPolicy::hybrid_dlrm_enhanced:
      return policy + " " + std::to_string(table.last_bottom_layer);
    default:
      return policy;
  }
}

std::string step_of(const LayerStep& step) {
  const std::string_view word =
      word_of(collective_words, CollectiveWord{step.collective, step.all_reduce_all_to_all});
  return "\t" + std::to_string(step.compute.whole_ns()) + "\t" + std::string(word) + "\t" +
         std::to_string(step.size.count());
}

}  // namespace

std::string write_layer_table(const LayerTable& table) {
  std::string out = header_of(table) + "\n" + std::to_string(table.layers.size()) + "\n";
  for (const Layer& layer : table.layers) {
    out += layer.name + "\t-1" + step_of(layer.forward) + step_of(layer.input_gradient) +
           step_of(layer.weight_gradient) + "\t" + std::to_string(layer.delay.whole_ns());
    // An unusable policy reads back as one when it is no policy word at all.
    if (table.policy == TrainingPolicy::hybrid_customized)
      out += "\t" + std::string(layer.policy ? word_of(policy_words, *layer.policy) : "NONE");
    out += "\n";
  }
  return out;
}

}  // namespace orrery::core
