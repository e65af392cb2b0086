#include "study/astra2/system_json.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>

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

int whole(const JsonValue& value, std::string_view key, int least, int most) {
  const int number = value.as_int(key);
  if (number < least || number > most)
    throw InputError(value.where(), fmt::format("`{}` is {}, choose {} to {}", key, number, least, most));
  return number;
}

double real(const JsonValue& value, std::string_view key) {
  const double number = value.as_real(key);
  if (!(number >= 0) || !std::isfinite(number) || number > 1e15)
    throw InputError(value.where(), fmt::format("`{}` has to be a number of at least 0", key));
  return number;
}

// 0, 1, true or false.
bool truth(const JsonValue& value, std::string_view key) {
  if (const bool* flag = std::get_if<bool>(&value.content())) return *flag;
  return value.as_int(key) != 0;
}

constexpr int most = 1'000'000'000;

class SystemReader {
 public:
  SystemReader(const JsonValue& root, double injection_scale, TraceMachine& machine, Warnings& warnings)
      : root_(root), injection_scale_(injection_scale), machine_(machine), warnings_(warnings) {}

  SystemFileNames read() {
    for (const JsonMember& member : root_.as_object("the system file")) read_key(member);
    if (bus_) machine_.streams.shared_bus = bus_values_;
    machine_.streams.memory_gb_per_s = machine_.roofline.memory_gb_per_s;
    return names_;
  }

 private:
  void read_key(const JsonMember& member) {
    const std::string& key = member.key;
    const JsonValue& value = member.value;
    StreamConfig& streams = machine_.streams;
    if (key == "scheduling-policy") {
      streams.priority = word_value(value, key, priorities);
    } else if (key == "collective-optimization") {
      streams.all_reduce_shape = word_value(value, key, shapes);
    } else if (key == "endpoint-delay") {
      const double scaled = whole(value, key, 0, most) * injection_scale_;
      streams.endpoint_delay = Time::from_ns_truncated(std::min(scaled, 1e15));
    } else if (key == "active-chunks-per-dimension") {
      streams.active_chunks = whole(value, key, 1, most);
    } else if (key == "preferred-dataset-splits") {
      streams.splits = whole(value, key, 1, 1'000'000);
    } else if (key == "local-mem-bw") {
      machine_.roofline.memory_gb_per_s = real(value, key);
    } else if (key == "peak-perf") {
      machine_.roofline.peak_tflop_per_s = real(value, key);
    } else if (key == "roofline-enabled") {
      machine_.roofline.enabled = truth(value, key);
    } else if (key == "replay-only") {
      machine_.replay_only = truth(value, key);
    } else if (key == "track-local-mem") {
      machine_.track_local_memory = truth(value, key);
    } else if (key == "local-mem-trace-filename") {
      machine_.local_memory_file = value.as_string(key);
    } else if (key == "model-shared-bus") {
      bus_ = truth(value, key);
    } else if (key == "per-node-custom-implementation") {
      names_.custom_of_nodes = value.as_string(key);
    } else if (!read_bus_key(key, value) && !read_algorithms(key, value) && !read_rooted(key, value) &&
               !read_custom(key, value)) {
      note_unused(member);
    }
  }

  bool read_bus_key(const std::string& key, const JsonValue& value) {
    if (key == "L")
      bus_values_.latency_ns = static_cast<int>(real(value, key));
    else if (key == "o")
      bus_values_.overhead_ns = static_cast<int>(real(value, key));
    else if (key == "g")
      bus_values_.gap_ns = static_cast<int>(real(value, key));
    else if (key == "G")
      bus_values_.gap_per_byte_ns = static_cast<float>(real(value, key));
    else if (key == "local-reduction-delay")
      bus_values_.local_reduction_delay = whole(value, key, 0, most);
    else
      return false;
    return true;
  }

  bool read_custom(const std::string& key, const JsonValue& value) {
    constexpr std::string_view ending = "-custom";
    if (!key.ends_with(ending)) return false;
    const auto kind = value_of(list_keys, std::string_view(key).substr(0, key.size() - ending.size()));
    if (!kind) return false;
    const JsonArray& list = value.as_array(key);
    if (list.size() != 1)
      throw InputError(value.where(), fmt::format("`{}` has to be a list of one prefix of trace files", key));
    names_.custom[static_cast<std::size_t>(*kind)] = list[0].as_string(key);
    return true;
  }

