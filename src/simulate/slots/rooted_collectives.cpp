#include "simulate/slots/rooted_collectives.hpp"

#include <fmt/format.h>

#include "program/members.hpp"

namespace orrery {

std::string RootedCollectives::described(std::uint32_t rank, const StreamRequest& request) const {
  const Communicator all{"", dimensions_};
  const auto members = members_with(rank, request, request.group ? *request.group : all);
  return fmt::format("a {} of {} bytes with root {}", name_of(request.kind), request.size.count(),
                     members[request.root]);
}

std::string RootedCollectives::begin(std::uint32_t rank, const StreamRequest& request,
                                     std::uint64_t streams_before) {
  const auto chosen = static_cast<std::uint32_t>(request.dimensions.to_ulong());
  const NpusAlong members = request.group
                                ? NpusAlong{request.group->members[0], request.group->members.size()}
                                : npus_along(dimensions_, chosen, static_cast<int>(rank));
  const auto [place, is_first] = begun_.try_emplace(
      {tag_base_of(request.group), streams_before, members.first}, Begun{rank, request, members.count});
  Begun& begun = place->second;
  const StreamRequest& other = begun.request;
  const bool sizes_matter = request.kind != CollectiveKind::barrier;
  if (other.kind != request.kind || other.root != request.root ||
      (sizes_matter && other.size != request.size))
    return fmt::format("is {}, where rank {} has {}", described(rank, request), begun.rank,
                       described(begun.rank, other));
  if (--begun.members_left == 0) begun_.erase(place);
  return {};
}

}  // namespace orrery
