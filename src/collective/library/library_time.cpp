#include "collective/library/library_time.hpp"

#include <algorithm>
#include <cstdint>
#include <vector>

namespace orrery::core {

namespace {

// All nodes of a library's group have equally many members, so a group that is spread unevenly counts as one
// on more nodes.
GroupPlacement spread_evenly(std::int64_t members, std::int64_t per_node) {
  while (members % per_node != 0) --per_node;
  return {static_cast<int>(members), static_cast<int>(per_node)};
}

}  // namespace

GroupPlacement placement_of(const Communicator& communicator, int gpus_per_node, DimensionSet taking_part) {
  if (communicator.lists_members()) {
    const std::vector<RankId>& listed = communicator.members;
    const auto node_of = [&](RankId rank) { return npu_of(rank) / gpus_per_node; };
    const int node = node_of(std::ranges::min(listed));
    return spread_evenly(static_cast<std::int64_t>(listed.size()), std::ranges::count(listed, node, node_of));
  }
  // The members on rank 0's node. Steps along a dimension get longer, so the first one outside ends each row.
  std::vector<std::int64_t> near{0};
  near.reserve(static_cast<std::size_t>(std::clamp(gpus_per_node, 1, 64)));
  std::int64_t members = 1;
  for (std::size_t d = 0; d < communicator.dimensions.size(); ++d) {
    if (!taking_part[d]) continue;
    const LogicalDimension& dimension = communicator.dimensions[d];
    members *= dimension.size;
    const std::size_t rows = near.size();
    for (std::int64_t step = dimension.stride;
         step < std::int64_t{dimension.stride} * dimension.size && step < gpus_per_node;
         step += dimension.stride)
      for (std::size_t row = 0; row < rows; ++row)
        if (near[row] + step < gpus_per_node) near.push_back(near[row] + step);
  }
  return spread_evenly(members, static_cast<std::int64_t>(near.size()));
}

Time time_of(const CollectiveLibrary& library, CollectiveKind kind, Bytes size, const GroupPlacement& group,
             double efficiency) {
  double bytes = size.as_double();
  if (sizes_contributions(kind)) bytes *= group.members;
  return Time::from_ns_rounded(library.seconds(kind, bytes, group) * 1e9 / efficiency);
}

}  // namespace orrery::core
