#include "program/members.hpp"

#include <algorithm>
#include <utility>

namespace orrery::core {

std::vector<RankId> members_with(RankId rank, const CollectiveRequest& request,
                                 const Communicator& communicator) {
  if (communicator.lists_members()) return communicator.members;
  std::vector<RankId> ranks{rank};
  for (std::size_t d = 0; d < communicator.dimensions.size(); ++d) {
    if (!request.dimensions[d]) continue;
    const LogicalDimension& dimension = communicator.dimensions[d];
    std::vector<RankId> wider;
    for (int position = 0; position < dimension.size; ++position)
      for (const RankId one : ranks)
        wider.push_back(RankId(dimension.base(npu_of(one)) + position * dimension.stride));
    ranks = std::move(wider);
  }
  return ranks;
}

std::uint32_t place_among_members(RankId rank, const CollectiveRequest& request,
                                  const Communicator& communicator) {
  const std::vector<RankId>& members = communicator.members;
  if (!members.empty()) return static_cast<std::uint32_t>(std::ranges::find(members, rank) - members.begin());
  std::uint32_t place = 0, stride = 1;
  for (std::size_t d = 0; d < communicator.dimensions.size(); ++d) {
    if (!request.dimensions[d]) continue;
    const LogicalDimension& dimension = communicator.dimensions[d];
    place += stride * static_cast<std::uint32_t>(dimension.position(npu_of(rank)));
    stride *= static_cast<std::uint32_t>(dimension.size);
  }
  return place;
}

RankId member_at(std::uint32_t place, RankId rank, const CollectiveRequest& request,
                 const Communicator& communicator) {
  if (!communicator.members.empty()) return communicator.members[place];
  int npu = npu_of(rank);
  for (std::size_t d = 0; d < communicator.dimensions.size(); ++d) {
    if (!request.dimensions[d]) continue;
    const LogicalDimension& dimension = communicator.dimensions[d];
    const auto size = static_cast<std::uint32_t>(dimension.size);
    npu = dimension.base(npu) + static_cast<int>(place % size) * dimension.stride;
    place /= size;
  }
  return RankId(npu);
}

bool is_awaited(RankId member, RankId rank, const CollectiveRequest& request,
                const Communicator& communicator) {
  if (is_symmetric(request.kind) || request.kind == CollectiveKind::barrier) return true;
  const bool root_has_data =
      request.kind == CollectiveKind::broadcast || request.kind == CollectiveKind::scatter;
  return place_among_members(root_has_data ? member : rank, request, communicator) == request.root;
}

}  // namespace orrery::core
