#include "study/workloads/layer_table/yaml_data_parallel.hpp"

#include <algorithm>
#include <array>

#include "base/diagnostics/words.hpp"
#include "base/text/token_reader.hpp"

namespace orrery::core {
namespace {

constexpr int max_ranks_of_server = 1 << 27, largest_staleness = 1 << 20;
constexpr int no_limit = 1 << 30;  // of staleness
constexpr int max_micro_batches = 1 << 20, max_virtual_stages = 1 << 12;
constexpr double largest_epoch = 1e15;

constexpr std::string_view every_rank = "sharded", unbounded = "unbounded";
constexpr std::array<EnumName<bool>, 2> placement_words{{{"shares", false}, {"whole", true}}};
constexpr std::array<EnumName<bool>, 2> synchronization_words{
    {{"synchronous", true}, {"asynchronous", false}}};

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

void read_servers(const InputNode& node, const KeyFacts& key, ParameterServerOptions& options) {
  if (scalar_of(node, key.name) == every_rank) {
    options.servers.reset();
    return;
  }
  if (!parse_unsigned(node.text)) reject_value(node, key.name, "a number of servers, or `sharded`");
  options.servers = int_of(node, key.name, 1, max_ranks_of_server);
}

void read_server_rank(const InputNode& node, const KeyFacts& key, ParameterServerOptions& options) {
  if (!options.servers)
    throw InputError(node.where, "every rank is a server when they are sharded; leave `rank` out");
  options.rank = int_of(node, key.name, 0, max_ranks_of_server - 1);
  options.rank_where = node.where;
}

void read_staleness(const InputNode& node, const KeyFacts& key, ParameterServerOptions& options) {
  if (options.synchronous)
    throw InputError(node.where,
                     "ranks that are synchronous are never ahead of each other; leave `staleness` out or "
                     "write `synchronization: asynchronous`");
  options.staleness =
      scalar_of(node, key.name) == unbounded ? no_limit : int_of(node, key.name, 0, largest_staleness);
}

void read_placement(const InputNode& node, const KeyFacts& key, ParameterServerOptions& options) {
  options.whole_layers = word_value_of(node, key.name, placement_words);
  if (options.servers == 1)
    throw InputError(node.where,
                     "one server holds everything; write several `servers` or leave `placement` out");
}

void read_servers_train(const InputNode& node, const KeyFacts& key, ParameterServerOptions& options) {
  options.servers_train = bool_of(node, key.name);
  if (!options.servers && !options.servers_train)
    throw InputError(
        node.where,
        "where every NPU is a server, somebody has to train; write a number of `servers` or leave "
        "`servers-train` out");
}

constexpr double most_steps = 1e12, most_growth = 1e6;

void read_divergence(const InputNode& node, const KeyFacts& key, Convergence& convergence) {
  convergence.diverges_at = real_of(node, key.name, 0, most_growth);
}

constexpr Key<Convergence> convergence_keys[] = {
    key::real<&Convergence::steps>(
        "steps", 1, most_steps, "required",
        "training steps of one NPU's batch each that make the model as good as wanted "
        "where no gradient is stale")
        .better(Better::never),
    key::real<&Convergence::growth>("growth", 0, most_growth, "0",
                                    "share by which it takes more of them with each step of mean staleness")
        .better(Better::never),
    key::custom<read_divergence>("diverges-at", "0 to 10⁶", "none",
                                 "mean staleness from which training gets nowhere")
        .trying("15"),
};

constexpr Key<ParameterServerOptions> parameter_server_keys[] = {
    key::custom<read_servers>("servers", "number, or `sharded`", "1",
                              "number of NPUs that are servers; `sharded`: all of them are")
        .trying("1|2|sharded"),
    key::custom<read_server_rank>("rank", "rank", "0",
                                  "which NPU is the server; the first of several, which follow one another")
        .trying("1"),
    key::custom<read_servers_train>(
        "servers-train", "true or false", "true",
        "whether servers train, too; if not, they do nothing but serve the other NPUs")
        .trying("true|false"),
    key::custom<read_placement>("placement", "`shares`, `whole`", "`shares`",
                                "of several servers: whether each holds an equal share of every layer, or "
                                "layers are held whole, each by "
                                "the server that has fewest bytes until then, the largest layers first, as "
                                "MXNet's store `device` does")
        .trying("shares|whole"),
    key::word<synchronization_words, &ParameterServerOptions::synchronous>(
        "synchronization", "synchronous",
        "whether weights are sent when the gradients of all NPUs are in, or each gradient is applied and "
        "answered by itself"),
    key::custom<read_staleness>("staleness", "0 to 2²⁰, or `unbounded`", "0",
                                "for asynchronous servers: number of training steps that an NPU may be ahead "
                                "of the slowest one (stale "
                                "synchronous), or no limit")
        .trying("0|1|50|unbounded"),
    key::bandwidth<&ParameterServerOptions::update_bandwidth>(
        "update-bandwidth", "no limit",
        "bytes of gradients that a server adds up or applies per second; a synchronous server does so for "
        "the gradients of each NPU, and once more for the update. It is work of the NPU: `compute-scale` and "
        "`stragglers` slow it down")
        .hardware(),
    key::map<convergence_keys, &ParameterServerOptions::convergence>(
        "convergence", "`convergence`", "none",
        "[how many steps](#convergence) training takes by the staleness of gradients"),
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
    key::integer<&HostTimes::npus>("npus", 1, max_ranks_of_server, "all", "number of NPUs of one server"),
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

void read_server(const InputNode& node, LayerTable& table) {
  ParameterServerOptions& options = table.parameter_server.emplace();
  options.where = options.rank_where = node.where;
  read_map(node, "a parameter server", parameter_server_keys, options);
}

// In layers whose gradients are pushed and pulled, refuses keys that only collectives have.
void check_served_layers(const InputNode& layers) {
  for (const InputNode& layer : layers.items) {
    if (const InputNode* delay = layer.find("delay"))
      throw InputError(delay->where,
                       "`delay` is for collectives, which a parameter server replaces; leave it out");
    const InputNode* const gradient = layer.find("weight-gradient");
    const InputNode* const collective = gradient ? gradient->find("collective") : nullptr;
    if (collective && collective->text != "all-reduce")
      throw InputError(collective->where,
                       "a parameter server takes the place of an `all-reduce`; write that");
  }
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
    key::custom<read_server>(
        "parameter-server", "map, `{}` for all defaults", "none",
        "servers hold the weights: every NPU pushes a layer's gradients when they are there, and pulls its "
        "weights before the layer's next forward pass. No collectives")
        .above(keys_of_map<parameter_server_keys>),
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
  if (table.ddp && table.parameter_server)
    throw InputError(table.ddp->where,
                     "a parameter server takes the place of the all-reduces of `ddp`; leave one of them out");
  const InputNode* const layers = workload.find("layers");
  if (layers && table.epoch)
    throw InputError(table.epoch->where,
                     "`layers` do not say how many samples a pass has; leave `epoch` out");
  if (layers && table.parameter_server) check_served_layers(*layers);
}

std::vector<std::string_view> yaml_data_parallel_words() {
  return names_of(data_parallel_keys);
}

std::vector<KeyPath> yaml_data_parallel_keys() {
  return keys_of_map<data_parallel_keys>();
}

}  // namespace orrery::core
