#include "program/members.hpp"

#include <algorithm>
#include <utility>

namespace orrery {

std::vector<std::uint32_t> members_with(std::uint32_t rank, const CollectiveRequest& request,
                                        const Communicator& communicator) {
  std::vector<std::uint32_t> ranks(communicator.members.begin(), communicator.members.end());
  if (!ranks.empty()) return ranks;
  ranks = {rank};
  for (std::size_t d = 0; d < communicator.dimensions.size(); ++d) {
    if (!request.dimensions[d]) continue;
    const LogicalDimension& dimension = communicator.dimensions[d];
    std::vector<std::uint32_t> wider;
    for (int position = 0; position < dimension.size; ++position)
      for (const std::uint32_t one : ranks)
        wider.push_back(
            static_cast<std::uint32_t>(dimension.base(static_cast<int>(one)) + position * dimension.stride));
    ranks = std::move(wider);
  }
  return ranks;
}

std::uint32_t place_among_members(std::uint32_t rank, const CollectiveRequest& request,
                                  const Communicator& communicator) {
  const std::vector<int>& members = communicator.members;
  if (!members.empty())
    return static_cast<std::uint32_t>(std::ranges::find(members, static_cast<int>(rank)) - members.begin());
  std::uint32_t place = 0, stride = 1;
  for (std::size_t d = 0; d < communicator.dimensions.size(); ++d) {
    if (!request.dimensions[d]) continue;
    const LogicalDimension& dimension = communicator.dimensions[d];
    place += stride * static_cast<std::uint32_t>(dimension.position(static_cast<int>(rank)));
    stride *= static_cast<std::uint32_t>(dimension.size);
  }
  return place;
}

std::uint32_t member_at(std::uint32_t place, std::uint32_t rank, const CollectiveRequest& request,
                        const Communicator& communicator) {
  if (!communicator.members.empty()) return static_cast<std::uint32_t>(communicator.members[place]);
  auto npu = static_cast<int>(rank);
  for (std::size_t d = 0; d < communicator.dimensions.size(); ++d) {
    if (!request.dimensions[d]) continue;
    const LogicalDimension& dimension = communicator.dimensions[d];
    const auto size = static_cast<std::uint32_t>(dimension.size);
    npu = dimension.base(npu) + static_cast<int>(place % size) * dimension.stride;
    place /= size;
  }
  return static_cast<std::uint32_t>(npu);
}

bool is_awaited(std::uint32_t member, std::uint32_t rank, const CollectiveRequest& request,
                const Communicator& communicator) {
  if (is_symmetric(request.kind) || request.kind == CollectiveKind::barrier) return true;
  const bool root_has_data =
      request.kind == CollectiveKind::broadcast || request.kind == CollectiveKind::scatter;
  return place_among_members(root_has_data ? member : rank, request, communicator) == request.root;
}

}  // namespace orrery
