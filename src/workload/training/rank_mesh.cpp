#include "workload/training/rank_mesh.hpp"

#include <algorithm>
#include <numeric>
#include <utility>

namespace orrery::core {

std::uint64_t RankMesh::ranks() const {
  std::uint64_t product = 1;
  for (const std::uint64_t size : sizes) product *= size;
  return product;
}

std::uint64_t RankMesh::stride(MeshAxis axis) const {
  std::uint64_t stride = 1;
  for (const MeshAxis inner : order) {
    if (inner == axis) break;
    stride *= size(inner);
  }
  return stride;
}

Communicator RankMesh::communicator(std::string name, std::span<const MeshAxis> axes) const {
  Communicator made{std::move(name), {}};
  for (const MeshAxis axis : order) {
    if (size(axis) == 1 || std::ranges::find(axes, axis) == axes.end()) continue;
    made.dimensions.push_back({static_cast<int>(stride(axis)), static_cast<int>(size(axis)), -1});
  }
  return made;
}

std::vector<RankId> RankMesh::ranks_of_stage(std::uint64_t stage) const {
  std::vector<RankId> ranks;
  const std::uint64_t inside = stride(MeshAxis::pipeline), stages = size(MeshAxis::pipeline);
  for (std::uint64_t first = stage * inside; first < this->ranks(); first += inside * stages)
    for (std::uint64_t rank = first; rank < first + inside; ++rank) ranks.push_back(RankId(rank));
  return ranks;
}

SplitGroups split_groups(const Communicator& communicator, std::uint64_t part) {
  SplitGroups split{{communicator.name + " shards", {}}, {communicator.name + " copies", {}}};
  auto left = static_cast<int>(part);
  for (const LogicalDimension& dimension : communicator.dimensions) {
    const int inner = std::gcd(left, dimension.size);
    left /= inner;
    if (inner > 1) split.parts.dimensions.push_back({dimension.stride, inner, -1});
    if (inner < dimension.size)
      split.across.dimensions.push_back({dimension.stride * inner, dimension.size / inner, -1});
  }
  return split;
}

}  // namespace orrery::core
