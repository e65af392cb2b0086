#include "collective/streams/plan/member_agreement.hpp"

#include "program/agreement.hpp"

namespace orrery::core {

std::string MemberAgreement::begin(RankId rank, const CollectiveRequest& request, std::uint64_t before) {
  const Communicator& communicator = communicators_[request.communicator];
  const auto chosen = static_cast<std::uint32_t>(request.dimensions.to_ulong());
  const NpusAlong members = communicator.lists_members()
                                ? NpusAlong{npu_of(communicator.members[0]), communicator.members.size()}
                                : npus_along(communicator.dimensions, chosen, npu_of(rank));
  const auto place =
      begun_.try_emplace({communicator.tags, before, members.first}, Begun{rank, request, members.count})
          .first;
  Begun& begun = place->second;
  std::string why = disagreement({rank, request}, {begun.rank, begun.request}, communicators_);
  if (why.empty() && --begun.members_left == 0) begun_.erase(place);
  return why;
}

}  // namespace orrery::core
