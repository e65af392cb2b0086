#include "report/profile/late_ranks.hpp"

#include <algorithm>
#include <map>
#include <string_view>
#include <tuple>

namespace orrery::core {

namespace {

// One rank's part of a collective.
struct MemberPart {
  std::size_t rank, activity;
};
// The collectives of a kind and size in one group, each by its members.
using Collectives = std::vector<std::vector<MemberPart>>;

using CollectiveKey = std::tuple<std::string_view, ActivityKind, std::uint64_t>;

// Returns the collectives of each key, rank by rank, numbered as they come.
std::map<CollectiveKey, std::map<std::size_t, std::vector<MemberPart>>> parts_of(
    const std::vector<RankActivities>& ranks) {
  std::map<CollectiveKey, std::map<std::size_t, std::vector<MemberPart>>> parts;
  for (std::size_t r = 0; r < ranks.size(); ++r)
    for (std::size_t a = 0; a < ranks[r].activities.size(); ++a) {
      const Activity& activity = ranks[r].activities[a];
      const std::string_view group = ranks[r].names[activity.group];
      const bool is_collective = is_communication(activity.kind) && activity.kind < ActivityKind::send;
      if (!is_collective || group.empty()) continue;
      parts[{group, activity.kind, activity.bytes.value_or(Bytes()).count()}][r].push_back({r, a});
    }
  return parts;
}

// If ranks took part in different numbers of collectives, it is not known which of them belong together.
Collectives matched(const std::map<std::size_t, std::vector<MemberPart>>& by_rank) {
  Collectives collectives(by_rank.begin()->second.size());
  for (const auto& [rank, parts] : by_rank) {
    if (parts.size() != collectives.size()) return {};
    for (std::size_t i = 0; i < parts.size(); ++i) collectives[i].push_back(parts[i]);
  }
  return by_rank.size() > 1 ? collectives : Collectives();
}

}  // namespace

std::vector<LateRank> cut_off_waits(std::vector<RankActivities>& ranks) {
  std::vector<LateRank> late(ranks.size());
  std::vector<std::vector<Activity>> waits(ranks.size());
  const auto duration = [&](const MemberPart& part) {
    const Interval& interval = ranks[part.rank].activities[part.activity].interval;
    return interval.end - interval.start;
  };
  // A collective that is cut off has no key in common with others, and keys refer only to the names of
  // groups.
  for (const auto& [key, by_rank] : parts_of(ranks))
    for (const std::vector<MemberPart>& members : matched(by_rank)) {
      const auto [last, first] = std::ranges::minmax_element(members, {}, duration);
      const Time alone = duration(*last), waited = duration(*first) - alone;
      if (waited == Time()) continue;
      ++late[last->rank].collectives;
      late[last->rank].waited += waited;
      for (const MemberPart& part : members) {
        Activity& collective = ranks[part.rank].activities[part.activity];
        const Time begins = collective.interval.end - alone;
        if (begins == collective.interval.start) continue;
        Activity wait = collective;
        wait.kind = ActivityKind::wait;
        wait.bytes.reset();
        wait.group_size = 0;
        wait.interval.end = collective.interval.start = begins;
        waits[part.rank].push_back(wait);
      }
    }
  for (std::size_t r = 0; r < ranks.size(); ++r) {
    late[r].rank = r;
    std::vector<Activity>& activities = ranks[r].activities;
    activities.insert(activities.end(), waits[r].begin(), waits[r].end());
    std::ranges::stable_sort(activities, {},
                             [](const Activity& activity) { return activity.interval.start; });
  }
  std::erase_if(late, [](const LateRank& rank) { return rank.collectives == 0; });
  std::ranges::stable_sort(late, std::ranges::greater(), &LateRank::waited);
  return late;
}

}  // namespace orrery::core
