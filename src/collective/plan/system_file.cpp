#include "collective/plan/system_file.hpp"

#include <array>
#include <cmath>
#include <cstdint>

#include <fmt/format.h>

#include "base/diagnostics/words.hpp"
#include "base/input/key_pairs.hpp"
#include "base/text/token_reader.hpp"
#include "collective/plan/algorithm_list.hpp"

namespace orrery::core {
namespace {

constexpr std::array<EnumName<IssueOrder>, 2> scheduling_policies{{
    {"LIFO", IssueOrder::lifo},
    {"FIFO", IssueOrder::fifo},
}};
constexpr std::array<EnumName<AllReduceShape>, 2> collective_optimizations{{
    {"baseline", AllReduceShape::baseline},
    {"localBWAware", AllReduceShape::local_bandwidth_aware},
}};
// The last words are those of a later tag of ASTRA-sim 1.0 (tutorial-asplos2023), which means the same.
constexpr std::array<EnumName<DimensionOrder>, 7> inter_dimension_schedulings{{
    {"ascending", DimensionOrder::ascending},
    {"roundRobin", DimensionOrder::round_robin},
    {"offlineGreedy", DimensionOrder::themis},
    {"offlineGreedyFlex", DimensionOrder::themis_flex},
    {"baseline", DimensionOrder::ascending},
    {"themis", DimensionOrder::themis},
    {"themisFlex", DimensionOrder::themis_flex},
}};
constexpr std::array<EnumName<QueueOrder>, 5> intra_dimension_schedulings{{
    {"FIFO", QueueOrder::fifo},
    {"RG", QueueOrder::alternate_kinds},
    {"smallestFirst", QueueOrder::smallest_first},
    {"SCF", QueueOrder::smallest_first},
    {"lessRemainingPhaseFirst", QueueOrder::fewest_phases_left},
}};

// These are limits of reason: larger values are slips, and would overflow later on.
constexpr std::int64_t max_chunks = 1'000'000;
constexpr std::int64_t max_slots = 1'000'000'000;
constexpr double longest_bus_time_ns = 1e9;

struct Draft : SystemConfig {
  SharedBusConfig bus;
  std::int64_t endpoint_delay_ns = 0;
  // Switches of the format: 1 is on; every other number is off, or on for seprate-log.
  int boost_mode = 0, model_shared_bus = 0, separate_log_number = 1;
  Warnings& warnings;
};

template <CollectiveKind kind>
void read_algorithms(const InputNode& node, Draft& draft) {
  constexpr auto index = static_cast<std::size_t>(kind);
  draft.algorithms[index] = parse_algorithm_list(node.text, node.where, draft.warnings);
  draft.algorithms_where[index] = node.where;
}
template <CollectiveKind kind>
constexpr auto algorithms(std::string_view name, std::string_view meaning) {
  return key::custom<read_algorithms<kind>>(name, "algorithms", "required", meaning);
}

// The value is cut to whole nanoseconds.
template <int SharedBusConfig::*member>
constexpr auto bus_time(std::string_view name, std::string_view meaning) {
  return key::real<&Draft::bus, member>(name, 0, longest_bus_time_ns, "0", meaning)
      .of("ns, 0 to 10⁹, cut to whole ones");
}

template <int Draft::*member>
constexpr auto switch_number(std::string_view name, std::string_view fallback, std::string_view meaning) {
  return key::integer<member>(name, INT32_MIN, INT32_MAX, fallback, meaning).of("whole number");
}

constexpr Key<Draft> keys[] = {
    key::word<scheduling_policies, &Draft::issue_order>(
        "scheduling-policy", "required", "which collective goes first, the youngest or the oldest"),
    algorithms<CollectiveKind::all_reduce>("all-reduce-implementation",
                                           "algorithms of all-reduces, in all their phases"),
    algorithms<CollectiveKind::reduce_scatter>("reduce-scatter-implementation",
                                               "algorithms of reduce-scatters"),
    algorithms<CollectiveKind::all_gather>("all-gather-implementation", "algorithms of all-gathers"),
    algorithms<CollectiveKind::all_to_all>("all-to-all-implementation", "algorithms of all-to-alls"),
    key::word<collective_optimizations, &Draft::all_reduce_shape>("collective-optimization", "required",
                                                                  "as `system.all-reduce-shape`"),
    key::integer<&Draft::chunks>("preferred-dataset-splits", 1, max_chunks, "required",
                                 "chunks that a collective is cut into"),
    key::integer<&Draft::endpoint_delay_ns>("endpoint-delay", 0, Time::longest_input().whole_ns(), "10",
                                            "an NPU spends this before each message and after the last "
                                            "reception of a phase; times `--injection-scale`")
        .of("ns, 0 to 30 days"),
    key::integer<&Draft::active_chunks>("active-chunks-per-dimension", 1, max_slots, "1",
                                        "chunks served at once in a dimension, over all its queues"),
    key::word<inter_dimension_schedulings, &Draft::dimension_order>(
        "inter-dimension-scheduling", "ascending",
        "as `system.dimension-order`; offlineGreedy and themis are Themis, baseline is ascending"),
    key::word<intra_dimension_schedulings, &Draft::queue_order>(
        "intra-dimension-scheduling", "FIFO",
        "as `system.queue-order`; RG alternates kinds, SCF is smallestFirst"),
    key::integer<&Draft::themis_gap_denominator>("gap-denominator", 1, max_slots, "16",
                                                 "as `system.themis-gap-denominator`"),
    switch_number<&Draft::model_shared_bus>(
        "model-shared-bus", "0", "1: a LogGP bus between NPU and memory, in place of the endpoint delay"),
    bus_time<&SharedBusConfig::latency_ns>("L", "latency of the bus"),
    bus_time<&SharedBusConfig::overhead_ns>("o", "overhead of the bus"),
    bus_time<&SharedBusConfig::gap_ns>("g", "gap of the bus"),
    key::real<&Draft::bus, &SharedBusConfig::gap_per_byte_ns>("G", 0, longest_bus_time_ns, "0",
                                                              "gap per byte of the bus")
        .of("ns per byte, 0 to 10⁹"),
    key::integer<&Draft::bus, &SharedBusConfig::local_reduction_delay>(
        "local-reduction-delay", 0, 1'000'000, "1", "ns to reduce 100 bytes, with the bus only"),
    switch_number<&Draft::boost_mode>("boost-mode", "0",
                                      "accepted, without effect: results never depended on it"),
    switch_number<&Draft::separate_log_number>(
        "seprate-log", "1",
        "0: no EndToEnd.csv, detailed.csv and utilization file, and another definition of [exposed "
        "time](outputs.md#totals)"),
};

// Reads whole numbers up to the first character that does not belong to one.
void cut_integers(InputNode& root, Warnings& warnings) {
  for (const KeyFacts& key : keys) {
    InputNode* const value = key.type == KeyType::integer ? root.find(key.name) : nullptr;
    const auto number = value ? parse_leading_integer(value->text) : std::nullopt;
    if (!number) continue;
    if (!number->rest.empty())
      warnings.add(value->where, fmt::format("{} is read as {}: `{}` is a whole number",
                                             backquoted(value->text), number->value, key.name));
    value->text = std::to_string(number->value);
  }
}

Time scaled_delay(std::int64_t ns, double scale, const Dialect& dialect, const SourceLocation& where) {
  const double scaled =
      dialect.single_precision_scaling
          ? static_cast<double>(std::trunc(static_cast<float>(ns) * static_cast<float>(scale)))
          : static_cast<double>(ns) * scale;
  if (!Time::is_input_ns(scaled))
    throw InputError(where,
                     fmt::format("the endpoint delay of {} ns times the injection scale of {} has to be "
                                 "from 0 to 30 days, correct one of the two",
                                 ns, scale));
  return Time::from_ns_rounded(scaled);
}

}  // namespace

SystemConfig read_system_file(std::string_view text, const std::string& file, double injection_scale,
                              const Dialect& dialect, Warnings& warnings) {
  Draft draft{{}, {}, 0, 0, 0, 1, warnings};
  draft.where = {file};
  InputNode root = parse_key_pairs(text, file, warnings);
  cut_integers(root, warnings);
  if (const InputNode* window = root.find("direct-collective-window"))
    throw InputError(window->where,
                     "there is no key `direct-collective-window`: give the window in the algorithm, such as "
                     "`direct4`");
  read_map(root, "the system file", keys, draft);
  if (const InputNode* delay = root.find("endpoint-delay"))
    draft.endpoint_delay = scaled_delay(draft.endpoint_delay_ns, injection_scale, dialect, delay->where);
  draft.separate_log = draft.separate_log_number != 0;
  if (draft.model_shared_bus != 1) return draft;
  draft.shared_bus = draft.bus;
  for (const std::string_view name : {"L", "o", "g", "G"})
    if (!root.find(name))
      warnings.add(root.where,
                   fmt::format("`model-shared-bus` is on without `{}`, which is taken as 0", name));
  return draft;
}

std::vector<KeyPath> system_file_keys() {
  return key_paths("", keys);
}

}  // namespace orrery::core
