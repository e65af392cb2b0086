// The layer table of ASTRA-sim 1.0: a training policy and, per layer, three compute times and collectives.
#pragma once

#include <algorithm>
#include <optional>
#include <string>
#include <vector>

#include "base/diagnostics/diagnostics.hpp"
#include "base/units/bandwidth.hpp"
#include "base/units/bytes.hpp"
#include "base/units/time.hpp"
#include "collective/plan/system_config.hpp"
#include "program/execution_graph.hpp"
#include "workload/pipeline/pipeline_schedule.hpp"

namespace orrery::core {

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
  // ALLREDUCEALLTOALL can be read, but is an error when a training loop would issue it.
  bool all_reduce_all_to_all = false;
  Bytes size;
  std::uint32_t root = 0;      // as in CollectiveRequest
  Contention contention = {};  // on a device whose kernels carry out collectives
  int kernels = 1;             // that compute it
  Time awaits_host = {};       // before it is computed, until the host has launched that

  // Returns whether there is a collective. One of no bytes counts as none (docs/models/training-loops.md,
  // Collectives of no bytes), unless it is a barrier.
  bool communicates() const {
    return all_reduce_all_to_all || (collective && (size > Bytes() || collective == CollectiveKind::barrier));
  }
};

// Options of training the layers as a pipeline.
struct PipelineOptions {
  PipelineSchedule schedule = PipelineSchedule::one_forward_one_backward;
  int micro_batches = 1;
  int virtual_stages = 1;
  std::string dimension;  // network dimension whose NPUs are the stages; empty: the last
  SourceLocation where, dimension_where;
};

// Gradients of several layers share an all-reduce (workload/generate/gradient_buckets.hpp).
struct GradientBuckets {
  Bytes size = Bytes(25 << 20);  // a bucket is full when it holds this much
  Bytes first = Bytes(1 << 20);  // size of the first bucket, which holds the last layers' gradients
  SourceLocation where;
};

// What PyTorch's DistributedDataParallel does besides the all-reduces of buckets
// (workload/generate/data_parallel_exchanges.hpp).
struct DataParallelTraining {
  bool broadcasts_states = true;         // rank 0 sends all parameters to all ranks before the first step
  bool finds_unused_parameters = false;  // ranks tell each other which parameters they used in a step
  int micro_batches = 1;  // passes of a step; gradients are exchanged in the last one alone (`no_sync`)
  Bytes states = {};      // that rank 0 sends
  Bytes used_map = {};    // of the message about used parameters
  SourceLocation where = {};
};

// The times that the process which drives the NPUs of a server spends on them (docs/models/host-process.md).
struct HostTimes {
  Time batch = {};     // on a pass, whatever the number of NPUs
  Time sample = {};    // on handing one sample to an NPU
  Time kernel = {};    // on launching one kernel on an NPU, while NPUs compute what was launched before
  Time call = {};      // on an array whose gradients are exchanged, for each NPU
  Time exchange = {};  // on an exchange of gradients, for each NPU besides the first
  Time metric = {};    // on evaluating how well an NPU did in a pass
  int npus = 0;        // NPUs in one server; 0: all
  SourceLocation where = {};

  // Returns whether the process takes any time.
  bool takes_time() const { return std::max({batch, sample, kernel, call, exchange, metric}) > Time(); }
};

// How many steps it takes to train a model whose gradients belong to weights that are older than those to
// which they are applied.
struct Convergence {
  double steps = 0;   // of one NPU's batch each, without staleness
  double growth = 0;  // by which they become more, as a share, with each step of mean staleness
  std::optional<double> diverges_at;  // the mean staleness from which training gets nowhere

  // Returns none where training gets nowhere.
  std::optional<double> steps_at(double staleness) const {
    if (diverges_at && staleness >= *diverges_at) return std::nullopt;
    return steps * (1 + growth * staleness);
  }
};

// Says which ranks hold the parameters when no collectives exchange them (workload/parameter_server/).
struct ParameterServerOptions {
  std::optional<int> servers = 1;  // none: every rank is one
  int rank = 0;                    // the first server, which the others follow
  bool servers_train = true;       // else they do nothing but serve
  // Each layer is held by one server, the one with the fewest bytes until then, largest layers first. If
  // false, every server holds an equal share of each layer.
  bool whole_layers = false;
  bool synchronous = true;  // weights are sent when the gradients of all ranks are in
  // Asynchronous: number of training steps that a rank may be ahead of the slowest one.
  int staleness = 0;
  // Rate at which a server adds up or applies gradients; none: it takes no time.
  std::optional<Bandwidth> update_bandwidth;
  std::optional<Convergence> convergence;
  SourceLocation where, rank_where;
};

// A number of samples whose training is of interest. Of its steps only the first ones are simulated, as the
// others repeat the last of these.
struct Epoch {
  double samples = 0;
  SourceLocation where;
};

struct Layer {
  std::string name;
  LayerStep forward, input_gradient, weight_gradient;
  Time delay;  // added after every collective of this layer; never scaled
  // Only under hybrid_customized; if it is empty there, the layer cannot be used.
  std::optional<TrainingPolicy> policy;
  SourceLocation where;
  int arrays = 1;          // arrays of parameters, such as weights and biases
  Bytes output = {};       // for pipelines: what the next layer gets from one micro-batch
  bool ends_block = true;  // for pipelines: the next layer may be on another stage
  Time host_calls = {};    // between the weight gradient and its exchange, which the host starts

  const LayerStep& step(Pass pass) const {
    if (pass == Pass::forward) return forward;
    return pass == Pass::input_gradient ? input_gradient : weight_gradient;
  }
};

struct LayerTable {
  TrainingPolicy policy = TrainingPolicy::data;
  std::vector<Layer> layers;
  int model_parallel_group = 1;                     // transformer policies: NPUs per model-parallel group
  std::vector<int> checkpoints;                     // recomputation starts at one of these layers ...
  std::vector<int> initiators;                      // ... when the backward pass reaches one of these
  int last_bottom_layer = 0;                        // DLRM policies
  std::optional<PipelineOptions> pipeline;          // under data: times and outputs are of one micro-batch
  std::optional<GradientBuckets> gradient_buckets;  // under data
  std::optional<DataParallelTraining> ddp;          // under data
  std::optional<HostTimes> host;                    // under data
  std::optional<ParameterServerOptions> parameter_server;  // under data
  int samples = 1;             // samples that an NPU computes in a pass, where known
  Time evaluation = {};        // behind each backward pass, in which the host evaluates the outputs
  std::optional<Epoch> epoch;  // under data
  SourceLocation where;
  SourceLocation group_where;  // where the model-parallel group is written, if it is

  std::vector<std::string> names() const {
    std::vector<std::string> names;
    for (const Layer& layer : layers) names.push_back(layer.name);
    return names;
  }
  const SourceLocation& where_of_group() const { return group_where.file.empty() ? where : group_where; }
};

}  // namespace orrery::core
