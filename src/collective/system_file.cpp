#include "collective/system_file.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <set>

#include <fmt/format.h>

#include "base/token_reader.hpp"
#include "base/words.hpp"
#include "collective/algorithm_list.hpp"

namespace orrery {
namespace {

constexpr std::array<Word<IssueOrder>, 2> scheduling_policies{{
    {"LIFO", IssueOrder::lifo},
    {"FIFO", IssueOrder::fifo},
}};
constexpr std::array<Word<AllReduceShape>, 2> collective_optimizations{{
    {"baseline", AllReduceShape::baseline},
    {"localBWAware", AllReduceShape::local_bandwidth_aware},
}};
constexpr std::array<Word<DimensionOrder>, 4> inter_dimension_schedulings{{
    {"ascending", DimensionOrder::ascending},
    {"roundRobin", DimensionOrder::round_robin},
    {"offlineGreedy", DimensionOrder::themis},
    {"offlineGreedyFlex", DimensionOrder::themis_flex},
}};
constexpr std::array<Word<QueueOrder>, 4> intra_dimension_schedulings{{
    {"FIFO", QueueOrder::fifo},
    {"RG", QueueOrder::alternate_kinds},
    {"smallestFirst", QueueOrder::smallest_first},
    {"lessRemainingPhaseFirst", QueueOrder::fewest_phases_left},
}};

// Holds what the pairs read so far say.
struct Reading {
  SystemConfig config;
  SharedBusConfig bus;
  bool bus_on = false;
  std::set<std::string_view> given;  // keys
  double injection_scale;
  const Dialect& dialect;
  Warnings& warnings;
};

struct Value {
  std::string_view key;
  std::string_view text;
  SourceLocation where;

