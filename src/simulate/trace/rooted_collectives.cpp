#include "simulate/trace/rooted_collectives.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <vector>

namespace orrery {

namespace {

bool has_member(const CommGroup& group, std::uint32_t rank) {
  return std::find(group.members.begin(), group.members.end(), static_cast<int>(rank)) != group.members.end();
}

std::string described(const StreamRequest& request) {
  return fmt::format("a {} of {} bytes with root {}", name_of(request.kind), request.size.count(),
                     request.root);
}

}  // namespace

RootedCollectives::Members RootedCollectives::members_of(std::uint32_t rank,
                                                         const StreamRequest& request) const {
  if (request.group)
    return {static_cast<std::uint32_t>(request.group->members[0]), request.group->members.size()};
  const auto [first, count] = npus_along(dimensions_, request.dimensions, static_cast<int>(rank));
  return {static_cast<std::uint32_t>(first), count};
}

// The first member, unless the node names one.
std::uint32_t RootedCollectives::root_of(std::uint32_t rank, std::uint32_t number,
                                         const StreamRequest& request, std::uint32_t first) const {
  const chakra::Node node = requests_.node(rank, number);
  if ((node.has & chakra::has_comm_root) == 0 || request.kind == CollectiveKind::barrier) return first;
  const std::uint32_t root = node.comm_root;
  if (root >= requests_.ranks())
    requests_.reject(
        rank, number,
        fmt::format("names rank {} as comm_root, but the machine has {} NPUs", root, requests_.ranks()));
  if (request.group && !has_member(*request.group, root))
    requests_.reject(rank, number,
                     fmt::format("names rank {} as comm_root, which is no member of its group {}", root,
                                 request.group->name));
  if (!request.group && members_of(root, request).first != first)
    requests_.reject(
        rank, number,
        fmt::format("names rank {} as comm_root, which rank {} does not meet in the dimensions that its "
                    "involved_dim names",
                    root, rank));
  return root;
}

void RootedCollectives::complete(std::uint32_t rank, std::uint32_t number, StreamRequest& request,
                                 std::uint64_t streams_before) {
  const Members members = members_of(rank, request);
  request.root = root_of(rank, number, request, members.first);
  const std::uint64_t base = tag_base_of(request.group);
  const auto [place, is_first] =
      begun_.try_emplace({base, streams_before, members.first}, Begun{rank, request, members.count});
  Begun& begun = place->second;
  const StreamRequest& other = begun.request;
  const bool sizes_matter = request.kind != CollectiveKind::barrier;
  if (other.kind != request.kind || other.root != request.root ||
      (sizes_matter && other.size != request.size)) {
    requests_.reject(
        rank, number,
        fmt::format("is {}, where rank {} has {}", described(request), begun.rank, described(other)));
  }
  if (--begun.members_left == 0) begun_.erase(place);
}

}  // namespace orrery
