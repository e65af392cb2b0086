#include "workload/training/rank_mesh.hpp"

#include <algorithm>
#include <numeric>
#include <vector>

namespace orrery {

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

GroupPlacement RankMesh::placement(std::span<const MeshAxis> axes, std::uint64_t gpus_per_node) const {
  // The members of rank 0's group on its node. Steps along an axis get longer, so the first one outside ends
  // each row.
  std::vector<std::uint64_t> near{0};
  std::uint64_t members = 1;
  for (const MeshAxis axis : axes) {
    members *= size(axis);
    const std::vector<std::uint64_t> rows = near;
    for (std::uint64_t i = 1; i < size(axis) && i * stride(axis) < gpus_per_node; ++i)
      for (const std::uint64_t row : rows)
        if (row + i * stride(axis) < gpus_per_node) near.push_back(row + i * stride(axis));
  }
  std::uint64_t per_node = near.size();
  while (members % per_node != 0) --per_node;
  return {static_cast<int>(members), static_cast<int>(per_node)};
}

GroupPlacement part_of(const GroupPlacement& group, std::uint64_t part) {
  const int members = static_cast<int>(part);
  return {members, std::gcd(members, group.per_node)};
}

GroupPlacement across_parts(const GroupPlacement& group, std::uint64_t part) {
  const int members = static_cast<int>(part);
  return {group.members / members, group.per_node % members == 0 ? group.per_node / members : 1};
}

}  // namespace orrery
