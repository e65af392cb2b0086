#include "collective/streams/member_agreement.hpp"

#include <fmt/format.h>

#include "program/operation_text.hpp"

namespace orrery {

std::string MemberAgreement::begin(std::uint32_t rank, const CollectiveRequest& request,
                                   std::uint64_t before) {
  const Communicator& communicator = communicators_[request.communicator];
  const auto chosen = static_cast<std::uint32_t>(request.dimensions.to_ulong());
  const NpusAlong members = communicator.lists_members()
                                ? NpusAlong{communicator.members[0], communicator.members.size()}
                                : npus_along(communicator.dimensions, chosen, static_cast<int>(rank));
  const auto [place, is_first] =
      begun_.try_emplace({communicator.tags, before, members.first}, Begun{rank, request, members.count});
  Begun& begun = place->second;
  const CollectiveRequest& other = begun.request;
  const bool sizes_matter = request.kind != CollectiveKind::barrier;
  if (other.kind != request.kind || other.root != request.root ||
      (sizes_matter && other.size != request.size))
    return fmt::format("is {}, where rank {} has {}", described(request, rank, communicator), begun.rank,
                       described(other, begun.rank, communicators_[other.communicator]));
  if (--begun.members_left == 0) begun_.erase(place);
  return {};
}

}  // namespace orrery
