#include "network/link/link_loads.hpp"

#include <algorithm>

#include "network/link/link_sets.hpp"

namespace orrery::core {

LinkLoads::LinkLoads(const LinkMap& map) : map_(map) {
  for (std::size_t d = 0; d < map_.dimensions(); ++d) {
    const Link first = map_.link(d, 0, 0);
    const Link end = d + 1 < map_.dimensions() ? map_.link(d + 1, 0, 0) : map_.size();
    parts_.push_back({first, {}});
    if (map_.block(d) != Block::fully_connected) parts_[d].loads.resize(end - first);
  }
}

void LinkLoads::add(int source, int destination, const LinkLoad& load) {
  HopCursor cursor = map_.cursor(source, destination);
  do {
    Part& part = parts_[cursor.dimension];
    switch (map_.block(cursor.dimension)) {
      case Block::ring:
        add_around_ring(cursor, load);
        break;
      case Block::fully_connected:
        between_pairs_[map_.next_link(cursor)] += load;
        break;
      case Block::switched: {
        const int stride = map_.groups(cursor.dimension).stride;
        const int goal = cursor.npu + (cursor.goal - cursor.position) * stride;
        const bool begins_at_switch = cursor.second != 0;
        const bool ends_at_switch = cursor.destination == HopCursor::switch_over_npu;
        if (!begins_at_switch) part.loads[map_.link(cursor.dimension, cursor.npu, 0) - part.first] += load;
        if (!ends_at_switch) part.loads[map_.link(cursor.dimension, goal, 1) - part.first] += load;
        break;
      }
    }
  } while (map_.cross(cursor));
}

void LinkLoads::add_around_ring(const HopCursor& cursor, const LinkLoad& load) {
  const std::size_t d = cursor.dimension;
  const LogicalDimension& ring = map_.groups(d);
  const bool apart = map_.links_per_npu(d) == 2, backward = cursor.second != 0;
  // The links are those of the NPUs at positions begin, begin + 1, ..., end - 1, around the ring.
  int begin = cursor.position, end = cursor.goal;
  if (backward) {
    begin = apart ? (cursor.goal + 1) % ring.size : cursor.goal;
    end = apart ? (cursor.position + 1) % ring.size : cursor.position;
  }
  Part& part = parts_[d];
  const int base = cursor.npu - cursor.position * ring.stride;
  const auto at = [&](int position) -> LinkLoad& {
    return part.loads[map_.link(d, base + position * ring.stride, apart && backward ? 1 : 0) - part.first];
  };
  at(begin) += load;
  at(end) -= load;
  if (end <= begin) at(0) += load;
}

void LinkLoads::settle() {
  for (std::size_t d = 0; d < parts_.size(); ++d)
    if (map_.block(d) == Block::ring && !parts_[d].loads.empty()) settle_ring(d);
}

void LinkLoads::settle_ring(std::size_t d) {
  const LogicalDimension& ring = map_.groups(d);
  const Link per_npu = map_.links_per_npu(d);
  std::vector<LinkLoad>& loads = parts_[d].loads;
  const auto npus = static_cast<int>(loads.size() / per_npu);
  for (int npu = 0; npu < npus; ++npu) {
    if (ring.position(npu) == 0) continue;
    for (Link which = 0; which < per_npu; ++which) {
      const Link link = per_npu * static_cast<Link>(npu) + which;
      loads[link] += loads[link - per_npu * static_cast<Link>(ring.stride)];
    }
  }
}

LinkLoad LinkLoads::of(Link link) const {
  const Part& part = parts_[static_cast<std::size_t>(map_.dimension(link))];
  if (!part.loads.empty()) return part.loads[link - part.first];
  const auto found = between_pairs_.find(link);
  return found == between_pairs_.end() ? LinkLoad{} : found->second;
}

std::vector<LinkUse> LinkLoads::uses(const LinkSpeeds& speeds) const {
  LinkSets sets(map_);
  const auto add = [&](std::size_t d, Link link, const LinkLoad& load) {
    sets.add(link, 1, load, speeds.total_busy(d, map_.npus(link), load.bytes));
  };
  for (std::size_t d = 0; d < parts_.size(); ++d) {
    const Part& part = parts_[d];
    for (Link i = 0; i < part.loads.size(); ++i) add(d, part.first + i, part.loads[i]);
    if (map_.block(d) != Block::fully_connected) continue;
    std::vector<Link> used;
    const Link end = d + 1 < parts_.size() ? parts_[d + 1].first : map_.size();
    for (const auto& [link, load] : between_pairs_)
      if (link >= part.first && link < end) used.push_back(link);
    std::sort(used.begin(), used.end());
    for (const Link link : used) add(d, link, between_pairs_.at(link));
    if (used.size() == end - part.first) continue;
    Link idle = part.first;
    for (std::size_t i = 0; i < used.size() && used[i] == idle; ++i) ++idle;
    sets.add(idle, end - part.first - used.size(), {}, Time());
  }
  return sets.busiest_first();
}

}  // namespace orrery::core
