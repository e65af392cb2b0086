#include "collective/streams/library_streams.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "collective/library/library_time.hpp"
#include "collective/streams/stream_phase.hpp"

namespace orrery {

LibraryStreams::LibraryStreams(EventLoop& loop, const CollectiveLibrary& library, const Topology& topology,
                               StreamListener& listener)
    : loop_(loop),
      library_(library),
      listener_(listener),
      handler_(loop.add_handler(*this)),
      dimensions_(logical_dimensions(topology)),
      issued_(static_cast<std::size_t>(topology.npus())) {}

LibraryStreams::Group LibraryStreams::group_of(std::uint32_t rank, const StreamRequest& request) const {
  if (request.group) {
    const std::vector<int>& members = request.group->members;
    return {{request.group->tags, 0, static_cast<std::uint32_t>(std::ranges::min(members))}, members.size()};
  }
  const std::uint32_t taking_part = static_cast<std::uint32_t>(request.dimensions.to_ulong()) &
                                    ((std::uint32_t{1} << dimensions_.size()) - 1);
  const auto [first, count] = npus_along(dimensions_, taking_part, static_cast<int>(rank));
  return {{0, taking_part, static_cast<std::uint32_t>(first)}, count};
}

Time LibraryStreams::duration_of(const StreamRequest& request, const std::vector<Member>& members) const {
  const auto gpus = static_cast<std::uint32_t>(library_.links().gpus_per_node);
  const auto near = std::ranges::count_if(
      members, [&](const Member& member) { return member.rank / gpus == members[0].rank / gpus; });
  GroupPlacement group{static_cast<int>(members.size()), static_cast<int>(near)};
  while (group.members % group.per_node != 0) --group.per_node;
  return time_of(library_, request.kind, request.size, group);
}

void LibraryStreams::issue(std::uint32_t rank, std::uint32_t token, const StreamRequest& request) {
  if (request.custom)
    throw CollectiveError("has an algorithm of its own, which no library runs: leave one of them out");
  const Group group = group_of(rank, request);
  const std::tuple key(group.key, issued_[rank][tag_base_of(request.group)]++);
  Call& call = calls_[key];
  call.members = group.members;
  call.arrived.push_back({rank, token});
  if (call.arrived.size() < group.members) return;
  std::vector<Member> all = std::move(call.arrived);
  calls_.erase(key);
  std::ranges::sort(all, {}, &Member::rank);
  Stamp& free = free_[group.key];
  const Stamp duration = all.size() == 1 ? 0 : loop_.clock().span(duration_of(request, all));
  free = loop_.clock().add(std::max(free, loop_.now()), duration);
  loop_.at(free, Event{handler_, 0, rank, running_.keep(all), 0});
}

void LibraryStreams::handle(const Event& event) {
  for (const Member& member : running_.take(event.object))
    listener_.collective_finished(member.rank, member.token);
}

std::vector<std::string> LibraryStreams::waiting(std::uint32_t rank) const {
  std::vector<std::string> lines;
  for (const auto& [key, call] : calls_)
    if (std::ranges::find(call.arrived, rank, &Member::rank) != call.arrived.end())
      lines.push_back(fmt::format("{} of {} ranks are there", call.arrived.size(), call.members));
  return lines;
}

}  // namespace orrery
