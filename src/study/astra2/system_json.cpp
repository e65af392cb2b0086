#include "study/astra2/system_json.hpp"

#include <fmt/format.h>

#include <cstdint>
#include <set>
#include <utility>

#include "base/diagnostics/words.hpp"
#include "base/text/token_reader.hpp"
#include "collective/plan/algorithm_list.hpp"

namespace orrery::core {

namespace {

constexpr std::array<EnumName<IssueOrder>, 3> priorities{{
    {"LIFO", IssueOrder::lifo},
    {"FIFO", IssueOrder::fifo},
    {"EXPLICIT", IssueOrder::by_priority},
}};
constexpr std::array<EnumName<Algorithm>, 3> rooted_algorithms{{
    {"ring", &ring_algorithm},
    {"tree", &tree_algorithm},
    {"direct", &direct_algorithm},
}};
constexpr std::array<EnumName<AllReduceShape>, 2> shapes{{
    {"baseline", AllReduceShape::baseline},
    {"localBWAware", AllReduceShape::local_bandwidth_aware},
}};
constexpr std::array<EnumName<RemoteMemory::Kind>, 4> memory_kinds{{
    {"NO_MEMORY_EXPANSION", RemoteMemory::Kind::none},
    {"PER_NPU_MEMORY_EXPANSION", RemoteMemory::Kind::per_npu},
    {"PER_NODE_MEMORY_EXPANSION", RemoteMemory::Kind::per_node},
    {"MEMORY_POOL", RemoteMemory::Kind::pool},
}};

constexpr int largest_value = 1'000'000'000;
constexpr double fastest = 1e15;

// The content of a system file, while it is read.
struct Draft : TraceRules {
  SystemConfig streams;
  SystemFileNames names;
  bool bus = false;
  SharedBusConfig bus_values;
  int endpoint_delay_ns = 10;
  Warnings& warnings;
};

// Reads 0, 1, true or false.
bool truth(const InputNode& node, const KeyFacts& key) {
  if (node.may_be(InputNode::Kind::boolean)) return bool_of(node, key.name);
  const auto number = node.may_be(InputNode::Kind::number) ? parse_signed(node.text) : std::nullopt;
  if (!number) reject_value(node, key.name, "0, 1, true or false");
  return *number != 0;
}

template <CollectiveKind kind>
void read_algorithm_words(const InputNode& node, const KeyFacts& key, Draft& draft) {
  constexpr auto index = static_cast<std::size_t>(kind);
  draft.streams.algorithms_where[index] = node.where;
  for (const InputNode& entry : items_of(node, key.name)) {
    const auto words = parse_algorithm_list(scalar_of(entry, key.name), entry.where, draft.warnings);
    if (words.size() != 1)
      throw InputError(entry.where, fmt::format("`{}` is a list of one algorithm per dimension: write each "
                                                "in quotes of its own",
                                                key.name));
    draft.streams.algorithms[index].push_back(words[0]);
  }
}

template <CollectiveKind kind>
void read_custom(const InputNode& node, const KeyFacts& key, Draft& draft) {
  if (const std::size_t prefixes = items_of(node, key.name).size(); prefixes != 1)
    throw InputError(node.where, fmt::format("`{}` has to be a list of one prefix of trace files, not of {}",
                                             key.name, prefixes));
  const InputNode& prefix = node.items[0];
  draft.names.custom[static_cast<std::size_t>(kind)] = {scalar_of(prefix, key.name), prefix.where};
}

// Reads a list of words, or a single one.
template <CollectiveKind kind>
void read_rooted(const InputNode& node, const KeyFacts& key, Draft& draft) {
  constexpr auto index = static_cast<std::size_t>(kind);
  std::vector<AlgorithmChoice>& choices = draft.streams.algorithms[index];
  draft.streams.algorithms_where[index] = node.where;
  if (node.may_be(InputNode::Kind::text)) {
    choices.push_back({word_value_of(node, key.name, rooted_algorithms)});
    return;
  }
  for (const InputNode& entry : list_of(node, key.name))
    choices.push_back({word_value_of(entry, key.name, rooted_algorithms)});
}

NamedFile named_file(const InputNode& node, const KeyFacts& key) {
  return {scalar_of(node, key.name), node.where};
}

void warn_of_no_effect(const InputNode& node, const KeyFacts& key, Draft& draft) {
  draft.warnings.add(node.where, backquoted(key.name) + " has no effect in ASTRA-sim 2, nor here");
}

using Text = std::string_view;

template <auto... path>
constexpr auto switch_key(Text name, Text meaning) {
  return key::declared<truth, KeyType::other, path...>(name, "0", meaning).of("0, 1, `false`, `true`");
}
template <CollectiveKind kind>
constexpr auto algorithms(Text name) {
  return key::custom<read_algorithm_words<kind>>(name, "list of words", "none",
                                                 "`ring`, `direct`, `directN`, `halvingDoubling`, "
                                                 "`doubleBinaryTree` per dimension, or a `one...` word over "
                                                 "all NPUs");
}
template <CollectiveKind kind>
constexpr auto custom(Text name) {
  return key::custom<read_custom<kind>>(
      name, "list of one prefix", "none",
      "an algorithm of your own: `prefix.k.et` is what position k sends, receives and computes");
}
template <CollectiveKind kind>
constexpr auto rooted(Text name) {
  return key::custom<read_rooted<kind>>(
      name, "word, or list of words", "none",
      "switches the kind on: `ring`, `tree` or `direct` for all dimensions, or one word per dimension, see "
      "[rooted collectives](#rooted-collectives-and-barriers)");
}
// The value is cut to whole nanoseconds.
template <auto member>
constexpr auto bus_number(Text name, Text value, Text meaning) {
  return key::real<&Draft::bus_values, member>(name, 0, largest_value, "0", meaning).of(value);
}
constexpr auto useless(Text name) {
  return key::custom<warn_of_no_effect>(name, "any", "", "accepted, without effect");
}

constexpr auto streams = &Draft::streams;
constexpr auto roofline = &TraceRules::roofline;
constexpr Key<Draft> keys_of_system[] = {
    key::word<priorities, streams, &SystemConfig::issue_order>(
        "scheduling-policy", "LIFO",
        "which collective goes first: the youngest, the oldest, or by `comm_priority`"),
    key::word<shapes, streams, &SystemConfig::all_reduce_shape>(
        "collective-optimization", "localBWAware",
        "an all-reduce over several dimensions: reduce-scatter in, all-gather out, or all-reduce in each"),
    algorithms<CollectiveKind::all_reduce>("all-reduce-implementation"),
    algorithms<CollectiveKind::reduce_scatter>("reduce-scatter-implementation"),
    algorithms<CollectiveKind::all_gather>("all-gather-implementation"),
    algorithms<CollectiveKind::all_to_all>("all-to-all-implementation"),
    custom<CollectiveKind::all_reduce>("all-reduce-implementation-custom"),
    custom<CollectiveKind::reduce_scatter>("reduce-scatter-implementation-custom"),
    custom<CollectiveKind::all_gather>("all-gather-implementation-custom"),
    custom<CollectiveKind::all_to_all>("all-to-all-implementation-custom"),
    rooted<CollectiveKind::broadcast>("broadcast-implementation"),
    rooted<CollectiveKind::reduce>("reduce-implementation"),
    rooted<CollectiveKind::gather>("gather-implementation"),
    rooted<CollectiveKind::scatter>("scatter-implementation"),
    rooted<CollectiveKind::barrier>("barrier-implementation"),
    key::declared<named_file, KeyType::other, &Draft::names, &SystemFileNames::custom_of_nodes>(
        "per-node-custom-implementation", "none", "YAML: such prefixes by the id of a trace's node")
        .of("file"),
    key::integer<streams, &SystemConfig::chunks>("preferred-dataset-splits", 1, 1'000'000, "1",
                                                 "number of chunks that a collective is cut into"),
    key::integer<streams, &SystemConfig::active_chunks>("active-chunks-per-dimension", 1, largest_value, "1",
                                                        "number of chunks that a dimension serves at a time"),
    key::integer<&Draft::endpoint_delay_ns>(
        "endpoint-delay", 0, largest_value, "10",
        "time that an NPU spends before each message and after the last one")
        .of("ns, 0 to 10⁹"),
    key::real<roofline, &Roofline::memory_gb_per_s>(
        "local-mem-bw", 0, fastest, "0",
        "bandwidth of the memory that reductions and the roofline read from; 0: reductions cost nothing")
        .of("GB/s"),
    key::real<roofline, &Roofline::peak_tflop_per_s>("peak-perf", 0, fastest, "0",
                                                     "compute rate of the roofline")
        .of("TFLOP/s"),
    switch_key<roofline, &Roofline::enabled>(
        "roofline-enabled",
        "whether operations and bytes decide how long computing takes; needs `peak-perf` and `local-mem-bw`"),
    switch_key<&Draft::replay_only>("replay-only", "whether every node takes its duration"),
    switch_key<&Draft::bus>("model-shared-bus", "whether the memory bus is modelled"),
    bus_number<&SharedBusConfig::latency_ns>("L", "ns, 0 to 10⁹, cut to whole ones", "latency of the bus"),
    bus_number<&SharedBusConfig::overhead_ns>("o", "ns, 0 to 10⁹, cut to whole ones", "overhead of the bus"),
    bus_number<&SharedBusConfig::gap_ns>("g", "ns, 0 to 10⁹, cut to whole ones", "gap of the bus"),
    bus_number<&SharedBusConfig::gap_per_byte_ns>("G", "ns per byte, 0 to 10⁹", "gap per byte of the bus"),
    key::integer<&Draft::bus_values, &SharedBusConfig::local_reduction_delay>(
        "local-reduction-delay", 0, 1'000'000, "1", "ns to reduce 100 bytes, with the bus only"),
    useless("boost-mode"),
    useless("intra-dimension-scheduling"),
    useless("inter-dimension-scheduling"),
    useless("trace-enabled"),
    switch_key<&Draft::track_local_memory>(
        "track-local-mem",
        "whether the run follows the tensors in local memory (`inputs` and `outputs` of nodes)"),
    key::text<&Draft::local_memory_file>("local-mem-trace-filename", "`local_mem_trace`",
                                         "NPU i's tensors go to `<prefix>.<i>.json`; the folder has to exist")
        .of("prefix"),
};

constexpr Key<RemoteMemory> memory_keys[] = {
    key::word<memory_kinds, &RemoteMemory::kind>(
        "memory-type", "NO_MEMORY_EXPANSION",
        "whether there is a remote memory, and who shares one of its servers"),
    key::real<&RemoteMemory::latency_ns>("remote-mem-latency", 0, Time::longest_input().ns(), "0",
                                         "latency of a request")
        .of("ns, cut to whole ones"),
    key::real<&RemoteMemory::bytes_per_ns>("remote-mem-bw", 0, fastest, "0", "bandwidth of a server")
        .of("GB/s, cut to whole ones, 1 at least"),
    key::integer<&RemoteMemory::npus_per_node>(
        "num-npus-per-node", 1, largest_value, "1",
        "number of NPUs of a node, which share a server; required where servers are shared per node"),
    key::ignored("num-nodes"),
};

Time scaled_delay(int ns, double injection_scale, const SourceLocation& where) {
  const double scaled = ns * injection_scale;
  if (!Time::is_input_ns(scaled))
    throw InputError(where, fmt::format("`endpoint-delay` of {} ns times the injection scale of {} is more "
                                        "than 30 days, correct one of the two",
                                        ns, injection_scale));
  return Time::from_ns_truncated(scaled);
}

}  // namespace

SystemFileNames read_system_json(std::string_view text, const std::string& file, double injection_scale,
                                 SystemConfig& stream_config, TraceRules& rules, Warnings& warnings) {
  Draft draft{std::move(rules), std::move(stream_config), {}, false, {}, 10, warnings};
  draft.streams.where = {file};
  const InputNode root = parse_json(text, file);
  read_map(root, "the system file", keys_of_system, draft, &warnings);
  if (const InputNode* delay = root.find("endpoint-delay"))
    draft.streams.endpoint_delay = scaled_delay(draft.endpoint_delay_ns, injection_scale, delay->where);
  const Roofline& given = draft.roofline;
  if (given.enabled && !(given.memory_gb_per_s > 0 && given.peak_tflop_per_s > 0))
    throw InputError(root.find("roofline-enabled")->where,
                     "`roofline-enabled` needs `local-mem-bw` and `peak-perf`, both above 0");
  if (draft.bus) draft.streams.shared_bus = draft.bus_values;
  draft.streams.memory_gb_per_s = given.memory_gb_per_s;
  stream_config = std::move(draft.streams);
  SystemFileNames names = std::move(draft.names);
  rules = std::move(draft);
  return names;
}

RemoteMemory read_memory_json(std::string_view text, const std::string& file, Warnings& warnings) {
  const InputNode root = parse_json(text, file);
  RemoteMemory memory;
  read_map(root, "the remote-memory file", memory_keys, memory, &warnings);
  if (memory.kind != RemoteMemory::Kind::none && memory.bytes_per_ns < 1) {
    const InputNode* const bandwidth = root.find("remote-mem-bw");
    throw InputError(bandwidth ? bandwidth->where : SourceLocation{file},
                     "`remote-mem-bw` has to be given, as 1 GB/s at least (it is cut to a whole number)");
  }
  if (memory.kind == RemoteMemory::Kind::per_node && !root.find("num-npus-per-node"))
    throw InputError(root.find("memory-type")->where,
                     "`PER_NODE_MEMORY_EXPANSION` needs `num-npus-per-node`, add it");
  return memory;
}

std::map<int, std::vector<int>> read_groups_json(std::string_view text, const std::string& file, int npus,
                                                 Warnings& warnings) {
  const InputNode root = parse_json(text, file);
  require_map(root, "the group file");
  std::map<int, std::vector<int>> groups;
  for (std::size_t i = 0; i < root.items.size(); ++i) {
    const InputName& name = root.names[i];
    const auto id = parse_unsigned(name.text);
    if (!id || *id > INT32_MAX || std::to_string(*id) != name.text)
      throw InputError(name.where, backquoted(name.text) + " is no group id, use whole numbers above 0");
    if (*id == 0) {
      warnings.add(name.where, "group 0 stands for all NPUs, its entry is ignored");
      continue;
    }
    const std::string group = fmt::format("group {}", *id);
    std::vector<int>& members = groups[static_cast<int>(*id)];
    std::set<int> seen;
    for (const InputNode& rank : list_of(root.items[i], group)) {
      members.push_back(int_of(rank, group + "'s rank", 0, npus - 1));
      if (!seen.insert(members.back()).second)
        throw InputError(rank.where, fmt::format("rank {} is in {} twice, list it once", rank.text, group));
    }
  }
  return groups;
}

std::vector<KeyPath> system_json_keys() {
  return key_paths("", keys_of_system);
}

std::vector<KeyPath> memory_json_keys() {
  return key_paths("", memory_keys);
}

}  // namespace orrery::core
