#include "workload/astra1/participation.hpp"

#include <fmt/format.h>

#include <string>

namespace orrery::core {

namespace {

const DimensionSet no_dimensions;
const DimensionSet all_dimensions = ~no_dimensions;
const DimensionSet innermost{1};

Participation participation_of(TrainingPolicy policy) {
  switch (policy) {
    case TrainingPolicy::data:
    case TrainingPolicy::data_reorder:
    case TrainingPolicy::micro:
    case TrainingPolicy::hybrid_dlrm:
    case TrainingPolicy::hybrid_dlrm_enhanced:
      return {no_dimensions, no_dimensions, all_dimensions};
    case TrainingPolicy::model:
    case TrainingPolicy::distributed_inference:
      return {all_dimensions, all_dimensions, no_dimensions};
    case TrainingPolicy::hybrid_data_model:
      return {innermost, innermost, ~innermost};
    case TrainingPolicy::hybrid_model_data:
      return {~innermost, ~innermost, innermost};
    case TrainingPolicy::hybrid_customized:
    case TrainingPolicy::hybrid_transformer:
    case TrainingPolicy::hybrid_transformer_fwd_in_bckwd:
      break;  // not decided by the policy alone
  }
  return {};
}

}  // namespace

GroupLayout lay_out_group(const LayerTable& table, const Topology& topology, const Dialect& dialect,
                          Warnings& warnings) {
  const bool transformer = table.policy == TrainingPolicy::hybrid_transformer ||
                           table.policy == TrainingPolicy::hybrid_transformer_fwd_in_bckwd;
  const int group = table.model_parallel_group;
  if (!transformer || group == 1) return {};
  const std::string what = fmt::format("the model-parallel group of {} NPUs ", group);
  const auto object = [&](const std::string& fault, const std::string& consequence) {
    if (!dialect.lenient_groups) {
      throw InputError(table.where_of_group(), what + fault + ", choose another group size");
    }
    warnings.add(table.where_of_group(), what + fault + ", " + consequence);
  };
  int below = 1;  // NPUs of the group in lower dimensions
  for (int d = 0; d < static_cast<int>(topology.dimensions.size()); ++d) {
    const int size = topology.dimensions[d].size;
    if (static_cast<long long>(below) * size < group) {
      below *= size;
      continue;
    }
    if (below * size == group) return {std::nullopt, d};
    const int first = group / below;
    if (size % first != 0) {
      throw InputError(
          table.where_of_group(),
          what + fmt::format("needs {} of the {} NPUs of dimension {}, which does not divide them, "
                             "choose another group size",
                             first, size, d));
    }
    if (first * below != group) {
      object(fmt::format("is no multiple of the {} NPUs below dimension {}, in which it ends", below, d),
             fmt::format("it is cut to {}", first * below));
    }
    return {DimensionSplit{d, first}, d};
  }
  object(fmt::format("is larger than the machine of {}", below), "all layers are data-parallel");
  return {};
}

Participation participation(const LayerTable& table, std::size_t layer, const GroupLayout& layout) {
  switch (table.policy) {
    case TrainingPolicy::hybrid_transformer:
    case TrainingPolicy::hybrid_transformer_fwd_in_bckwd: {
      DimensionSet model;
      for (int d = 0; d <= layout.last_model_dimension; ++d) model.set(d);
      return {model, model, ~model};
    }
    case TrainingPolicy::hybrid_customized: {
      const auto& own = table.layers[layer].policy;
      return own ? participation_of(*own) : Participation{};
    }
    case TrainingPolicy::hybrid_dlrm:
    case TrainingPolicy::hybrid_dlrm_enhanced:
      // Layer 0 stands for the embedding tables, spread over all NPUs.
      if (layer == 0) return {all_dimensions, all_dimensions, all_dimensions};
      break;
    default:
      break;
  }
  return participation_of(table.policy);
}

}  // namespace orrery::core