  bool read_algorithms(const std::string& key, const JsonValue& value) {
    const auto kind = value_of(list_keys, key);
    if (!kind) return false;
    auto& list = machine_.streams.algorithms[static_cast<std::size_t>(*kind)];
    for (const JsonValue& entry : value.as_array(key)) {
      const auto words = parse_algorithm_list(entry.as_string(key), entry.where(), warnings_);
      if (words.size() != 1)
        throw InputError(entry.where(), fmt::format("`{}` names one algorithm per entry of its list", key));
      list.push_back(words[0]);
    }
    return true;
  }

  // A list of words, or one.
  bool read_rooted(const std::string& key, const JsonValue& value) {
    const auto kind = value_of(rooted_keys, key);
    if (!kind) return false;
    RootedChoice& choice = machine_.streams.rooted[static_cast<std::size_t>(*kind)];
    choice.where = value.where();
    if (std::holds_alternative<std::string>(value.content())) {
      choice.algorithms.push_back(word_value(value, key, rooted_algorithms));
      return true;
    }
    for (const JsonValue& entry : value.as_array(key))
      choice.algorithms.push_back(word_value(entry, key, rooted_algorithms));
    if (choice.algorithms.empty())
      throw InputError(value.where(), fmt::format("`{}` names no algorithm, use {}", key,
                                                  alternatives(words_of(rooted_algorithms))));
    return true;
  }

  void note_unused(const JsonMember& member) {
    constexpr std::array<std::string_view, 4> without_effect{"boost-mode", "intra-dimension-scheduling",
                                                             "inter-dimension-scheduling", "trace-enabled"};
    if (std::find(without_effect.begin(), without_effect.end(), member.key) != without_effect.end()) return;
    warnings_.add(member.where, "unknown key " + backquoted(member.key) + " is ignored");
  }

  const JsonValue& root_;
  double injection_scale_;
  TraceMachine& machine_;
  Warnings& warnings_;
  bool bus_ = false;
  SharedBusConfig bus_values_;
  SystemFileNames names_;
};

}  // namespace

SystemFileNames read_system_json(std::string_view text, const std::string& file, double injection_scale,
                                 TraceMachine& machine, Warnings& warnings) {
  machine.streams.where = {file};
  return SystemReader(parse_json(text, file), injection_scale, machine, warnings).read();
}

RemoteMemory read_memory_json(std::string_view text, const std::string& file, Warnings& warnings) {
  const JsonValue root = parse_json(text, file);
  RemoteMemory memory;
  for (const JsonMember& member : root.as_object("the remote-memory file")) {
    const std::string& key = member.key;
    if (key == "memory-type") {
      memory.kind = word_value(member.value, key, memory_kinds);
    } else if (key == "remote-mem-latency") {
      memory.latency_ns = static_cast<std::int64_t>(real(member.value, key));
    } else if (key == "remote-mem-bw") {
      memory.bytes_per_ns = static_cast<std::int64_t>(real(member.value, key));
    } else if (key == "num-npus-per-node") {
      memory.npus_per_node = whole(member.value, key, 1, most);
    } else if (key != "num-nodes") {
      warnings.add(member.where, "unknown key " + backquoted(key) + " is ignored");
    }
  }
  if (memory.kind != RemoteMemory::Kind::none && memory.bytes_per_ns < 1) {
    throw InputError({file}, "`remote-mem-bw` has to be at least 1 GB/s (it is cut to a whole number)");
  }
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
    if (parsed.ec != std::errc() || parsed.ptr != end || id < 0)
      throw InputError(member.where, backquoted(member.key) + " is no group id, use positive whole numbers");
    if (id == 0) {
      warnings.add(member.where, "group 0 stands for all NPUs, its entry is ignored");
      continue;
    }
    std::vector<int>& members = groups[id];
    for (const JsonValue& value : member.value.as_array(member.key)) {
      const int rank = whole(value, member.key, 0, npus - 1);
      if (std::find(members.begin(), members.end(), rank) != members.end())
        throw InputError(value.where(), fmt::format("rank {} is in group {} twice", rank, id));
      members.push_back(rank);
    }
    if (members.empty()) throw InputError(member.where, fmt::format("group {} has no members", id));
  }
  return groups;
}

}  // namespace orrery
