#include "report/profile/files/chakra_activities.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <limits>
#include <queue>
#include <unordered_map>

#include "base/diagnostics/diagnostics.hpp"
#include "report/profile/kernel_kinds.hpp"
#include "report/traces/trace_words.hpp"

namespace orrery::core {

namespace {

using chakra::Node;
using chakra::NodeType;

// Nodes in the same lane are carried out one after another. The host has a lane, and so has each group of
// activities.
constexpr std::size_t host_lane = busy_groups, lanes = busy_groups + 1;

Time duration_of(const Node& node) {
  constexpr auto longest = static_cast<std::uint64_t>(Time::longest_input().ps());
  const bool exact = (node.has & chakra::has_duration_ps) != 0;
  const std::uint64_t ps =
      exact ? node.duration_ps : std::min(node.duration_us, longest / 1'000'000) * 1'000'000;
  return Time::from_ps(static_cast<std::int64_t>(std::min(ps, longest)));
}

ActivityKind kind_of(const Node& node, const std::string& name) {
  switch (node.type) {
    case NodeType::send:
      return ActivityKind::send;
    case NodeType::receive:
      return ActivityKind::receive;
    case NodeType::collective:
      return kind_of_collective(word_of(comm_type_words, node.comm_type))
          .value_or(ActivityKind::other_communication);
    case NodeType::memory_load:
    case NodeType::memory_store:
      return ActivityKind::copy;
    default:
      return kind_of_kernel(name);
  }
}

bool takes_part(const Node& node) {
  return node.type != NodeType::invalid && node.type != NodeType::metadata;
}

// Goes through the nodes in an order that dependencies allow.
class Replay {
 public:
  explicit Replay(const chakra::Trace& trace)
      : trace_(trace),
        ready_at_(trace.nodes.size()),
        missing_(trace.nodes.size()),
        children_(trace.nodes.size()) {
    std::unordered_map<std::uint64_t, std::uint32_t> by_id;
    for (std::uint32_t i = 0; i < trace.nodes.size(); ++i) by_id.emplace(trace.nodes.id(i), i);
    for (std::uint32_t i = 0; i < trace.nodes.size(); ++i)
      for (const std::uint64_t parent : trace.parents_of(i)) {
        const auto found = by_id.find(parent);
        if (found == by_id.end() || found->second == i) continue;
        children_[found->second].push_back(i);
        ++missing_[i];
      }
  }

  // Calls `begin` with each node and when it starts and ends; nodes that wait for one another are left out.
  void run(auto begin) {
    using Next = std::pair<Time, std::uint32_t>;
    std::priority_queue<Next, std::vector<Next>, std::greater<>> ready;
    for (std::uint32_t i = 0; i < missing_.size(); ++i)
      if (missing_[i] == 0) ready.emplace(Time(), i);
    while (!ready.empty()) {
      const std::uint32_t number = ready.top().second;
      ready.pop();
      const Node node = trace_.nodes[number];
      Time start = ready_at_[number];
      Time end = start;
      if (takes_part(node)) {
        Time& lane = free_[lane_of(node)];
        start = std::max(start, lane);
        lane = end = saturated_sum(start, duration_of(node));
        begin(number, node, Interval{start, end});
      }
      for (const std::uint32_t child : children_[number]) {
        ready_at_[child] = std::max(ready_at_[child], end);
        if (--missing_[child] == 0) ready.emplace(ready_at_[child], child);
      }
    }
  }

 private:
  static std::size_t lane_of(const Node& node) {
    if (node.on_cpu) return host_lane;
    if (node.type == NodeType::compute) return static_cast<std::size_t>(ActivityGroup::compute);
    const bool copies = node.type == NodeType::memory_load || node.type == NodeType::memory_store;
    return static_cast<std::size_t>(copies ? ActivityGroup::copy : ActivityGroup::communication);
  }

  const chakra::Trace& trace_;
  std::vector<Time> ready_at_;
  std::vector<std::uint32_t> missing_;  // parents that have not ended
  std::vector<std::vector<std::uint32_t>> children_;
  std::array<Time, lanes> free_{};
};

// Returns 3 of `trace.3.et`.
std::optional<RankId> rank_of(const std::string& file) {
  std::string name = file;
  for (const std::string_view end : {".gz", ".et"})
    if (name.ends_with(end)) name.resize(name.size() - end.size());
  const std::size_t dot = name.find_last_of('.');
  if (dot == std::string::npos) return std::nullopt;
  std::uint32_t rank = 0;
  const auto [end, error] = std::from_chars(name.data() + dot + 1, name.data() + name.size(), rank);
  const bool is_number = error == std::errc() && end == name.data() + name.size();
  return is_number ? std::optional(RankId(rank)) : std::nullopt;
}

}  // namespace

RankActivities activities_of(const chakra::Trace& trace, const std::string& file) {
  RankActivities rank;
  rank.source = file;
  rank.rank = rank_of(file);
  std::unordered_map<std::string, std::uint32_t> names;
  Time end;
  Replay(trace).run([&](std::uint32_t number, const Node& node, const Interval& interval) {
    end = std::max(end, interval.end);
    const bool communicates =
        node.type == NodeType::send || node.type == NodeType::receive || node.type == NodeType::collective;
    if (!communicates && (node.on_cpu || interval.end == interval.start)) return;
    const std::string name(trace.nodes.name(number));
    Activity activity{kind_of(node, name), 0, interval};
    if (communicates) {
      if (node.comm_size > 0 && node.comm_size <= Bytes::largest_input().count())
        activity.bytes = Bytes(node.comm_size);
    } else {
      const auto [known, is_new] = names.try_emplace(name, static_cast<std::uint32_t>(rank.names.size()));
      if (is_new) rank.names.push_back(name);
      activity.name = known->second;
    }
    rank.activities.push_back(activity);
  });
  if (end == Time())
    throw InputError({file}, "none of its nodes has a duration (`duration_micros`), so nothing was measured");
  std::ranges::stable_sort(rank.activities, {},
                           [](const Activity& activity) { return activity.interval.start; });
  rank.steps = {{0, Time(), end}};
  return rank;
}

}  // namespace orrery::core
