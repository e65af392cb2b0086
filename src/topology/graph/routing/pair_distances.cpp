#include "topology/graph/routing/pair_distances.hpp"

namespace orrery::core {

void PairDistances::Side::start(std::size_t nodes, NodeId node) {
  distance.resize(nodes, unknown);
  for (const NodeId old : reached) distance[old.index()] = unknown;
  reached.assign(1, node);
  distance[node.index()] = 0;
  level_begins = 0;
}

const std::vector<std::uint16_t>& PairDistances::between(NodeId source, NodeId destination,
                                                         const std::vector<bool>& broken) {
  source_ = source;
  destination_ = destination;
  onward_.start(graph_.nodes(), source);
  back_.start(graph_.nodes(), destination);
  meeting_.clear();
  while (onward_.frontier() > 0 && back_.frontier() > 0)
    if (grow(onward_.frontier() <= back_.frontier(), broken)) {
      trace_back(broken);
      break;
    }
  return back_.distance;
}

// As long as the two sides have not met, each is complete up to its frontier. So they first meet halfway on
// the shortest routes, and on all of these in the same step.
bool PairDistances::grow(bool onward, const std::vector<bool>& broken) {
  Side& side = onward ? onward_ : back_;
  const Side& other = onward ? back_ : onward_;
  const NodeId end = onward ? destination_ : source_;
  const std::size_t begin = side.level_begins, stop = side.reached.size();
  side.level_begins = stop;
  for (std::size_t i = begin; i < stop; ++i) {
    const NodeId node = side.reached[i];
    for (const LinkId id : onward ? graph_.links_from(node) : graph_.links_to(node)) {
      const NodeId next = onward ? graph_.link(id).to : graph_.link(id).from;
      if (side.distance[next.index()] != unknown || (!broken.empty() && broken[id.index()])) continue;
      if (next != end && !graph_.node(next).forwards) continue;
      side.distance[next.index()] = static_cast<std::uint16_t>(side.distance[node.index()] + 1);
      side.reached.push_back(next);
      if (other.distance[next.index()] != unknown) meeting_.push_back(next);
    }
  }
  return !meeting_.empty();
}

void PairDistances::trace_back(const std::vector<bool>& broken) {
  for (std::size_t i = 0; i < meeting_.size(); ++i) {
    const NodeId node = meeting_[i];
    for (const LinkId id : graph_.links_to(node)) {
      const NodeId before = graph_.link(id).from;
      if (onward_.distance[before.index()] == unknown ||
          onward_.distance[before.index()] + 1 != onward_.distance[node.index()] ||
          back_.distance[before.index()] != unknown || (!broken.empty() && broken[id.index()]))
        continue;
      back_.distance[before.index()] = static_cast<std::uint16_t>(back_.distance[node.index()] + 1);
      back_.reached.push_back(before);
      meeting_.push_back(before);
    }
  }
}

}  // namespace orrery::core
