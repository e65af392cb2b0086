#include "study/machine/yaml_system.hpp"

#include <fmt/format.h>

#include <cmath>

#include "base/input/keys.hpp"
#include "collective/library/network_library.hpp"
#include "collective/plan/collective_words.hpp"
#include "study/run/workload.hpp"

namespace orrery::core {
namespace {

constexpr int max_chunks = 1'000'000, max_slots = 1'000'000'000, max_queues = 10'000;
constexpr double longest_bus_time_ns = 1e9;

struct SystemDraft : SystemConfig {
  SystemReading reading;
  std::optional<Buffers> buffers;
};

// Reads whole nanoseconds.
int bus_time(const InputNode& node, const KeyFacts& key) {
  const Time time = time_of(node, key.name);
  if (time.ps() % 1000 != 0 || time.ns() > longest_bus_time_ns)
    throw InputError(node.where, fmt::format("`{}` has to be whole nanoseconds, at most 1 s", key.name));
  return static_cast<int>(time.whole_ns());
}

double gap_per_byte(const InputNode& node, const KeyFacts& key) {
  std::string number = scalar_of(node, key.name);
  constexpr std::string_view unit = "ns/B";
  if (!number.ends_with(unit))
    throw InputError(node.where, "`gap-per-byte` has to be in ns/B; write for example `0.01 ns/B`");
  number.resize(number.size() - unit.size());
  while (number.ends_with(' ')) number.pop_back();
  InputNode plain = node;
  plain.text = number;
  return real_of(plain, key.name, 0, longest_bus_time_ns);
}

template <int SharedBusConfig::*member>
constexpr auto bus_time_key(std::string_view name, std::string_view meaning) {
  constexpr std::string_view value = "whole ns, up to 1 s";
  return key::declared<bus_time, KeyType::time, member>(name, "0", meaning).of(value).hardware();
}

constexpr Key<SharedBusConfig> bus_keys[] = {
    bus_time_key<&SharedBusConfig::latency_ns>("latency", "L of LogGP: latency of a transfer"),
    bus_time_key<&SharedBusConfig::overhead_ns>("overhead",
                                                "o of LogGP: time that a transfer takes at each of its ends"),
    bus_time_key<&SharedBusConfig::gap_ns>("gap", "g of LogGP: least time between two transfers"),
    key::declared<gap_per_byte, KeyType::other, &SharedBusConfig::gap_per_byte_ns>(
        "gap-per-byte", "0", "G of LogGP: time per byte")
        .of("number with the unit ns/B")
        .better(Better::less)
        .trying("0.5 ns/B")
        .hardware(),
    key::integer<&SharedBusConfig::local_reduction_delay>("local-reduction-delay", 0, 1'000'000, "1",
                                                          "ns to reduce 100 bytes")
        .better(Better::less)
        .hardware(),
};

template <CollectiveKind kind>
void read_algorithms(const InputNode& node, SystemDraft& draft) {
  constexpr auto index = static_cast<std::size_t>(kind);
  draft.algorithms[index] = read_yaml_algorithms(node, kind, draft.reading, draft.written);
  draft.algorithms_where[index] = node.where;
}

void read_channels(const InputNode& node, const KeyFacts& key, SystemDraft& draft) {
  draft.channels = bool_of(node, key.name);
  draft.channels_where = node.where;
}

void read_library(const InputNode& node, const KeyFacts& key, SystemDraft& draft) {
  if (const std::string& library = scalar_of(node, key.name); !library.empty())
    draft.library = name_library(library, node.where, draft.reading.files.load);
}

template <CollectiveKind kind>
constexpr auto algorithms_key(std::string_view name) {
  return key::custom<read_algorithms<kind>>(name, "algorithm or list",
                                            is_symmetric(kind) ? "by topology" : "tree",
                                            "algorithms of this kind of collective")
      .trying(is_symmetric(kind) ? "direct|double-binary-tree|halving-doubling|ring" : "direct|ring|tree")
      .better(Better::either)
      .above(is_symmetric(kind) ? algorithm_keys : rooted_algorithm_keys)
      .software();
}

constexpr Key<SystemDraft> collective_keys[] = {
    algorithms_key<CollectiveKind::all_reduce>("all-reduce"),
    algorithms_key<CollectiveKind::reduce_scatter>("reduce-scatter"),
    algorithms_key<CollectiveKind::all_gather>("all-gather"),
    algorithms_key<CollectiveKind::all_to_all>("all-to-all"),
    algorithms_key<CollectiveKind::broadcast>("broadcast"),
    algorithms_key<CollectiveKind::reduce>("reduce"),
    algorithms_key<CollectiveKind::gather>("gather"),
    algorithms_key<CollectiveKind::scatter>("scatter"),
    algorithms_key<CollectiveKind::barrier>("barrier"),
};

constexpr std::string_view own_chunks =
    "each of its ranks plans its own collectives, whose chunks visit the dimensions in ascending order, "
    "first "
    "in, first out";

constexpr Key<SystemDraft> system_keys[] = {
    key::map<collective_keys>("collectives", "`collectives`", "", "algorithms, [below](#algorithms)"),
    key::word<all_reduce_shape_words, &SystemDraft::all_reduce_shape>(
        "all-reduce-shape", "local-bandwidth-aware",
        "an all-reduce over several dimensions: reduce-scatter on the way out and all-gather on the way "
        "back, or a whole all-reduce in each")
        .better(Better::either)
        .software(),
    key::integer<&SystemDraft::chunks>(
        "chunks", 1, max_chunks, "1",
        "number of parts that a collective is cut into; each travels on its own, and their sizes differ by a "
        "byte at most. Under `themis-flex` it is the most parts")
        .better(Better::either)
        .software(),
    key::word<issue_order_words, &SystemDraft::issue_order>(
        "scheduling", "lifo", "which collective goes first, the youngest or the oldest")
        .better(Better::either)
        .useless_in(RunKind::traces, "each of its ranks runs one collective after the other")
        .software(),
    key::word<dimension_order_words, &SystemDraft::dimension_order>(
        "dimension-order", "ascending",
        "order in which a chunk visits the dimensions: innermost first; rotating from chunk to chunk; or the "
        "least loaded first (flex: with chunks as large as the imbalance)")
        .better(Better::either)
        .useless_in(RunKind::traces, own_chunks)
        .software(),
    key::word<queue_order_words, &SystemDraft::queue_order>(
        "queue-order", "fifo",
        "order of the chunks that wait for a dimension, for reduce-scatter and all-gather phases; others, "
        "and `fifo`, by priority, then arrival")
        .better(Better::either)
        .useless_in(RunKind::traces, own_chunks)
        .software(),
    key::integer<&SystemDraft::themis_gap_denominator>(
        "themis-gap-denominator", 1, max_slots, "16",
        "Themis leaves the ascending order only to even out an imbalance of at least a chunk's size divided "
        "by this")
        .better(Better::either)
        .useless_in(RunKind::traces, own_chunks)
        .software(),
    key::time<&SystemDraft::endpoint_delay>(
        "endpoint-delay", "10 ns",
        "an NPU spends this before each message and after the last reception of a phase")
        .hardware(),
    key::integer<&SystemDraft::active_chunks>("active-chunks-per-dimension", 1, max_slots, "1",
                                              "chunks served at once in a dimension, over all its queues")
        .better(Better::either)
        .software(),
    key::integer<&SystemDraft::queues_per_dimension>(
        "queues-per-dimension", 1, max_queues, "1",
        "queues of a dimension, filled in turn; the upper half runs rings backward")
        .better(Better::either)
        .software(),
    key::custom<read_library>(
        "library", "`gloo`, `ideal`, `mpi`, `nccl`, or a file", "none",
        "[closed forms of a library](models/library-collectives.md) carry out "
        "collectives, in place of messages; then the system has no other key but `buffers`")
        .trying("nccl|ideal"),
    key::word<buffers_words, &SystemDraft::buffers>(
        "buffers", "as the library has them",
        "memory of the buffers of collectives, beside `library`: a library of hosts copies those of GPUs, "
        "and "
        "PyTorch's backends [differ](models/library-collectives.md#backends) in what they have for which"),
    key::custom<read_channels>(
        "channels", "true or false", "false",
        "collectives run on the [channels](models/channels.md#collectives-on-channels) that NCCL would make "
        "of a network that is a graph, in place of algorithms; then the system has no other key")
        .trying("true|false"),
    key::boolean<&SystemDraft::rendezvous>(
        "rendezvous", "false", "every message waits for a message of 8192 bytes from its receiver"),
    key::map<bus_keys, &SystemDraft::shared_bus>(
        "shared-bus", "`shared-bus`", "none",
        "a LogGP bus between NPU and memory, in place of the endpoint delay"),
};

// ASTRA-sim 1.0 scales in binary32, cuts to whole nanoseconds, and leaves the default alone.
Time scaled_endpoint_delay(Time delay, bool given, const Dialect& dialect, double scale,
                           const SourceLocation& where) {
  if (dialect.single_precision_scaling && !given) return delay;
  const double ns =
      dialect.single_precision_scaling
          ? std::trunc(static_cast<double>(static_cast<float>(delay.ns()) * static_cast<float>(scale)))
          : delay.ns() * scale;
  if (!Time::is_input_ns(ns))
    throw InputError(
        where, "the endpoint delay times the injection scale exceeds 30 days; make one of them smaller");
  return Time::from_ns_rounded(ns);
}

}  // namespace

SystemConfig read_yaml_system(const InputNode& system, const Topology& topology, const Dialect& dialect,
                              double injection_scale, const SystemFiles& files) {
  SystemDraft draft{{}, {topology, dialect, files}, {}};
  draft.where = system.where;
  for (const auto& [word, kind] : collective_kind_words)
    draft.algorithms[static_cast<std::size_t>(kind)] = default_algorithms(kind, topology);
  read_map(system, "a system", system_keys, draft);
  if (draft.library) draft.library->buffers = draft.buffers;
  if (const InputNode* buffers = system.find("buffers"); buffers && !draft.library)
    throw InputError(buffers->where,
                     "only a `library` tells buffers of hosts from those of GPUs; name one, or "
                     "leave `buffers` out");
  if (draft.library)
    for (const InputName& name : system.names)
      if (name.text != "library" && name.text != "buffers")
        throw InputError(name.where,
                         fmt::format("`{}` says how collectives are made of messages, which those "
                                     "of a `library` are not; leave one of them out",
                                     name.text));
  if (draft.channels)
    for (const InputName& name : system.names)
      if (name.text != "channels")
        throw InputError(name.where, fmt::format("`{}` means nothing beside `channels`, which say how "
                                                 "collectives run; leave one of them out",
                                                 name.text));
  const bool themis =
      draft.dimension_order == DimensionOrder::themis || draft.dimension_order == DimensionOrder::themis_flex;
  if (const InputNode* gap = system.find("themis-gap-denominator"); gap && !themis)
    throw InputError(
        gap->where,
        "only Themis has a gap; write `dimension-order: themis` or leave `themis-gap-denominator` out");
  if (const InputNode* rendezvous = system.find("rendezvous"); draft.rendezvous && !draft.written.empty())
    throw InputError(
        rendezvous->where,
        "sends of an algorithm from a file do not wait for their receives; leave `rendezvous` out");
  if (const InputNode* rendezvous = system.find("rendezvous"); draft.rendezvous && draft.adds_up_in_network())
    throw InputError(rendezvous->where,
                     "switches that add up ask for no data before it is sent; leave `rendezvous` out");
  const InputNode* const delay = system.find("endpoint-delay");
  if (draft.shared_bus && delay)
    throw InputError(delay->where,
                     "the `shared-bus` takes the place of the endpoint delay; leave one of them out");
  draft.endpoint_delay =
      scaled_endpoint_delay(draft.endpoint_delay, delay != nullptr, dialect, injection_scale, system.where);
  return std::move(static_cast<SystemConfig&>(draft));
}

std::vector<KeyPath> yaml_system_keys() {
  return keys_of_map<system_keys>();
}

}  // namespace orrery::core
