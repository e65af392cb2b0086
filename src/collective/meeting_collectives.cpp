#include "collective/meeting_collectives.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace orrery {

MeetingCollectives::MeetingCollectives(const std::vector<Communicator>& communicators,
                                       const RankClasses& classes, const RankParts& parts,
                                       std::size_t topology_dimensions, CollectiveListener& listener)
    : communicators_(communicators),
      classes_(classes),
      parts_(parts),
      listener_(listener),
      records_(parts.count()),
      payload_(topology_dimensions) {}

std::vector<int> MeetingCollectives::ranks_with(std::uint32_t number,
                                                const CollectiveRequest& request) const {
  const std::vector<LogicalDimension>& dimensions = communicator_of(request).dimensions;
  int first = static_cast<int>(classes_.representative(number));
  for (std::size_t d = 0; d < dimensions.size(); ++d)
    if (request.dimensions[d]) first = dimensions[d].base(first);
  std::vector<int> ranks{first};
  for (std::size_t d = 0; d < dimensions.size(); ++d) {
    if (!request.dimensions[d]) continue;
    const std::size_t inner = ranks.size();
    ranks.reserve(inner * static_cast<std::size_t>(dimensions[d].size));
    for (int y = 1; y < dimensions[d].size; ++y)
      for (std::size_t i = 0; i < inner; ++i) ranks.push_back(ranks[i] + y * dimensions[d].stride);
  }
  return ranks;
}

const MeetingCollectives::GroupsOfKind& MeetingCollectives::groups_of(const CollectiveRequest& request) {
  const auto [found, is_new] = kinds_.try_emplace({request.communicator, request.dimensions.to_ulong()});
  GroupsOfKind& of = found->second;
  if (!is_new) return of;
  constexpr GroupId none = 0xffffffff;
  of.assign(classes_.count(), none);
  for (std::uint32_t number = 0; number < classes_.count(); ++number) {
    if (of[number] != none) continue;
    std::vector<std::uint32_t> members;
    for (const int rank : ranks_with(number, request))
      members.push_back(classes_.class_of(static_cast<std::uint32_t>(rank)));
    std::ranges::sort(members);
    members.erase(std::unique(members.begin(), members.end()), members.end());
    for (const std::uint32_t member : members) of[member] = static_cast<GroupId>(groups_.size());
    groups_.push_back({std::move(members), {}});
  }
  return of;
}

bool MeetingCollectives::issue(std::uint32_t rank, std::uint32_t token, const CollectiveRequest& request,
                               Stamp) {
  const std::vector<LogicalDimension>& dimensions = communicator_of(request).dimensions;
  bool alone = true;
  for (std::size_t d = 0; d < dimensions.size(); ++d)
    alone = alone && (!request.dimensions[d] || dimensions[d].size == 1);
  if (alone) return false;
  const GroupId id = groups_of(request)[rank];
  Group& group = groups_[id];
  if (group.members.size() > 1) {
    std::vector<std::uint32_t>& arrived = arrived_[{id, token}];
    arrived.push_back(rank);
    if (arrived.size() < group.members.size()) return true;
    arrived_.erase({id, token});
  }
  group.calls.push_back({token, request});
  if (group.calls.size() == 1) begin(id, rank, request);
  return true;
}

void MeetingCollectives::ended(GroupId id) {
  Group& group = groups_[id];
  const std::uint32_t token = group.calls.front().token;
  group.calls.erase(group.calls.begin());
  if (!group.calls.empty()) begin(id, group.members[0], group.calls.front().request);
  listener_.collective_completed_together(group.members, token);
}

std::vector<CollectiveService::Waiting> MeetingCollectives::waiting() const {
  std::vector<Waiting> found;
  for (const auto& entry : arrived_) {
    const auto& [group, token] = entry.first;
    const std::vector<std::uint32_t>& arrived = entry.second;
    const std::vector<std::uint32_t>& members = groups_[group].members;
    const auto absent = std::ranges::find_if(
        members, [&](std::uint32_t member) { return std::ranges::find(arrived, member) == arrived.end(); });
    found.push_back({parts_.of(arrived[0]), token,
                     fmt::format("{} of {} ranks are there, rank {} has not issued the collective",
                                 arrived.size(), members.size(), classes_.representative(*absent))});
  }
  return found;
}

}  // namespace orrery
