#include "report/profile/simulated_activities.hpp"

#include <fmt/format.h>
#include <algorithm>
#include <optional>
#include <utility>

#include "base/diagnostics/words.hpp"
#include "program/collective_request.hpp"
#include "report/profile/kernel_kinds.hpp"

namespace orrery::core {

namespace {

// Returns the kind of what the device does; none of what it does not do.
std::optional<ActivityKind> kind_of(const TimelineSlice& slice) {
  switch (slice.stream) {
    case Stream::compute:
      break;
    case Stream::collective:
      return kind_of_collective(slice.communication->kind).value_or(ActivityKind::other_communication);
    case Stream::send:
      return ActivityKind::send;
    case Stream::receive:
      return ActivityKind::receive;
    case Stream::memory:
      return ActivityKind::copy;
    default:
      return std::nullopt;
  }
  bool is_layer = false;
  for (const auto& [name, cell] : slice.facts) {
    if (name == "kernel_kind")
      if (const auto* word = std::get_if<std::string_view>(&cell.value()))
        return value_of(activity_kinds, *word);
    is_layer = is_layer || name == "layer";
  }
  return is_layer ? ActivityKind::layer : kind_of_kernel(slice.name);
}

// Returns the size of the whole tensor.
Bytes whole_bytes(const TimelineCommunication& among) {
  const auto kind = value_of(collective_kind_words, among.kind);
  return kind && sizes_contributions(*kind) && among.group_size > 0 ? among.bytes * among.group_size
                                                                    : among.bytes;
}

}  // namespace

void SimulatedActivities::begin(const TimelineProcess& process) {
  is_rank_ = process.rank.has_value();
  if (!is_rank_) return;
  names_.clear();
  RankActivities& rank = ranks_.emplace_back();
  rank.source = run_;
  rank.rank = process.rank;
  rank.ranks_of_run = process.all_ranks;
  Time start;
  for (const Time end : process.step_ends)
    rank.steps.push_back({static_cast<std::int64_t>(rank.steps.size()), std::exchange(start, end), end});
}

std::uint32_t SimulatedActivities::name(const std::string& text) {
  std::vector<std::string>& names = ranks_.back().names;
  const auto [known, is_new] = names_.try_emplace(text, static_cast<std::uint32_t>(names.size()));
  if (is_new) names.push_back(text);
  return known->second;
}

void SimulatedActivities::add(const TimelineSlice& slice) {
  const auto kind = is_rank_ ? kind_of(slice) : std::nullopt;
  if (!kind) return;
  Activity activity{*kind, 0, slice.interval};
  if (is_communication(*kind))
    add_communication(slice, activity);
  else if (slice.interval.end == slice.interval.start)
    return;
  else
    activity.name = name(slice.name);
  ranks_.back().activities.push_back(activity);
}

void SimulatedActivities::add_communication(const TimelineSlice& slice, Activity& activity) {
  if (!slice.communication) return;
  const Bytes bytes = whole_bytes(*slice.communication);
  if (bytes > Bytes()) activity.bytes = bytes;  // else, as of a message that is received, it is not known
  if (activity.kind >= ActivityKind::send) return;
  activity.group_size = static_cast<std::uint32_t>(slice.communication->group_size);
  if (activity.group_size > 0 && activity.group_size == ranks_.back().ranks_of_run)
    activity.group = name(fmt::format("all {}", slice.communication->group));
}

std::vector<RankActivities> SimulatedActivities::take() {
  for (RankActivities& rank : ranks_)
    std::ranges::stable_sort(rank.activities, {},
                             [](const Activity& activity) { return activity.interval.start; });
  return std::move(ranks_);
}

}  // namespace orrery::core
