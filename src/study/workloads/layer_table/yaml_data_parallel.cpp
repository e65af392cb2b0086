#include "study/workloads/layer_table/yaml_data_parallel.hpp"

#include <algorithm>

#include "base/diagnostics/words.hpp"
#include "base/text/token_reader.hpp"
#include "study/workloads/layer_table/yaml_parameter_server.hpp"

namespace orrery::core {
namespace {

constexpr int max_ranks_of_host = 1 << 27;
constexpr int max_micro_batches = 1 << 20, max_virtual_stages = 1 << 12;
constexpr double largest_epoch = 1e15;

void read_virtual_stages(const InputNode& node, const KeyFacts& key, PipelineOptions& options) {
  options.virtual_stages = int_of(node, key.name, 1, max_virtual_stages);
  if (options.virtual_stages > 1 && options.schedule != PipelineSchedule::interleaved)
    throw InputError(node.where,
                     "only the schedule `interleaved` has several virtual stages; choose that or leave "
                     "`virtual-stages` out");
}

void read_stage_dimension(const InputNode& node, const KeyFacts& key, PipelineOptions& options) {
  options.dimension = scalar_of(node, key.name);
  options.dimension_where = node.where;
}

constexpr Key<PipelineOptions> pipeline_keys[] = {
    key::integer<&PipelineOptions::micro_batches>(
        "micro-batches", 1, max_micro_batches, "required",
        "number of micro-batches of a training step; it divides `batch`, which is that of one pipeline. "
        "Times of `layers` are those of one micro-batch"),
    key::word<pipeline_schedule_words, &PipelineOptions::schedule>(
        "schedule", "1f1b",
        "GPipe: all forward passes, then all backward passes. 1F1B: a stage runs ahead by the stages behind "
        "it, then one forward and one backward pass in turn. Interleaved: 1F1B with several chunks of the "
        "model on a stage; micro-batches are a multiple of the stages"),
    key::custom<read_virtual_stages>("virtual-stages", "1 to 4096", "1",
                                     "for interleaved schedules: chunks on a stage")
        .trying("1|2|4"),
    key::custom<read_stage_dimension>("dimension", "a dimension's name", "the last",
                                      "dimension of the network whose NPUs are the stages; along the others, "
                                      "pipelines run side by side, data parallel")
        .trying("middle"),
};

Bytes bucket_size(const InputNode& node, const KeyFacts& key) {
  const Bytes size = bytes_of(node, key.name);
  if (size == Bytes()) reject_value(node, key.name, "a size above 0");
  return size;
}

void read_bucket_size(const InputNode& node, const KeyFacts& key, GradientBuckets& buckets) {
  buckets.size = bucket_size(node, key);
  buckets.first = std::min(buckets.first, buckets.size);
}

constexpr Key<GradientBuckets> bucket_keys[] = {
    key::custom<read_bucket_size>("size", "size, above 0", "25 MiB", "size at which a bucket is full")
        .trying("1 MiB|100 MiB")
        .better(Better::either)
        .software(),
    key::declared<bucket_size, KeyType::size, &GradientBuckets::first>(
        "first", "1 MiB, or `size` if that is less", "size of the first bucket")
        .of("size, above 0"),
};

constexpr Key<DataParallelTraining> ddp_keys[] = {
    key::boolean<&DataParallelTraining::broadcasts_states>(
        "broadcast-states", "true",
        "whether rank 0 broadcasts all parameters before the first training step"),
    key::boolean<&DataParallelTraining::finds_unused_parameters>(
        "find-unused-parameters", "false",
        "whether an all-reduce behind the last bucket's tells which parameters no rank has used: 4 bytes for "
        "each array of parameters, such as weights and biases of a model; `layers` count as one array each"),
    key::integer<&DataParallelTraining::micro_batches>(
        "micro-batches", 1, max_micro_batches, "1",
        "number of forward and backward passes of a training step, each of `batch` samples, whose gradients "
        "accumulate; all but the last run under `no_sync`, without an exchange"),
};

void read_ddp(const InputNode& node, LayerTable& table) {
  table.ddp.emplace().where = node.where;
  read_map(node, "`ddp`", ddp_keys, *table.ddp);
  if (!table.gradient_buckets) table.gradient_buckets.emplace().where = node.where;
}

constexpr Key<HostTimes> host_keys[] = {
    key::time<&HostTimes::batch>("batch-time", "0", "time per pass, whatever the number of NPUs").software(),
    key::time<&HostTimes::sample>(
        "sample-time", "0",
        "time per sample and NPU before the first layer's forward pass; for `layers`, time per pass and NPU")
        .software(),
    key::time<&HostTimes::kernel>("kernel-time", "0",
                                  "time that launching a kernel takes, for each NPU. The host launches "
                                  "ahead, so that this shows only where NPUs "
                                  "compute faster than it launches. A step of `layers` counts as a kernel")
        .software(),
    key::time<&HostTimes::call>(
        "call-time", "0",
        "time per array of parameters whose gradients are exchanged, for each NPU: weights and "
        "biases of a model, scales and shifts of its norms; `layers` count as one array each")
        .software(),
    key::time<&HostTimes::exchange>("exchange-time", "0",
                                    "time per exchange of gradients, for each NPU but the first. Each array "
                                    "is exchanged by itself, or each bucket "
                                    "where there are `gradient-buckets`")
        .software(),
    key::time<&HostTimes::metric>(
        "metric-time", "0", "time per NPU behind each backward pass, to evaluate how good the outputs were")
        .software(),
    key::integer<&HostTimes::npus>("npus", 1, max_ranks_of_host, "all", "number of NPUs of one server"),
};

void read_buckets(const InputNode& node, LayerTable& table) {
  table.gradient_buckets.emplace().where = node.where;
  read_map(node, "`gradient-buckets`", bucket_keys, *table.gradient_buckets);
}

void read_host(const InputNode& node, LayerTable& table) {
  table.host.emplace().where = node.where;
  read_map(node, "a host", host_keys, *table.host);
  if (const InputNode* npus = node.find("npus"); npus && !table.host->takes_time())
    throw InputError(npus->where,
                     "a host that takes no time needs no `npus`; give it a time, such as a `sample-time`");
}

void read_epoch(const InputNode& node, const KeyFacts& key, LayerTable& table) {
  table.epoch = Epoch{real_of(node, key.name, 1, largest_epoch), node.where};
}

constexpr Key<LayerTable> data_parallel_keys[] = {
    key::custom<read_buckets>(
        "gradient-buckets", "map, `{}` for all defaults", "none",
        "gradients of several layers in one all-reduce, as PyTorch's DDP has it: from the last layer to the "
        "first, until a bucket has reached its size; the all-reduce starts when the last gradient of the "
        "bucket is there. Layers are not cut")
        .above(keys_of_map<bucket_keys>),
    key::custom<read_ddp>(
        "ddp", "map, `{}` for all defaults", "none",
        "training as PyTorch's DistributedDataParallel has it, with `gradient-buckets` of the default sizes "
        "unless they are given")
        .above(keys_of_map<ddp_keys>),
    key::custom<read_host>("host", "map", "none",
                           "time that the process which drives the NPUs of a server adds, because it does "
                           "one thing after the other; it counts as compute time, `compute-scale` included")
        .above(keys_of_map<host_keys>),
    key::custom<read_epoch>("epoch", "1 to 10¹⁵", "none",
                            "for models: number of samples that all NPUs train on together, whose "
                            "[time](#epochs) is computed from the "
                            "`passes`, of which there have to be two or more")
        .trying("100000")
        .better(Better::never),
};

}  // namespace

PipelineOptions read_yaml_pipeline(const InputNode& node) {
  PipelineOptions options;
  options.where = node.where;
  read_map(node, "a pipeline", pipeline_keys, options);
  return options;
}

std::vector<KeyPath> yaml_pipeline_keys() {
  return keys_of_map<pipeline_keys>();
}

void read_yaml_data_parallel(const InputNode& workload, LayerTable& table) {
  for (const auto& key : data_parallel_keys) {
    const InputNode* node = workload.find(key.name);
    if (!node) continue;
    if (table.policy != TrainingPolicy::data)
      throw InputError(node->where,
                       backquoted(key.name) +
                           " is for the policy `data` alone, under which every NPU has all layers; "
                           "remove it");
    if (table.pipeline)
      throw InputError(node->where,
                       backquoted(key.name) +
                           " is not for pipelines, which exchange gradients layer by layer; remove "
                           "it or the pipeline");
    key.read(*node, key, table);
  }
  read_yaml_parameter_server(workload, table);
  if (table.epoch && workload.find("layers"))
    throw InputError(table.epoch->where,
                     "`layers` do not say how many samples a pass has; leave `epoch` out");
}

std::vector<std::string_view> yaml_data_parallel_words() {
  std::vector<std::string_view> words = names_of(data_parallel_keys);
  std::ranges::copy(yaml_parameter_server_words(), std::back_inserter(words));
  return words;
}

std::vector<KeyPath> yaml_data_parallel_keys() {
  std::vector<KeyPath> keys = keys_of_map<data_parallel_keys>();
  std::ranges::copy(yaml_parameter_server_keys(), std::back_inserter(keys));
  return keys;
}

}  // namespace orrery::core
