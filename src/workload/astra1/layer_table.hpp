// The layer table of ASTRA-sim 1.0: a training policy and, per layer, three compute times and collectives.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/bytes.hpp"
#include "base/diagnostics.hpp"
#include "base/time.hpp"
#include "collective/system_config.hpp"

namespace orrery {

enum class TrainingPolicy {
  data,
  model,
  hybrid_data_model,
  hybrid_model_data,
  hybrid_customized,
  hybrid_transformer,
  hybrid_transformer_fwd_in_bckwd,
  hybrid_dlrm,
  hybrid_dlrm_enhanced,
  distributed_inference,
  micro,
  data_reorder,
};

// One of forward, input gradient, weight gradient. Time and size are as the user wrote them, before scaling.
struct LayerStep {
  Time compute;
  std::optional<CollectiveKind> collective;
  // ALLREDUCEALLTOALL: readable, but an error when a training loop would issue it.
  bool all_reduce_all_to_all = false;
  Bytes size;
};

struct Layer {
  std::string name;
  LayerStep forward, input_gradient, weight_gradient;
  Time delay;                            // after every collective of this layer; never scaled
  std::optional<TrainingPolicy> policy;  // only under hybrid_customized; empty there: unusable
  SourceLocation where;
};

struct LayerTable {
  TrainingPolicy policy = TrainingPolicy::data;
  std::vector<Layer> layers;
  int model_parallel_group = 1;  // transformer policies: NPUs per model-parallel group
  std::vector<int> checkpoints;  // recomputation starts at one of these layers ...
  std::vector<int> initiators;   // ... when the backward pass reaches one of these
  int last_bottom_layer = 0;     // DLRM policies
  SourceLocation where;
  SourceLocation group_where;  // of the model-parallel group, when it is written down

  const SourceLocation& where_of_group() const { return group_where.file.empty() ? where : group_where; }
};

}  // namespace orrery
