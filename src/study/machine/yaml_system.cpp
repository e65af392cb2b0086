#include "study/machine/yaml_system.hpp"

#include <fmt/format.h>

#include <array>
#include <bit>
#include <cmath>
#include <optional>

#include "base/input/keys.hpp"
#include "collective/algorithms/written/foreign_algorithm.hpp"
#include "collective/algorithms/written/msccl_file.hpp"
#include "collective/library/network_library.hpp"
#include "collective/plan/collective_words.hpp"
#include "study/run/workload.hpp"

namespace orrery::core {
namespace {

constexpr int max_chunks = 1'000'000, max_slots = 1'000'000'000, max_queues = 10'000, max_window = 1 << 27;
constexpr double longest_bus_time_ns = 1e9;

struct SystemDraft : SystemConfig {
  const Topology& topology;
  const Dialect& dialect;
  const SystemFiles& files;
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

enum class Span { dimension, rest, machine };
constexpr std::array<EnumName<Span>, 3> span_words{
    {{"dimension", Span::dimension}, {"rest", Span::rest}, {"machine", Span::machine}}};

struct ChoiceDraft : AlgorithmChoice {
  explicit ChoiceDraft(const Extensions& of_plugins) : extensions(of_plugins) {}

  const Extensions& extensions;
  Span span = Span::dimension;
  std::optional<InputNode> file;  // its path
  std::shared_ptr<const ForeignAlgorithm> foreign;
};

// Returns the algorithm of a word. Plug-ins may add some.
Algorithm algorithm_of(const InputNode& node, ChoiceDraft& choice) {
  if (const auto algorithm = value_of(algorithm_words, node.text)) return *algorithm;
  if (const auto entry = choice.extensions.find<ForeignAlgorithmEntry>(node.text)) {
    choice.foreign = *entry;
    return choice.foreign->kind();
  }
  std::vector<std::string_view> words = words_of(algorithm_words);
  for (const std::string_view word : choice.extensions.names<ForeignAlgorithmEntry>()) words.push_back(word);
  reject_word(node, "algorithm", words);
}

// Reads, for example, "ring", "direct:4" or "msccl:ring.xml".
void read_algorithm(const InputNode& node, ChoiceDraft& choice) {
  const std::string& text = scalar_of(node, "algorithm");
  const std::size_t colon = text.find(':');
  InputNode part = node;
  part.text = text.substr(0, colon);
  choice.algorithm = algorithm_of(part, choice);
  if (colon == std::string::npos) return;
  part.text = text.substr(colon + 1);
  if (choice.algorithm->from_file && !choice.foreign)
    choice.file = part;
  else
    choice.window = int_of(part, "window", 1, max_window);
}

void read_file_key(const InputNode& node, const KeyFacts& key, ChoiceDraft& choice) {
  scalar_of(node, key.name);
  choice.file = node;
}

// The algorithms that leave members with the same data as a written one.
constexpr std::array<EnumName<Algorithm>, 3> otherwise_words{{
    {"ring", &ring_algorithm},
    {"direct", &direct_algorithm},
    {"halving-doubling", &halving_doubling_algorithm},
}};

constexpr auto algorithm_key = key::custom<read_algorithm>("algorithm", "word", "required",
                                                           "the algorithm, when it is written as a map");
constexpr auto span_key =
    key::word<span_words, &ChoiceDraft::span>("span", "dimension",
                                              "`rest`: this dimension and all beyond it as one, such as all "
                                              "boxes; `machine`: all NPUs of the group as one "
                                              "dimension, whatever the topology");
constexpr Key<ChoiceDraft> choice_keys[] = {
    algorithm_key.trying("ring|halving-doubling"),
    key::integer<&ChoiceDraft::window>("window", 1, max_window, "all",
                                       "direct only: number of peers that an NPU sends to at a time")
        .better(Better::either)
        .software(),
    span_key,
    key::custom<read_file_key>("file", "path", "required under `msccl`",
                               "msccl only: a [file](#written-algorithms) with the algorithm")
        .trying("allreduce-of-5.xml|allgather-of-5.xml|reducescatter-of-5.xml|alltoall-of-5.xml"),
    key::word<otherwise_words, &ChoiceDraft::otherwise>(
        "otherwise", "none",
        "msccl and plug-ins only: algorithm for groups, sizes and phases that these are not made for"),
};
constexpr Key<ChoiceDraft> rooted_choice_keys[] = {algorithm_key.trying("ring|tree"), span_key};

void read_written(const InputNode& node, CollectiveKind kind, ChoiceDraft& choice, SystemDraft& draft) {
  if (!choice.algorithm->from_file) {
    if (choice.file || choice.otherwise)
      throw InputError(node.where, fmt::format("`file` and `otherwise` belong to {}, not to {}; remove them",
                                               msccl_algorithm.name, choice.algorithm->name));
    return;
  }
  if (!choice.file && !choice.foreign)
    throw InputError(node.where, "the file of the algorithm is missing; write for example `msccl:ring.xml`");
  if (draft.dialect.phase_barrier == PhaseBarrier::machine)
    throw InputError(node.where, "ASTRA-sim 1.0 has no written algorithms: leave `dialect` out");
  if (choice.foreign) {
    if (choice.file)
      throw InputError(choice.file->where,
                       "the algorithm is one of a plug-in and has no file; remove `file`");
    draft.written.push_back(choice.foreign);
    choice.written = choice.foreign.get();
    return;
  }
  const std::string path = (draft.files.folder / choice.file->text).string();
  std::string text;
  try {
    text = draft.files.load(path, ReadAs::algorithm);
  } catch (const InputError& error) {
    throw InputError(choice.file->where, fmt::format("no file that can be read: {}", error.what()));
  }
  const auto written = std::make_shared<const WrittenFile>(read_msccl_file(text, path, draft.files.warnings));
  const WrittenAlgorithm& algorithm = written->algorithm();
  if (algorithm.kind != kind)
    throw InputError(
        algorithm.where(algorithm.spot),
        fmt::format("the algorithm is one for {}, but {}:{} names it for {}; choose another file",
                    name_of(algorithm.kind), node.where.file, node.where.line, name_of(kind)));
  draft.written.push_back(written);
  choice.written = written.get();
}

AlgorithmChoice read_choice(const InputNode& node, CollectiveKind kind, SystemDraft& draft) {
  constexpr std::string_view what = "an algorithm written as a map";
  ChoiceDraft choice(draft.files.load.extensions());
  if (node.kind != InputNode::Kind::map)
    read_algorithm(node, choice);
  else if (is_symmetric(kind))
    read_map(node, what, choice_keys, choice);
  else
    read_map(node, what, rooted_choice_keys, choice);
  choice.whole_machine = choice.span == Span::machine;
  choice.joins_rest = choice.span == Span::rest;
  if (!choice.algorithm->runs(kind))
    throw InputError(node.where, fmt::format("{} does not run {}; use {}", choice.algorithm->name,
                                             name_of(kind), alternatives(words_of_algorithms_for(kind))));
  if (choice.window > 0 && !(choice.algorithm->has_window && is_symmetric(kind)))
    throw InputError(node.where,
                     fmt::format("{} of {} has no window; remove it", choice.algorithm->name, name_of(kind)));
  read_written(node, kind, choice, draft);
  return choice;
}

std::vector<AlgorithmChoice> read_algorithm_list(const InputNode& node, CollectiveKind kind,
                                                 SystemDraft& draft) {
  const std::size_t dimensions = draft.topology.dimensions.size();
  const std::string_view collective = name_of(kind);
  std::vector<AlgorithmChoice> choices;
  for (const InputNode& item : list_of(node, collective)) {
    choices.push_back(read_choice(item, kind, draft));
    if (choices.back().whole_machine && node.items.size() > 1)
      throw InputError(item.where,
                       "an algorithm that spans the machine has to be the only one of its collective");
    if (choices.back().joins_rest && choices.size() < node.items.size())
      throw InputError(item.where, "an algorithm that spans the rest has to be the last one");
  }
  const bool spans_all =
      choices.front().whole_machine || (choices.back().joins_rest && choices.size() <= dimensions);
  if (choices.size() != dimensions && !spans_all)
    throw InputError(
        node.where,
        fmt::format("`{}` names {} algorithm{}, the network has {} dimension{}; name one per dimension, "
                    "or a single one without brackets for all",
                    collective, choices.size(), choices.size() == 1 ? "" : "s", dimensions,
                    dimensions == 1 ? "" : "s"));
  return choices;
}

// Returns one algorithm per dimension, or a single one that spans the machine.
std::vector<AlgorithmChoice> algorithms_of(const InputNode& node, CollectiveKind kind, SystemDraft& draft) {
  const std::size_t dimensions = draft.topology.dimensions.size();
  if (node.kind == InputNode::Kind::list) return read_algorithm_list(node, kind, draft);
  const AlgorithmChoice choice = read_choice(node, kind, draft);
  return std::vector<AlgorithmChoice>(choice.whole_machine || choice.joins_rest ? 1 : dimensions, choice);
}

std::vector<AlgorithmChoice> default_algorithms(CollectiveKind kind, const Topology& topology) {
  const auto algorithm_for = [&](const Dimension& dimension) -> Algorithm {
    if (!is_symmetric(kind)) return &tree_algorithm;
    if (dimension.block == Block::ring) return &ring_algorithm;
    if (dimension.block == Block::fully_connected || kind == CollectiveKind::all_to_all)
      return &direct_algorithm;
    return std::has_single_bit(static_cast<unsigned>(dimension.size)) ? &halving_doubling_algorithm
                                                                      : &ring_algorithm;
  };
  std::vector<AlgorithmChoice> choices;
  for (const Dimension& dimension : topology.dimensions) choices.push_back({algorithm_for(dimension)});
  return choices;
}

template <CollectiveKind kind>
void read_algorithms(const InputNode& node, SystemDraft& draft) {
  constexpr auto index = static_cast<std::size_t>(kind);
  draft.algorithms[index] = algorithms_of(node, kind, draft);
  draft.algorithms_where[index] = node.where;
}

void read_channels(const InputNode& node, const KeyFacts& key, SystemDraft& draft) {
  draft.channels = bool_of(node, key.name);
  draft.channels_where = node.where;
}

void read_library(const InputNode& node, const KeyFacts& key, SystemDraft& draft) {
  if (const std::string& library = scalar_of(node, key.name); !library.empty())
    draft.library = name_library(library, node.where, draft.files.load);
}

template <CollectiveKind kind>
constexpr auto algorithms_key(std::string_view name) {
  return key::custom<read_algorithms<kind>>(name, "algorithm or list",
                                            is_symmetric(kind) ? "by topology" : "tree",
                                            "algorithms of this kind of collective")
      .trying(is_symmetric(kind) ? "direct|double-binary-tree|halving-doubling|ring" : "direct|ring|tree")
      .better(Better::either)
      .above(is_symmetric(kind) ? keys_of_list<choice_keys> : keys_of_list<rooted_choice_keys>)
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
    key::custom<read_library>("library", "`nccl`, `ideal`, or a file", "none",
                              "[closed forms of a library](models/library-collectives.md) carry out "
                              "collectives, in place of messages; then the system has no other key")
        .trying("nccl|ideal"),
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
  SystemDraft draft{{}, topology, dialect, files};
  draft.where = system.where;
  for (const auto& [word, kind] : collective_kind_words)
    draft.algorithms[static_cast<std::size_t>(kind)] = default_algorithms(kind, topology);
  read_map(system, "a system", system_keys, draft);
  if (draft.library)
    for (const InputName& name : system.names)
      if (name.text != "library")
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
