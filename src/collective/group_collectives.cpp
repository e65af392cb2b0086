#include "collective/group_collectives.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <span>

#include "program/agreement.hpp"
#include "program/members.hpp"

namespace orrery::core {

namespace {

std::vector<std::uint32_t> first_alike(const std::vector<Communicator>& communicators) {
  std::map<std::pair<std::uint64_t, std::vector<RankId>>, std::uint32_t> listed;
  std::vector<std::uint32_t> same_as;
  for (const Communicator& communicator : communicators) {
    const auto number = static_cast<std::uint32_t>(same_as.size());
    std::vector<RankId> members = communicator.members;
    std::ranges::sort(members);
    same_as.push_back(
        !communicator.lists_members()
            ? number
            : listed.try_emplace({communicator.tags, std::move(members)}, number).first->second);
  }
  return same_as;
}

bool is_alone(const CollectiveRequest& request, const Communicator& communicator) {
  if (communicator.lists_members()) return communicator.members.size() == 1;
  for (std::size_t d = 0; d < communicator.dimensions.size(); ++d)
    if (request.dimensions[d] && communicator.dimensions[d].size > 1) return false;
  return true;
}

}  // namespace

GroupCollectives::GroupCollectives(const CollectiveRanks& ranks, CollectiveListener& listener)
    : ranks_(ranks), listener_(listener), same_as_(first_alike(ranks.communicators)) {}

std::vector<RankId> GroupCollectives::ranks_with(ClassId of_class, const CollectiveRequest& request) const {
  return members_with(ranks_.classes.representative(of_class), request, communicator_of(request));
}

GroupCollectives::GroupId GroupCollectives::add_group(ClassId first, const CollectiveRequest& request) {
  Group group;
  for (const RankId rank : ranks_with(first, request)) group.members.push_back(ranks_.classes.class_of(rank));
  std::ranges::sort(group.members);
  group.members.erase(std::unique(group.members.begin(), group.members.end()), group.members.end());
  if (ranks_.meet_by_number) group.issued.resize(group.members.size());
  groups_.push_back(std::move(group));
  return static_cast<GroupId>(groups_.size() - 1);
}

GroupCollectives::Kind GroupCollectives::kind_of(const CollectiveRequest& request) const {
  const unsigned long all = (1ul << communicator_of(request).dimensions.size()) - 1;
  return {same_as_[request.communicator], request.dimensions.to_ulong() & all};
}

GroupCollectives::GroupId GroupCollectives::group_of(ClassId of_class, const CollectiveRequest& request) {
  GroupsOfKind& groups = kinds_[kind_of(request)];
  if (communicator_of(request).lists_members()) {
    if (groups.empty()) groups.push_back(add_group(of_class, request));
    return groups[0];
  }
  constexpr GroupId none = std::numeric_limits<GroupId>::max();
  if (groups.empty()) groups.assign(ranks_.classes.count(), none);
  if (groups[of_class.index()] == none) {
    const GroupId added = add_group(of_class, request);
    for (const ClassId member : groups_[added].members) groups[member.index()] = added;
  }
  return groups[of_class.index()];
}

std::uint32_t GroupCollectives::meeting_of(Group& group, ClassId of_class, std::uint32_t token) const {
  if (!ranks_.meet_by_number) return token;
  return group.issued[static_cast<std::size_t>(std::ranges::lower_bound(group.members, of_class) -
                                               group.members.begin())]++;
}

void GroupCollectives::check_agreement(ClassId of_class, const CollectiveRequest& request,
                                       const Call& call) const {
  const auto lowest = [&](ClassId member) { return ranks_.classes.representative(member); };
  const std::string why = disagreement(
      {lowest(of_class), request}, {lowest(call.arrivals[0].of_class), call.request}, ranks_.communicators);
  if (!why.empty()) throw CollectiveError(why);
}

void GroupCollectives::require_no_algorithm(const CollectiveRequest& request) {
  if (request.algorithm > 0)
    throw CollectiveError(
        "has an algorithm of its own, which neither a library nor its channels run: leave one of them out");
}

Issued GroupCollectives::issue(ClassId of_class, std::uint32_t token, const CollectiveRequest& request,
                               Stamp) {
  require_no_algorithm(request);
  if (is_alone(request, communicator_of(request))) return Issued::nothing_to_do;
  const GroupId id = group_of(of_class, request);
  Group& group = groups_[id];
  if (group.members.size() == 1) {
    group.calls.push_back({request, {{of_class, token}}});
  } else {
    const auto [found, is_new] = group.begun.try_emplace(meeting_of(group, of_class, token));
    Call& call = found->second;
    if (is_new)
      call.request = request;
    else if (ranks_.meet_by_number)
      check_agreement(of_class, request, call);
    call.arrivals.push_back({of_class, token});
    if (call.arrivals.size() < group.members.size()) return Issued::later;
    group.calls.push_back(std::move(call));
    group.begun.erase(found);
  }
  if (group.calls.size() == 1) begin(id, of_class, group.calls[0].request);
  return Issued::later;
}

void GroupCollectives::ended(GroupId id) {
  Group& group = groups_[id];
  std::vector<Arrival> arrivals = std::move(group.calls.front().arrivals);
  group.calls.erase(group.calls.begin());
  if (!group.calls.empty()) begin(id, group.members[0], group.calls.front().request);
  if (!ranks_.meet_by_number)
    return listener_.collective_completed_together(group.members, arrivals[0].token);
  std::ranges::sort(arrivals, {}, &Arrival::of_class);
  for (const Arrival& arrival : arrivals) listener_.collective_completed(arrival.of_class, arrival.token);
}

std::vector<CollectiveBackend::Waiting> GroupCollectives::waiting() const {
  std::vector<Waiting> found;
  for (const Group& group : groups_) {
    for (const auto& entry : group.begun) {
      const Call& call = entry.second;
      const auto absent = std::ranges::find_if(group.members, [&](ClassId member) {
        return std::ranges::find(call.arrivals, member, &Arrival::of_class) == call.arrivals.end();
      });
      const std::string text =
          fmt::format("{} of {} ranks are there, rank {} has not issued the collective", call.arrivals.size(),
                      group.members.size(), ranks_.classes.representative(*absent).value());
      // Ranks that meet by token say the same, so one of them is enough.
      const std::size_t told = ranks_.meet_by_number ? call.arrivals.size() : 1;
      for (const Arrival& arrival : std::span(call.arrivals).first(told))
        found.push_back({arrival.of_class, arrival.token, text});
    }
  }
  return found;
}

}  // namespace orrery::core
