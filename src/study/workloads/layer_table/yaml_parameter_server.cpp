#include "study/workloads/layer_table/yaml_parameter_server.hpp"

#include <algorithm>
#include <array>
#include <string>

#include <fmt/format.h>

#include "base/diagnostics/words.hpp"
#include "base/text/token_reader.hpp"
#include "workload/astra1/layer_table_words.hpp"

namespace orrery::core {
namespace {

constexpr int max_servers = 1 << 27, largest_staleness = 1 << 20;
constexpr int no_limit = 1 << 30;  // of staleness

constexpr std::string_view every_rank = "sharded", unbounded = "unbounded";
constexpr std::array<EnumName<bool>, 2> placement_words{{{"shares", false}, {"whole", true}}};
constexpr std::array<EnumName<bool>, 2> synchronization_words{
    {{"synchronous", true}, {"asynchronous", false}}};

void read_servers(const InputNode& node, const KeyFacts& key, ParameterServerOptions& options) {
  if (scalar_of(node, key.name) == every_rank) {
    options.servers.reset();
    return;
  }
  if (!parse_unsigned(node.text)) reject_value(node, key.name, "a number of servers, or `sharded`");
  options.servers = int_of(node, key.name, 1, max_servers);
}

void read_server_rank(const InputNode& node, const KeyFacts& key, ParameterServerOptions& options) {
  if (!options.servers)
    throw InputError(node.where, "every rank is a server when they are sharded; leave `rank` out");
  options.rank = int_of(node, key.name, 0, max_servers - 1);
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

void read_server(const InputNode& node, LayerTable& table) {
  ParameterServerOptions& options = table.parameter_server.emplace();
  options.where = options.rank_where = node.where;
  read_map(node, "a parameter server", parameter_server_keys, options);
}

constexpr Key<LayerTable> server_keys[] = {
    key::custom<read_server>(
        "parameter-server", "map, `{}` for all defaults", "none",
        "[servers](#parameter-servers) hold the weights: every NPU pushes a layer's gradients when they are "
        "there, and pulls its weights before the layer's next forward pass. No collectives exchange "
        "gradients")
        .above(keys_of_map<parameter_server_keys>),
};

// Policies under which fixed groups of NPUs hold the same parameters, and exchange activations with none of
// them.
constexpr std::array served_policies{
    TrainingPolicy::data,
    TrainingPolicy::data_reorder,
    TrainingPolicy::hybrid_data_model,
    TrainingPolicy::hybrid_model_data,
    TrainingPolicy::hybrid_transformer,
    TrainingPolicy::hybrid_transformer_fwd_in_bckwd,
};

void check_policy(const InputNode& node, TrainingPolicy policy) {
  if (std::ranges::find(served_policies, policy) != served_policies.end()) return;
  std::vector<std::string> words;
  for (const TrainingPolicy served : served_policies) words.push_back(text_of(served));
  throw InputError(
      node.where,
      fmt::format("a parameter server needs NPUs that hold the same parameters, and there are no such groups "
                  "under the policy `{}`; use {}",
                  text_of(policy), alternatives(std::vector<std::string_view>(words.begin(), words.end()))));
}

// In layers whose gradients are pushed and pulled, refuses keys that only collectives have.
void check_layers(const InputNode& layers, TrainingPolicy policy) {
  for (const InputNode& layer : layers.items) {
    if (const InputNode* delay = layer.find("delay"); delay && policy == TrainingPolicy::data)
      throw InputError(delay->where,
                       "`delay` is for collectives, which a parameter server replaces; leave it out");
    const InputNode* const gradient = layer.find("weight-gradient");
    const InputNode* const collective = gradient ? gradient->find("collective") : nullptr;
    if (collective && collective->text != "all-reduce")
      throw InputError(collective->where,
                       "a parameter server takes the place of an `all-reduce`; write that");
  }
}

}  // namespace

void read_yaml_parameter_server(const InputNode& workload, LayerTable& table) {
  const auto& key = server_keys[0];
  const InputNode* const node = workload.find(key.name);
  if (!node) return;
  check_policy(*node, table.policy);
  key.read(*node, key, table);
  if (table.ddp)
    throw InputError(table.ddp->where,
                     "a parameter server takes the place of the all-reduces of `ddp`; leave one of them out");
  if (const InputNode* const layers = workload.find("layers")) check_layers(*layers, table.policy);
}

std::vector<std::string_view> yaml_parameter_server_words() {
  return names_of(server_keys);
}

std::vector<KeyPath> yaml_parameter_server_keys() {
  return keys_of_map<server_keys>();
}

}  // namespace orrery::core
