#include "study/astra2/system_json.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <optional>
#include <set>

#include "base/located_json.hpp"
#include "base/words.hpp"
#include "collective/algorithm_list.hpp"

namespace orrery {

namespace {

constexpr std::array<Word<StreamPriority>, 3> priorities{{
    {"LIFO", StreamPriority::lifo},
    {"FIFO", StreamPriority::fifo},
    {"EXPLICIT", StreamPriority::explicit_},
}};
constexpr std::array<Word<CollectiveKind>, 4> list_keys{{
    {"all-reduce-implementation", CollectiveKind::all_reduce},
    {"reduce-scatter-implementation", CollectiveKind::reduce_scatter},
    {"all-gather-implementation", CollectiveKind::all_gather},
    {"all-to-all-implementation", CollectiveKind::all_to_all},
}};
constexpr std::array<Word<RootedKind>, rooted_kinds> rooted_keys{{
    {"broadcast-implementation", RootedKind::broadcast},
    {"reduce-implementation", RootedKind::reduce},
    {"gather-implementation", RootedKind::gather},
    {"scatter-implementation", RootedKind::scatter},
    {"barrier-implementation", RootedKind::barrier},
}};
constexpr std::array<Word<RootedAlgorithm>, 3> rooted_algorithms{{
    {"ring", RootedAlgorithm::ring},
    {"tree", RootedAlgorithm::tree},
    {"direct", RootedAlgorithm::direct},
}};
constexpr std::array<Word<CollectiveKind>, 4> custom_keys{{
    {"all-reduce-implementation-custom", CollectiveKind::all_reduce},
    {"reduce-scatter-implementation-custom", CollectiveKind::reduce_scatter},
    {"all-gather-implementation-custom", CollectiveKind::all_gather},
    {"all-to-all-implementation-custom", CollectiveKind::all_to_all},
}};
constexpr std::array<Word<AllReduceShape>, 2> shapes{{
    {"baseline", AllReduceShape::baseline},
    {"localBWAware", AllReduceShape::local_bandwidth_aware},
}};
constexpr std::array<Word<RemoteMemory::Kind>, 4> memory_kinds{{
    {"NO_MEMORY_EXPANSION", RemoteMemory::Kind::none},
    {"PER_NPU_MEMORY_EXPANSION", RemoteMemory::Kind::per_npu},
    {"PER_NODE_MEMORY_EXPANSION", RemoteMemory::Kind::per_node},
    {"MEMORY_POOL", RemoteMemory::Kind::pool},
}};

template <typename Table>
auto word_value(const JsonValue& value, std::string_view key, const Table& table) {
  const std::string& word = value.as_string(key);
  const auto found = value_of(table, word);
  if (!found) {
    const auto known = words_of(table);
    throw InputError(value.where(),
                     fmt::format("`{}` is {}, use {}", key, backquoted(word), alternatives(known)));
  }
  return *found;
}

constexpr int most = 1'000'000'000;

int whole(const JsonValue& value, std::string_view key, int least, int largest) {
  const int number = value.as_int(key);
  if (number < least || number > largest)
    throw InputError(value.where(), fmt::format("`{}` is {}, choose {} to {}", key, number, least, largest));
  return number;
}

double real(const JsonValue& value, std::string_view key, double largest) {
  const double number = value.as_real(key);
  if (!(number >= 0 && number <= largest))
    throw InputError(value.where(), fmt::format("`{}` is {}, choose 0 to {}", key, number, largest));
  return number;
}

// 0, 1, true or false.
bool truth(const JsonValue& value, std::string_view key) {
  if (const bool* flag = std::get_if<bool>(&value.content())) return *flag;
  if (const auto* number = std::get_if<std::int64_t>(&value.content())) return *number != 0;
  throw InputError(value.where(), fmt::format("`{}` has to be 0, 1, true or false", key));
}

void warn_of_unknown(const JsonMember& member, std::span<const std::string_view> known, Warnings& warnings) {
  warnings.add(member.where,
               "unknown key " + backquoted(member.key) + " is ignored" + suggestion(member.key, known));
}

// The things that a system file is read into.
struct Reading {
  double injection_scale;
  TraceMachine& machine;
  Warnings& warnings;
  SystemFileNames names;
  bool bus = false;
  SharedBusConfig bus_values;
  std::optional<SourceLocation> roofline_where;  // where it is turned on
};

Time endpoint_delay(const JsonValue& value, std::string_view key, double injection_scale) {
  const int ns = whole(value, key, 0, most);
  const double scaled = ns * injection_scale;
  if (!Time::is_input_ns(scaled))
    throw InputError(value.where(),
                     fmt::format("`{}` of {} ns times the injection scale of {} is more than 30 "
                                 "days, correct one of the two",
                                 key, ns, injection_scale));
  return Time::from_ns_truncated(scaled);
}

struct SystemKey {
  std::string_view name;
  void (*read)(const JsonValue& value, std::string_view key, Reading& reading);
};

// Those that begin a row without a reader have no effect.
constexpr SystemKey system_keys[] = {
    {"scheduling-policy", [](const JsonValue& v, std::string_view key,
                             Reading& r) { r.machine.streams.priority = word_value(v, key, priorities); }},
    {"collective-optimization",
     [](const JsonValue& v, std::string_view key, Reading& r) {
       r.machine.streams.all_reduce_shape = word_value(v, key, shapes);
     }},
    {"endpoint-delay",
     [](const JsonValue& v, std::string_view key, Reading& r) {
       r.machine.streams.endpoint_delay = endpoint_delay(v, key, r.injection_scale);
     }},
    {"active-chunks-per-dimension",
     [](const JsonValue& v, std::string_view key, Reading& r) {
       r.machine.streams.active_chunks = whole(v, key, 1, most);
     }},
    {"preferred-dataset-splits", [](const JsonValue& v, std::string_view key,
                                    Reading& r) { r.machine.streams.splits = whole(v, key, 1, 1'000'000); }},
    {"local-mem-bw", [](const JsonValue& v, std::string_view key,
                        Reading& r) { r.machine.roofline.memory_gb_per_s = real(v, key, 1e15); }},
    {"peak-perf", [](const JsonValue& v, std::string_view key,
                     Reading& r) { r.machine.roofline.peak_tflop_per_s = real(v, key, 1e15); }},
    {"roofline-enabled",
     [](const JsonValue& v, std::string_view key, Reading& r) {
       r.machine.roofline.enabled = truth(v, key);
       if (r.machine.roofline.enabled) r.roofline_where = v.where();
     }},
    {"replay-only",
     [](const JsonValue& v, std::string_view key, Reading& r) { r.machine.replay_only = truth(v, key); }},
    {"track-local-mem", [](const JsonValue& v, std::string_view key,
                           Reading& r) { r.machine.track_local_memory = truth(v, key); }},
    {"local-mem-trace-filename", [](const JsonValue& v, std::string_view key,
                                    Reading& r) { r.machine.local_memory_file = v.as_string(key); }},
    {"per-node-custom-implementation",
     [](const JsonValue& v, std::string_view key, Reading& r) {
       r.names.custom_of_nodes = {v.as_string(key), v.where()};
     }},
    {"model-shared-bus", [](const JsonValue& v, std::string_view key, Reading& r) { r.bus = truth(v, key); }},
    {"L", [](const JsonValue& v, std::string_view key,
             Reading& r) { r.bus_values.latency_ns = static_cast<int>(real(v, key, most)); }},
    {"o", [](const JsonValue& v, std::string_view key,
             Reading& r) { r.bus_values.overhead_ns = static_cast<int>(real(v, key, most)); }},
    {"g", [](const JsonValue& v, std::string_view key,
             Reading& r) { r.bus_values.gap_ns = static_cast<int>(real(v, key, most)); }},
    {"G", [](const JsonValue& v, std::string_view key,
             Reading& r) { r.bus_values.gap_per_byte_ns = static_cast<float>(real(v, key, most)); }},
    {"local-reduction-delay",
     [](const JsonValue& v, std::string_view key, Reading& r) {
       r.bus_values.local_reduction_delay = whole(v, key, 0, 1'000'000);
     }},
    {"boost-mode", nullptr},
    {"intra-dimension-scheduling", nullptr},
    {"inter-dimension-scheduling", nullptr},
    {"trace-enabled", nullptr},
};

void read_algorithms(const JsonMember& member, CollectiveKind kind, Reading& reading) {
  const auto index = static_cast<std::size_t>(kind);
  StreamConfig& streams = reading.machine.streams;
  streams.algorithms_where[index] = member.value.where();
  for (const JsonValue& entry : member.value.as_array(member.key)) {
    const auto words = parse_algorithm_list(entry.as_string(member.key), entry.where(), reading.warnings);
    if (words.size() != 1)
      throw InputError(entry.where(), fmt::format("`{}` is a list of one algorithm per dimension: write each "
                                                  "in quotes of its own",
                                                  member.key));
    streams.algorithms[index].push_back(words[0]);
  }
}

// A list of words, or one.
void read_rooted(const JsonMember& member, RootedKind kind, Reading& reading) {
  RootedChoice& choice = reading.machine.streams.rooted[static_cast<std::size_t>(kind)];
  choice.where = member.value.where();
  if (std::holds_alternative<std::string>(member.value.content())) {
    choice.algorithms.push_back(word_value(member.value, member.key, rooted_algorithms));
    return;
  }
  for (const JsonValue& entry : member.value.as_array(member.key))
    choice.algorithms.push_back(word_value(entry, member.key, rooted_algorithms));
  if (choice.algorithms.empty())
    throw InputError(choice.where, fmt::format("`{}` names no algorithm, use {}", member.key,
                                               alternatives(words_of(rooted_algorithms))));
}

NamedFile custom_prefix(const JsonMember& member) {
  const JsonArray& list = member.value.as_array(member.key);
  if (list.size() != 1) {
    throw InputError(member.value.where(),
                     fmt::format("`{}` has to be a list of one prefix of trace files, not of {}", member.key,
                                 list.size()));
  }
  return {list[0].as_string(member.key), list[0].where()};
}

void read_member(const JsonMember& member, Reading& reading) {
  for (const SystemKey& key : system_keys) {
    if (key.name != member.key) continue;
    if (key.read) {
      key.read(member.value, key.name, reading);
    } else {
      reading.warnings.add(member.where, backquoted(member.key) + " has no effect in ASTRA-sim 2, nor here");
    }
    return;
  }
  if (const auto kind = value_of(list_keys, member.key)) {
    read_algorithms(member, *kind, reading);
  } else if (const auto rooted = value_of(rooted_keys, member.key)) {
    read_rooted(member, *rooted, reading);
  } else if (const auto custom = value_of(custom_keys, member.key)) {
    reading.names.custom[static_cast<std::size_t>(*custom)] = custom_prefix(member);
  } else {
    warn_of_unknown(member, system_json_keys(), reading.warnings);
  }
}

}  // namespace

SystemFileNames read_system_json(std::string_view text, const std::string& file, double injection_scale,
                                 TraceMachine& machine, Warnings& warnings) {
  machine.streams.where = {file};
  Reading reading{injection_scale, machine, warnings, {}, false, {}, {}};
  const JsonValue root = parse_json(text, file);
  for (const JsonMember& member : root.as_object("the system file")) read_member(member, reading);
  const Roofline& roofline = machine.roofline;
  if (reading.roofline_where && !(roofline.memory_gb_per_s > 0 && roofline.peak_tflop_per_s > 0))
    throw InputError(*reading.roofline_where,
                     "`roofline-enabled` needs `local-mem-bw` and `peak-perf`, both above 0");
  if (reading.bus) machine.streams.shared_bus = reading.bus_values;
  machine.streams.memory_gb_per_s = roofline.memory_gb_per_s;
  return std::move(reading.names);
}

RemoteMemory read_memory_json(std::string_view text, const std::string& file, Warnings& warnings) {
  const JsonValue root = parse_json(text, file);
  RemoteMemory memory;
  bool npus_per_node_given = false;
  SourceLocation where{file}, bandwidth_where{file};
  for (const JsonMember& member : root.as_object("the remote-memory file")) {
    const std::string& key = member.key;
    const JsonValue& value = member.value;
    if (key == "memory-type") {
      memory.kind = word_value(value, key, memory_kinds);
      where = value.where();
    } else if (key == "remote-mem-latency") {
      memory.latency_ns = static_cast<std::int64_t>(real(value, key, Time::longest_input().ns()));
    } else if (key == "remote-mem-bw") {
      memory.bytes_per_ns = static_cast<std::int64_t>(real(value, key, 1e15));
      bandwidth_where = value.where();
    } else if (key == "num-npus-per-node") {
      memory.npus_per_node = whole(value, key, 1, most);
      npus_per_node_given = true;
    } else if (key != "num-nodes") {
      warn_of_unknown(member, memory_json_keys(), warnings);
    }
  }
  if (memory.kind != RemoteMemory::Kind::none && memory.bytes_per_ns < 1)
    throw InputError(bandwidth_where,
                     "`remote-mem-bw` has to be given, as 1 GB/s at least (it is cut to a whole number)");
  if (memory.kind == RemoteMemory::Kind::per_node && !npus_per_node_given)
    throw InputError(where, "`PER_NODE_MEMORY_EXPANSION` needs `num-npus-per-node`, add it");
  return memory;
}

std::map<int, std::vector<int>> read_groups_json(std::string_view text, const std::string& file, int npus,
                                                 Warnings& warnings) {
  const JsonValue root = parse_json(text, file);
  std::map<int, std::vector<int>> groups;
  for (const JsonMember& member : root.as_object("the group file")) {
    int id = 0;
    const char* end = member.key.data() + member.key.size();
    const auto parsed = std::from_chars(member.key.data(), end, id);
    if (parsed.ec != std::errc() || parsed.ptr != end || id < 0 || std::to_string(id) != member.key)
      throw InputError(member.where, backquoted(member.key) + " is no group id, use whole numbers above 0");
    if (id == 0) {
      warnings.add(member.where, "group 0 stands for all NPUs, its entry is ignored");
      continue;
    }
    const std::string name = fmt::format("group {}", id);
    std::vector<int>& members = groups[id];
    std::set<int> seen;
    for (const JsonValue& value : member.value.as_array(name)) {
      const int rank = value.as_int(name + "'s rank");
      if (rank < 0 || rank >= npus)
        throw InputError(value.where(), fmt::format("group {} has the rank {}, but the machine has {} NPUs: "
                                                    "choose 0 to {}",
                                                    id, rank, npus, npus - 1));
      if (!seen.insert(rank).second)
        throw InputError(value.where(), fmt::format("rank {} is in group {} twice, list it once", rank, id));
      members.push_back(rank);
    }
    if (members.empty())
      throw InputError(member.where, fmt::format("group {} has no members, list their ranks", id));
  }
  return groups;
}

std::vector<std::string_view> system_json_keys() {
  std::vector<std::string_view> keys;
  for (const SystemKey& key : system_keys) keys.push_back(key.name);
  for (const auto& key : list_keys) keys.push_back(key.word);
  for (const auto& key : custom_keys) keys.push_back(key.word);
  for (const auto& key : rooted_keys) keys.push_back(key.word);
  return keys;
}

std::vector<std::string_view> memory_json_keys() {
  return {"memory-type", "remote-mem-latency", "remote-mem-bw", "num-npus-per-node", "num-nodes"};
}

}  // namespace orrery
