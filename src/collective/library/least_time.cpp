#include "collective/library/least_time.hpp"

#include <algorithm>

namespace orrery::core {

namespace {

// Returns how many times the whole tensor passes the link of one of `ends` members or nodes, each of which
// has `ends` equal parts of it, or makes one of them.
double least_rounds(CollectiveKind kind, double ends, bool switches_reduce) {
  const double without_own = (ends - 1) / ends;
  switch (kind) {
    case CollectiveKind::barrier:
      return 0;
    case CollectiveKind::broadcast:
    case CollectiveKind::reduce:
      return 1;
    case CollectiveKind::all_reduce:
      return switches_reduce ? without_own : 2 * without_own;
    default:
      return without_own;
  }
}

// A group has at least one card in each node.
double nominal_node_bandwidth(int per_node, const GroupLinks& links) {
  return std::max(1.0, per_node * links.nics_per_gpu) * links.between.bandwidth;
}

}  // namespace

double least_collective_seconds(CollectiveKind kind, double bytes, const GroupPlacement& group,
                                const GroupLinks& links) {
  if (group.members == 1) return 0;
  if (group.nodes() == 1)
    return bytes * least_rounds(kind, group.members, links.inside.switch_efficiency > 0) /
           links.inside.bandwidth;
  // In an all-to-all each member of a node has `bytes` for all members.
  const double of_node = kind == CollectiveKind::all_to_all ? bytes * group.per_node : bytes;
  return of_node * least_rounds(kind, group.nodes(), links.between.switch_efficiency > 0) /
         nominal_node_bandwidth(group.per_node, links);
}

double least_send_seconds(double bytes, bool same_node, const GroupLinks& links) {
  return bytes / (same_node ? links.inside.bandwidth : nominal_node_bandwidth(1, links));
}

}  // namespace orrery::core