  [[noreturn]] void reject(const std::string& wanted) const {
    throw InputError(where, backquoted(key) + " has to be " + wanted + ", not " + backquoted(text));
  }
};

template <class Table>
auto choose(const Table& table, const Value& value) {
  const auto choice = value_of(table, value.text);
  if (!choice) value.reject(alternatives(words_of(table)));
  return *choice;
}

std::int64_t integer(const Value& value, std::int64_t least, std::int64_t largest, Warnings& warnings) {
  const auto number = parse_leading_integer(value.text);
  if (!number || number->value < least || number->value > largest)
    value.reject("a whole number from " + std::to_string(least) + " to " + std::to_string(largest));
  if (!number->rest.empty())
    warnings.add(value.where, backquoted(value.text) + " is read as " + std::to_string(number->value) + ": " +
                                  backquoted(value.key) + " is a whole number");
  return number->value;
}

double real(const Value& value, double largest) {
  const auto number = parse_real(value.text);
  if (!number || *number < 0 || *number > largest)
    value.reject("a number from 0 to " + std::to_string(static_cast<std::int64_t>(largest)));
  return *number;
}

// Sane limits: what is larger is a slip, and would overflow later on.
constexpr std::int64_t most_chunks = 1'000'000;
constexpr std::int64_t most_slots = 1'000'000'000;
constexpr double longest_bus_time_ns = 1e9;

int small_integer(const Value& value, std::int64_t least, std::int64_t largest, Reading& reading) {
  return static_cast<int>(integer(value, least, largest, reading.warnings));
}

// Switches of the format: 1 is on; every other number is off, or on for seprate-log.
int switch_number(const Value& value, Reading& reading) {
  return small_integer(value, INT32_MIN, INT32_MAX, reading);
}

int bus_time(const Value& value) {
  return static_cast<int>(real(value, longest_bus_time_ns));
}

Time endpoint_delay(const Value& value, const Reading& reading) {
  const std::int64_t whole = integer(value, 0, Time::longest_input().whole_ns(), reading.warnings);
  const double scale = reading.injection_scale;
  const bool narrow = reading.dialect.single_precision_scaling;
  const double ns =
      narrow ? static_cast<double>(std::trunc(static_cast<float>(whole) * static_cast<float>(scale)))
             : static_cast<double>(whole) * scale;
  if (!Time::is_input_ns(ns))
    throw InputError(value.where, "the endpoint delay of " + std::to_string(whole) +
                                      " ns times the injection scale of " + fmt::format("{}", scale) +
                                      " has to be from 0 to 30 days, correct one of the two");
  return Time::from_ns_rounded(ns);
}

template <CollectiveKind kind>
void set_algorithms(Reading& reading, const Value& value) {
  constexpr auto index = static_cast<std::size_t>(kind);
  reading.config.algorithms[index] = parse_algorithm_list(value.text, value.where, reading.warnings);
  reading.config.algorithms_where[index] = value.where;
}

struct Key {
  std::string_view name;
  bool required;
  void (*set)(Reading& reading, const Value& value);
};

constexpr Key keys[] = {
    {"scheduling-policy", true,
     [](Reading& r, const Value& v) { r.config.issue_order = choose(scheduling_policies, v); }},
    {"all-reduce-implementation", true, set_algorithms<CollectiveKind::all_reduce>},
    {"reduce-scatter-implementation", true, set_algorithms<CollectiveKind::reduce_scatter>},
    {"all-gather-implementation", true, set_algorithms<CollectiveKind::all_gather>},
    {"all-to-all-implementation", true, set_algorithms<CollectiveKind::all_to_all>},
    {"collective-optimization", true,
     [](Reading& r, const Value& v) { r.config.all_reduce_shape = choose(collective_optimizations, v); }},
    {"preferred-dataset-splits", true,
     [](Reading& r, const Value& v) { r.config.chunks = small_integer(v, 1, most_chunks, r); }},
    {"endpoint-delay", false,
     [](Reading& r, const Value& v) { r.config.endpoint_delay = endpoint_delay(v, r); }},
    {"active-chunks-per-dimension", false,
     [](Reading& r, const Value& v) { r.config.active_chunks = small_integer(v, 1, most_slots, r); }},
    // A permission to skip work; results do not depend on it.
    {"boost-mode", false, [](Reading& r, const Value& v) { switch_number(v, r); }},
    {"inter-dimension-scheduling", false,
     [](Reading& r, const Value& v) { r.config.dimension_order = choose(inter_dimension_schedulings, v); }},
    {"intra-dimension-scheduling", false,
     [](Reading& r, const Value& v) { r.config.queue_order = choose(intra_dimension_schedulings, v); }},
    {"gap-denominator", false,
     [](Reading& r, const Value& v) {
       r.config.themis_gap_denominator = small_integer(v, 1, most_slots, r);
     }},
    {"local-reduction-delay", false,
     [](Reading& r, const Value& v) { r.bus.local_reduction_delay = small_integer(v, 0, 1'000'000, r); }},
    {"model-shared-bus", false, [](Reading& r, const Value& v) { r.bus_on = switch_number(v, r) == 1; }},
    {"L", false, [](Reading& r, const Value& v) { r.bus.latency_ns = bus_time(v); }},
    {"o", false, [](Reading& r, const Value& v) { r.bus.overhead_ns = bus_time(v); }},
    {"g", false, [](Reading& r, const Value& v) { r.bus.gap_ns = bus_time(v); }},
    {"G", false,
     [](Reading& r, const Value& v) {
       r.bus.gap_per_byte_ns = static_cast<float>(real(v, longest_bus_time_ns));
     }},
    {"seprate-log", false,
     [](Reading& r, const Value& v) { r.config.separate_log = switch_number(v, r) != 0; }},
};

const Key& find_key(const Token& token, const SourceLocation& where) {
  const std::string_view name = token.text.substr(0, token.text.size() - (token.text.ends_with(':') ? 1 : 0));
  const auto key =
      std::find_if(std::begin(keys), std::end(keys), [&](const Key& k) { return k.name == name; });
  if (key != std::end(keys) && token.text.ends_with(':')) return *key;
  std::string problem = "unknown key " + backquoted(token.text);
  if (key != std::end(keys))
    problem += ", write it with its colon attached: " + backquoted(std::string(name) + ":");
  else if (name == "direct-collective-window")
    problem += ", give the window in the algorithm, such as `direct4`";
  else if (const std::string meant = suggestion(name, system_file_keys()); !meant.empty())
    problem += meant;
  else
    problem += ", the file is made of pairs `key: value` and has no comments";
  throw InputError(where, problem);
}

void read_pair(TokenReader& reader, Reading& reading) {
  const Token token = reader.next("a key");
  const SourceLocation where = reader.where(token);
  const Key& key = find_key(token, where);
  const Token text = reader.next("the value of " + backquoted(token.text));
  if (text.text.ends_with(':'))
    throw InputError(reader.where(text),
                     backquoted(token.text) + " has no value before " + backquoted(text.text) + ", add it");
  if (!reading.given.insert(key.name).second)
    reading.warnings.add(where, backquoted(token.text) + " is given twice, the last one counts");
  key.set(reading, {key.name, text.text, reader.where(text)});
}

void check_complete(const Reading& reading, const SourceLocation& file) {
  for (const Key& key : keys)
    if (key.required && !reading.given.contains(key.name))
      throw InputError(
          file, "the key " + backquoted(std::string(key.name) + ":") + " is missing, add it with its value");
  if (!reading.bus_on) return;
  for (const std::string_view name : {"L", "o", "g", "G"})
    if (!reading.given.contains(name))
      reading.warnings.add(file, "`model-shared-bus:` is on without " + backquoted(std::string(name) + ":") +
                                     ", which is taken as 0");
}

}  // namespace

SystemConfig read_system_file(std::string_view text, const std::string& file, double injection_scale,
                              const Dialect& dialect, Warnings& warnings) {
  Reading reading{{}, {}, false, {}, injection_scale, dialect, warnings};
  reading.config.where = {file};
  TokenReader reader(text, file);
  while (!reader.at_end()) read_pair(reader, reading);
  check_complete(reading, {file});
  if (reading.bus_on) reading.config.shared_bus = reading.bus;
  return std::move(reading.config);
}

std::vector<std::string_view> system_file_keys() {
  std::vector<std::string_view> names;
  for (const Key& key : keys) names.push_back(key.name);
  return names;
}

}  // namespace orrery
