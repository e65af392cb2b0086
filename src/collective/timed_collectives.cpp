#include "collective/timed_collectives.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace orrery {

TimedCollectives::TimedCollectives(EventLoop& loop, const std::vector<Communicator>& communicators,
                                   const RankClasses& classes, const RankParts& parts,
                                   std::size_t topology_dimensions, CollectiveListener& listener)
    : loop_(loop),
      communicators_(communicators),
      classes_(classes),
      parts_(parts),
      listener_(listener),
      handler_(loop.add_handler(*this)),
      records_(parts.count()),
      payload_(topology_dimensions) {}

// Returns the classes in the group of a class, each once.
std::vector<std::uint32_t> TimedCollectives::members_of(std::uint32_t number,
                                                        const CollectiveRequest& request) const {
  std::vector<int> ranks{static_cast<int>(classes_.representative(number))};
  const std::vector<LogicalDimension>& dimensions = communicators_[request.communicator].dimensions;
  for (std::size_t d = 0; d < dimensions.size(); ++d) {
    if (!request.dimensions[d] || dimensions[d].size == 1) continue;
    std::vector<int> more;
    more.reserve(ranks.size() * static_cast<std::size_t>(dimensions[d].size));
    for (const int rank : ranks)
      for (int y = 0; y < dimensions[d].size; ++y)
        more.push_back(dimensions[d].base(rank) + y * dimensions[d].stride);
    ranks = std::move(more);
  }
  std::vector<std::uint32_t> members;
  members.reserve(ranks.size());
  for (const int rank : ranks) members.push_back(classes_.class_of(static_cast<std::uint32_t>(rank)));
  std::ranges::sort(members);
  members.erase(std::unique(members.begin(), members.end()), members.end());
  return members;
}

TimedCollectives::Groups& TimedCollectives::groups_of(const CollectiveRequest& request) {
  const auto [found, is_new] =
      groups_.try_emplace({request.communicator, request.dimensions.to_ulong()}, Groups{});
  Groups& groups = found->second;
  if (!is_new) return groups;
  constexpr std::uint32_t none = 0xffffffff;
  groups.of.assign(classes_.count(), none);
  for (std::uint32_t number = 0; number < classes_.count(); ++number) {
    if (groups.of[number] != none) continue;
    std::vector<std::uint32_t> members = members_of(number, request);
    for (const std::uint32_t member : members)
      groups.of[member] = static_cast<std::uint32_t>(groups.members.size());
    groups.members.push_back(std::move(members));
  }
  groups.free.assign(groups.members.size(), 0);
  return groups;
}

bool TimedCollectives::issue(std::uint32_t rank, std::uint32_t token, const CollectiveRequest& request,
                             Stamp) {
  const std::vector<LogicalDimension>& dimensions = communicators_[request.communicator].dimensions;
  bool alone = true;
  for (std::size_t d = 0; d < dimensions.size(); ++d)
    alone = alone && (!request.dimensions[d] || dimensions[d].size == 1);
  if (alone) return false;
  Groups& groups = groups_of(request);
  const std::uint32_t group = groups.of[rank];
  const std::vector<std::uint32_t>& members = groups.members[group];
  if (members.size() > 1) {
    const CallKey key({request.communicator, request.dimensions.to_ulong()}, group, token);
    Call& call = calls_[key];
    call.token = token;
    call.arrived.push_back(rank);
    if (call.arrived.size() < members.size()) return true;
    calls_.erase(key);
  }
  Stamp& free = groups.free[group];
  free = loop_.clock().add(std::max(free, loop_.now()), loop_.clock().span(duration_of(request)));
  loop_.at(free, Event{handler_, 0, rank, running_.keep({&members, token}), 0});
  return true;
}

void TimedCollectives::handle(const Event& event) {
  const Running ended = running_.take(event.object);
  listener_.collective_completed_together(*ended.members, ended.token);
}

std::vector<CollectiveService::Waiting> TimedCollectives::waiting() const {
  std::vector<Waiting> found;
  for (const auto& entry : calls_) {
    const Call& call = entry.second;
    const auto& [groups_key, group, token] = entry.first;
    const std::vector<std::uint32_t>& members = groups_.at(groups_key).members[group];
    const auto absent = std::ranges::find_if(members, [&](std::uint32_t member) {
      return std::ranges::find(call.arrived, member) == call.arrived.end();
    });
    found.push_back({parts_.of(call.arrived[0]), call.token,
                     fmt::format("{} of {} ranks are there, rank {} has not issued the collective",
                                 call.arrived.size(), members.size(), classes_.representative(*absent))});
  }
  return found;
}

}  // namespace orrery
