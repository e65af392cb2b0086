#include "study/yaml_system.hpp"

#include <fmt/format.h>

#include <cmath>

#include "base/yaml_reader.hpp"
#include "collective/collective_words.hpp"
#include "study/yaml_algorithms.hpp"

namespace orrery {
namespace {

constexpr int most_chunks = 1'000'000;
constexpr int most_slots = 1'000'000'000;
constexpr int most_queues = 10'000;
constexpr double longest_bus_time_ns = 1e9;

struct SystemDraft {
  SystemConfig config;
  const Topology& topology;
  bool endpoint_delay_given = false;
};

int bus_time_of(const YamlNode& node, std::string_view key) {
  const Time time = time_of(node, key);
  if (time.ps() % 1000 != 0 || time.ns() > longest_bus_time_ns)
    throw InputError(node.where, fmt::format("`{}` has to be whole nanoseconds, at most 1 s", key));
  return static_cast<int>(time.whole_ns());
}

float gap_per_byte_of(const YamlNode& node) {
  std::string number = scalar_of(node, "gap-per-byte");
  constexpr std::string_view unit = "ns/B";
  if (!number.ends_with(unit))
    throw InputError(node.where, "`gap-per-byte` has to be in ns/B; write for example `0.01 ns/B`");
  number.resize(number.size() - unit.size());
  while (number.ends_with(' ')) number.pop_back();
  YamlNode plain = node;
  plain.text = number;
  return static_cast<float>(real_of(plain, "gap-per-byte", 0, longest_bus_time_ns));
}

constexpr YamlKey<SharedBusConfig> bus_keys[] = {
    {"latency", [](const YamlNode& v, SharedBusConfig& b) { b.latency_ns = bus_time_of(v, "latency"); }},
    {"overhead", [](const YamlNode& v, SharedBusConfig& b) { b.overhead_ns = bus_time_of(v, "overhead"); }},
    {"gap", [](const YamlNode& v, SharedBusConfig& b) { b.gap_ns = bus_time_of(v, "gap"); }},
    {"gap-per-byte", [](const YamlNode& v, SharedBusConfig& b) { b.gap_per_byte_ns = gap_per_byte_of(v); }},
    {"local-reduction-delay",
     [](const YamlNode& v, SharedBusConfig& b) {
       b.local_reduction_delay = int_of(v, "local-reduction-delay", 0, 1'000'000);
     }},
};

template <CollectiveKind kind>
void read_algorithms(const YamlNode& node, SystemDraft& draft) {
  constexpr auto index = static_cast<std::size_t>(kind);
  draft.config.algorithms[index] =
      read_yaml_algorithms(node, word_of(collective_kind_words, kind), draft.topology);
  draft.config.algorithms_where[index] = node.where;
}

constexpr YamlKey<SystemDraft> collective_keys[] = {
    {"all-reduce", read_algorithms<CollectiveKind::all_reduce>, yaml_algorithm_keys},
    {"reduce-scatter", read_algorithms<CollectiveKind::reduce_scatter>, yaml_algorithm_keys},
    {"all-gather", read_algorithms<CollectiveKind::all_gather>, yaml_algorithm_keys},
    {"all-to-all", read_algorithms<CollectiveKind::all_to_all>, yaml_algorithm_keys},
};

constexpr YamlKey<SystemDraft> system_keys[] = {
    {"collectives",
     [](const YamlNode& v, SystemDraft& d) { read_map(v, "`collectives`", collective_keys, d); },
     [] { return key_paths(".", collective_keys); }},
    {"all-reduce-shape",
     [](const YamlNode& v, SystemDraft& d) {
       d.config.all_reduce_shape = word_value_of(v, "all-reduce-shape", all_reduce_shape_words);
     }},
    {"chunks",
     [](const YamlNode& v, SystemDraft& d) { d.config.chunks = int_of(v, "chunks", 1, most_chunks); }},
    {"scheduling",
     [](const YamlNode& v, SystemDraft& d) {
       d.config.issue_order = word_value_of(v, "scheduling", issue_order_words);
     }},
    {"endpoint-delay",
     [](const YamlNode& v, SystemDraft& d) {
       d.config.endpoint_delay = time_of(v, "endpoint-delay");
       d.endpoint_delay_given = true;
     }},
    {"active-chunks-per-dimension",
     [](const YamlNode& v, SystemDraft& d) {
       d.config.active_chunks = int_of(v, "active-chunks-per-dimension", 1, most_slots);
     }},
    {"queues-per-dimension",
     [](const YamlNode& v, SystemDraft& d) {
       d.config.queues_per_dimension = int_of(v, "queues-per-dimension", 1, most_queues);
     }},
    {"dimension-order",
     [](const YamlNode& v, SystemDraft& d) {
       d.config.dimension_order = word_value_of(v, "dimension-order", dimension_order_words);
     }},
    {"queue-order",
     [](const YamlNode& v, SystemDraft& d) {
       d.config.queue_order = word_value_of(v, "queue-order", queue_order_words);
     }},
    {"themis-gap-denominator",
     [](const YamlNode& v, SystemDraft& d) {
       d.config.themis_gap_denominator = int_of(v, "themis-gap-denominator", 1, most_slots);
     }},
    {"library",
     [](const YamlNode& v, SystemDraft& d) {
       d.config.library = scalar_of(v, "library");
       d.config.library_where = v.where;
     }},
    {"rendezvous", [](const YamlNode& v, SystemDraft& d) { d.config.rendezvous = bool_of(v, "rendezvous"); }},
    {"shared-bus",
     [](const YamlNode& v, SystemDraft& d) {
       read_map(v, "`shared-bus`", bus_keys, d.config.shared_bus.emplace());
     },
     [] { return key_paths(".", bus_keys); }},
};

// ASTRA-sim 1.0 scales in binary32, cuts to whole nanoseconds, and leaves the default alone.
Time scaled_endpoint_delay(const SystemDraft& draft, const Dialect& dialect, double scale,
                           const SourceLocation& where) {
  const Time delay = draft.config.endpoint_delay;
  if (dialect.single_precision_scaling && !draft.endpoint_delay_given) return delay;
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

SystemConfig read_yaml_system(const YamlNode& system, const Topology& topology, const Dialect& dialect,
                              double injection_scale) {
  SystemDraft draft{{}, topology};
  draft.config.where = system.where;
  for (const auto& [word, kind] : collective_kind_words)
    draft.config.algorithms[static_cast<std::size_t>(kind)] = default_algorithms(kind, topology);
  read_map(system, "a system", system_keys, draft);
  if (!draft.config.library.empty())
    for (const YamlName& name : system.names)
      if (name.text != "library")
        throw InputError(name.where,
                         fmt::format("`{}` says how collectives are made of messages, which those "
                                     "of a `library` are not; leave one of them out",
                                     name.text));
  if (draft.config.shared_bus && draft.endpoint_delay_given)
    throw InputError(system.find("endpoint-delay")->where,
                     "the `shared-bus` takes the place of the endpoint delay; leave one of them out");
  draft.config.endpoint_delay = scaled_endpoint_delay(draft, dialect, injection_scale, system.where);
  return std::move(draft.config);
}

std::vector<std::string> yaml_system_keys() {
  return key_paths(".", system_keys);
}

}  // namespace orrery
