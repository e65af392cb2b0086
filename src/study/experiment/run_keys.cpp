#include "study/experiment/run_keys.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <span>
#include <utility>

#include <fmt/format.h>

#include "base/containers/joined.hpp"
#include "network/network_options.hpp"
#include "network/packet/model/packet_keys.hpp"
#include "study/experiment/timeline_choice.hpp"
#include "study/experiment/yaml_comparisons.hpp"
#include "study/machine/yaml_network.hpp"
#include "study/machine/yaml_system.hpp"
#include "study/machine/yaml_variations.hpp"
#include "study/space/yaml_sweep.hpp"
#include "study/workloads/layer_table/yaml_workload.hpp"
#include "study/workloads/traces/yaml_traces.hpp"
#include "study/workloads/transformer/yaml_transformer.hpp"
#include "topology/graph/relays/relaying.hpp"
#include "topology/graph/routing/routing_kinds.hpp"

namespace orrery::core {
namespace {

using Values = ExperimentValues;

constexpr int max_passes = 1'000'000'000;
constexpr double largest_scale = 1e6;

using enum RunKind;

constexpr KeyFacts base_key{"base",
                            "none",
                            "name of one of the `systems` or `workloads`, whose values count for all keys "
                            "that are not given here. The same holds for the keys of a map within the map",
                            KeyType::other,
                            0,
                            0,
                            nullptr,
                            nullptr,
                            "name"};

// Returns the keys of all kinds of workloads.
std::vector<KeyPath> all_workload_keys() {
  std::vector<KeyPath> paths = yaml_workload_keys();
  for (const auto& keys : {yaml_transformer_keys(), yaml_trace_keys()})
    for (const KeyPath& path : keys)
      if (std::ranges::find(paths, path.path, &KeyPath::path) == paths.end()) paths.push_back(path);
  return with_base(std::move(paths), base_key);
}

constexpr std::string_view routing_words_text =
    "`ecmp`, `shortest`, `spray`, `spray-messages`, `adaptive`, `spray-packets`, `spray-random`, "
    "`spray-labels`, `flowlets`, "
    "`adaptive-packets`, `dimension-order`, `static`, `relay`";

constexpr std::array<EnumName<const Dialect*>, 3> experiment_dialects{
    {dialect_words[0], dialect_words[1], {astra_sim_2_dialect.name, &astra_sim_2_dialect}}};

constexpr std::string_view equally_fast = "all its devices are equally fast";

// Keys of the document. Those that a run may have come first.
constexpr Key<Values> keys_before_options[] = {
    key::kept<&Values::name>("name", "text", "the file's name without ending",
                             "names the result folder; at most 200 characters, no slash, backslash, comma, "
                             "quote or control character, no dot in front, and not the name of a file that "
                             "stands in the folder, such as `runs.csv`")
        .trying("other"),
    key::word<experiment_dialects, &Values::dialect>(
        "dialect", "native",
        "the rules to simulate by, see [dialects.md](dialects.md); `astra-sim-2` is for execution traces, "
        "which "
        "`astra-sim-1.0` does not know")
        .useless_in(platform, "it follows Orrery's own rules")
        .useless_in(platform_network, "it follows Orrery's own rules"),
    key::integer<&Values::passes>("passes", 1, max_passes, "1",
                                  "training iterations; at most 4000000 layers times passes")
        .useless_in(platform, "all its steps are alike, and one is simulated")
        .useless_in(platform_network, "all its steps are alike, and one is simulated")
        .useless_in(traces, "its traces are run once, and say all that there is to do"),
    key::real<&Values::compute_scale>("compute-scale", 0, largest_scale, "1", "factor on every compute time")
        .better(Better::less)
        .useless_in(platform, "the factor on its operators is `platform.stack.kernel-slowdown`")
        .useless_in(platform_network, "the factor on its operators is `platform.stack.kernel-slowdown`")
        .hardware(),
    key::real<&Values::communication_scale>("communication-scale", 0, largest_scale, "1",
                                            "factor on the size of every collective")
        .useless_in(platform,
                    "the factors on its collectives are `platform.stack.exchange-efficiency` and "
                    "`sharding-efficiency`")
        .useless_in(platform_network, "a transformer's sizes say what it sends"),
    key::real<&Values::injection_scale>("injection-scale", 0, largest_scale, "1",
                                        "factor on the endpoint delay")
        .useless_in(platform, "it has no endpoint delay")
        .useless_in(parameter_server, "it has no endpoint delay", true),
    key::real<&Values::interval>("interval", least_interval_share, most_interval_share, "0.8",
                                 "share of measurements that lie in the [intervals](models/accuracy.md) of "
                                 "what is predicted of a transformer, or of a model on a device")
        .better(Better::either),
    key::kept<&Values::stragglers>("stragglers", "map or list of maps", "none",
                                   "[ranks that differ](#ranks-that-differ)")
        .above(yaml_straggler_keys)
        .useless_in(platform, equally_fast),
    key::kept<&Values::compute_jitter>("compute-jitter", "map", "none",
                                       "[ranks that differ](#ranks-that-differ)")
        .above(yaml_jitter_keys)
        .useless_in(platform, equally_fast),
    key::kept<&Values::slow_links>("slow-links", "map or list of maps", "none",
                                   "[ranks that differ](#ranks-that-differ)")
        .above(yaml_slow_link_keys)
        .useless_in(platform, "all its links of a class are equally fast")
        .useless_in(pipeline, "all ranks of a stage are equal")
        .useless_in(parameter_server, "its messages know no slow links")
        .useless_in(parameter_server_and_collectives, "its messages know no slow links"),
    key::kept<&Values::routing>(
        "routing", routing_words_text, "`static` if the network lists ways, else `ecmp`",
        "[how messages choose](#routing) among equally short ways, on a network that is "
        "a graph")
        .trying("spray")
        .out_of(key_readers::words<routing_words>)
        .better(Better::either)
        .useless_in(platform, "it has no graph")
        .software(),
    key::kept<&Values::relay>(
        "relay", "`never`, `where-cut`, `always`",
        "`where-cut` with the routing `relay` and where failures cut NPUs off, else `never`",
        "on a network that is a graph: [whether NPUs pass messages on](#relays)")
        .trying("always")
        .out_of(key_readers::words<relaying_words>)
        .better(Better::either)
        .useless_in(platform, "it has no graph")
        .software(),
    key::kept<&Values::route_seed>(
        "route-seed", "0 to 2⁵³", "0",
        "on a network that is a graph: number that chooses among ways that are equally short")
        .trying("3")
        .useless_in(platform, "it has no graph"),
    key::kept<&Values::hash_seeds>(
        "hash-seeds", "1 to 1000", "1",
        "on a network that is a graph: [number of seeds](#luck-of-a-hash), from `route-seed` on, with each "
        "of which the run is simulated; shown is the one whose time is nearest to their mean")
        .trying("2")
        .useless_in(platform, "it has no graph"),
};

// Keys that a list of kinds declares, and nodes of which are kept in an array.
template <auto nodes, std::size_t number>
struct NodeOfKind {
  template <class Target>
  static void read(const InputNode& value, const KeyFacts& /*key*/, Target& target) {
    (target.*nodes)[number] = &value;
  }
};
template <const auto& kinds, auto nodes, std::size_t... number>
constexpr auto keys_of_kinds(std::string_view why_useless, std::index_sequence<number...> /*all*/) {
  return std::array<Key<Values>, sizeof...(number)>{
      Declared<NodeOfKind<nodes, number>>{kinds[number]->key}.useless_in(platform, why_useless)...};
}
constexpr auto link_change_keys = keys_of_kinds<link_change_kinds, &Values::link_changes>(
    "it has no graph", std::make_index_sequence<link_change_kinds.size()>());
constexpr auto option_keys = keys_of_kinds<network_option_kinds, &Values::options>(
    "its collectives are closed forms, without messages",
    std::make_index_sequence<network_option_kinds.size()>());

constexpr Key<Values> keys_behind_options[] = {
    key::kept<&Values::link_history>(
        "link-history", "true or false", "false",
        "whether the run writes [link-history.csv](outputs/links.md#link-historycsv), which says what links "
        "carry when, with a network model that follows messages over links; with `packet` also what switches "
        "hold ([switch-history.csv](outputs/links.md#switch-historycsv))")
        .trying("true")
        .useless_in(platform, "its collectives are closed forms, without messages"),
    key::kept<&Values::message_times>(
        "message-times", "true or false", "false",
        "whether the run writes [messages.csv](outputs/links.md#messagescsv), which says what "
        "messages took with the network model `packet` on a graph")
        .trying("true")
        .useless_in(platform, "its collectives are closed forms, without messages"),
    key::declared<read_timelines, KeyType::other, &Values::timelines>(
        "timeline", "`csv`",
        "the formats of the [timeline](outputs/timelines.md#timelines), which says what NPUs do when, "
        "besides `csv`, which is always written; `--timeline` has precedence")
        .of("`csv`, `perfetto`, `kineto`, or a list of these")
        .trying("perfetto"),
    key::kept<&Values::packets>(
        "packets", "map", "those of RoCE v2",
        "[packets](packets.md#packets-of-an-experiment) of the network model `packet`: "
        "their sizes, the buffers of switches, congestion control")
        .above(packet_keys)
        .useless_in(platform, "its collectives are closed forms, without messages"),
    key::kept<&Values::network_model>(
        "network-model", "`analytical`, `link`, `fluid`, `packet`",
        "`fluid`; `analytical` in the dialects of ASTRA-sim unless the network is a graph, and with a "
        "library",
        "[whether messages meet](#network-models); `--network-model` has precedence")
        .out_of(key_readers::words<network_model_words>)
        .useless_in(platform, "its collectives are closed forms, without messages"),
    key::kept<&Values::network>("network", "list, map, name or file", "required without `platform`",
                                "[the machine's dimensions](#network)")
        .above(yaml_network_keys),
    key::kept<&Values::system>("system", "map, name or file", "all defaults",
                               "[how collectives are run](#system)")
        .above([] { return with_base(yaml_system_keys(), base_key); })
        .useless_in(platform, "the platform's library says how collectives run")
        .useless_in(parameter_server, "it has no collectives", true),
    key::kept<&Values::workload>("workload", "map, name or file", "required in a run or at the top",
                                 "[what is trained](#workload)")
        .above(all_workload_keys),
    key::kept<&Values::device>(
        "device", "name, file or map", "none",
        "device that computes a model: a name that `orrery list devices` prints, a [device "
        "file](#device-files) relative to the experiment, or a map with one of these as its `base` and [keys "
        "of a device](#device-files) in place of the base's. Its [roofline model](#orrery-compute-roofline), "
        "or its [systolic arrays](#device-files), say how long each layer takes, in place of "
        "`workload.peak`. Nodes of [execution traces](#traces-of-an-experiment) take as long as its peak and "
        "its memory's bandwidth need")
        .trying("h100")
        .open()
        .useless_in(platform, "the platform says what its device is")
        .useless_in(platform_network, "the platform says what its device is"),
    key::kept<&Values::platform>(
        "platform",
        "`dgx-a100`, `dgx-h100`, `gh200`, `jean-zay`, `roce-h100`, `vtrain-a100`, a "
        "name of `platforms`, a file or a map",
        "none",
        "machine that [trains a transformer](#transformers-on-platforms), in place of network, system and "
        "device. With a `network`, the platform's device and software run on that network. A file has the "
        "keys of the map, and paths in it are relative to it")
        .trying("dgx-h100|vtrain-a100")
        .above(platform_file_keys),
    key::kept<&Values::networks>("networks", "map from names to networks", "",
                                 "networks that runs can use by their names; one that no run uses is not "
                                 "checked, and a warning says so"),
    key::kept<&Values::systems>("systems", "map from names to systems", "",
                                "systems that runs can use by their names; one that no run uses is not "
                                "checked, and a warning says so"),
    key::kept<&Values::workloads>("workloads", "map from names to workloads", "",
                                  "workloads that runs can use by their names; one that no run uses is not "
                                  "checked, and a warning says so"),
    key::kept<&Values::platforms>("platforms", "map from names to platforms", "",
                                  "platforms that runs can use by their names; one that no run uses is not "
                                  "checked, and a warning says so"),
    key::kept<&Values::runs>("runs", "list", "one run, the experiment itself",
                             "each element has a `name` of its own and any of the keys above up to "
                             "`platform`; what it leaves out it takes from the top of the file"),
    key::kept<&Values::sweep>("sweep", "map", "none",
                              "[keys that vary](#sweeps), in place of `runs`: a run for each "
                              "combination of their values")
        .above(yaml_sweep_keys),
    key::kept<&Values::objectives>("objectives", "list of columns or maps", "none",
                                   "[columns of runs.csv](#objectives) that are to be small or "
                                   "large")
        .trying("[step_us]")
        .above(yaml_objective_keys),
    key::kept<&Values::comparisons>("comparisons", "list", "none",
                                    "[runs compared with each other](#comparisons), beside what was measured")
        .above(yaml_comparison_keys),
    key::kept<&Values::reports>(
        "reports", "`all`, `none` or a list of runs", "all of up to 100 runs, none of more",
        "[which runs write reports of their own](#many-runs); `--reports` has precedence")
        .trying("none"),
};
constexpr auto document_keys =
    joined<Key<Values>>(keys_before_options, link_change_keys, option_keys, keys_behind_options);
// A run has the keys up to `platform`; the keys behind it belong to the whole document.
constexpr std::size_t count_run_keys() {
  std::size_t count = 0;
  while (document_keys[count].name != "platform") ++count;
  return count + 1;
}
constexpr std::span<const Key<Values>> run_keys = std::span(document_keys).first(count_run_keys());

const InputName* key_of(const InputNode& map, std::string_view key) {
  const auto found = std::ranges::find(map.names, key, &InputName::text);
  return found == map.names.end() ? nullptr : &*found;
}

const NotApplicable* uselessness(const KeyFacts& key, RunKind kind) {
  const auto found = std::ranges::find(key.useless, static_cast<int>(kind), &NotApplicable::kind);
  return found == key.useless.end() ? nullptr : &*found;
}

}  // namespace

void read_experiment_keys(const InputNode& document, Values& values) {
  read_map(document, "an experiment", document_keys, values);
}

void read_run_keys(const InputNode& run, Values& values) {
  read_map(run, "a run", run_keys, values);
}

std::vector<KeyPath> experiment_file_keys() {
  return key_paths("", document_keys);
}

std::vector<KeyPath> experiment_file_keys(std::string_view first) {
  std::vector<KeyPath> paths;
  for (const auto& key : document_keys) {
    if (first.empty()) paths.push_back({std::string(key.name), &key});
    if (key.name == first) return key_paths("", std::span(&key, 1));
  }
  return paths;
}

std::string_view name_of_run_kind(int kind) {
  constexpr std::string_view names[] = {
      "a run of collectives",          "a pipeline",
      "a run with a parameter server", "a run with a parameter server and collectives",
      "a run on a `platform`",         "a run on a `platform` with a `network`",
      "a run of execution traces"};
  return names[kind];
}

namespace {

const std::vector<KeyPath>& keys_of_systems() {
  static const std::vector<KeyPath> keys = yaml_system_keys();
  return keys;
}

}  // namespace

bool UnusedKeys::names(const InputNode& run, std::string_view key) {
  return key_of(run, key) != nullptr;
}

bool UnusedKeys::has_meaning(std::string_view key, const InputNode& run, const InputFault& fault) {
  if (!fault) return true;
  if (names(run, key)) throw_if(fault);
  ignored_.insert(key);
  unused_.emplace(key, *fault);
  return false;
}

void UnusedKeys::refuse(const RunSpec& spec, const InputNode& run, const InputNode& document) {
  const RunKind kind = spec.workload->kind(spec);
  refuse_in_system(kind, run, document);
  for (const auto& key : run_keys) {
    const InputName* own = key_of(run, key.name);
    const InputName* name = own ? own : key_of(document, key.name);
    if (!name) continue;
    const NotApplicable* useless = uselessness(key, kind);
    if (!useless) {
      if (!own && !ignored_.contains(key.name)) used_.insert(key.name);
      continue;
    }
    InputError error(name->where, fmt::format("{} has no `{}`: {}; leave it out",
                                              name_of_run_kind(useless->kind), key.name, useless->why));
    if (own || !useless->shared) throw InputError(error);
    unused_.emplace(key.name, std::move(error));
  }
  ignored_.clear();
}

void UnusedKeys::take_systems(const InputNode* systems) {
  systems_.take(systems);
}

// Other runs may use the keys of a system that the run has from the document.
void UnusedKeys::refuse_in_system(RunKind kind, const InputNode& run, const InputNode& document) {
  const InputNode* const own = run.find("system");
  const InputNode* const value = own ? own : document.find("system");
  if (!value) return;
  const InputNode& system = systems_.resolve(*value);
  if (system.kind != InputNode::Kind::map) return;
  for (const KeyPath& key : keys_of_systems()) {
    const InputName* const name = key_of(system, std::string_view(key.path).substr(1));
    const NotApplicable* const useless = uselessness(*key.facts, kind);
    if (name && useless)
      throw InputError(name->where, fmt::format("`{}` means nothing in {}: {}; leave it out", key.facts->name,
                                                name_of_run_kind(useless->kind), useless->why));
  }
}

void UnusedKeys::refuse_unused() const {
  for (const auto& [key, error] : unused_)
    if (!used_.contains(key)) throw InputError(error);
}

}  // namespace orrery::core
