#include "network/link/link_map.hpp"

#include <algorithm>
#include <cassert>

#include <fmt/format.h>

#include "base/diagnostics/unreachable.hpp"

namespace orrery::core {
namespace {

Link links_per_npu_of(Block block, int size, bool ring_ways_apart) {
  if (size < 2) return 0;
  switch (block) {
    case Block::ring:
      return size > 2 && ring_ways_apart ? 2 : 1;
    case Block::fully_connected:
      return static_cast<Link>(size - 1);
    case Block::switched:
      return 2;
  }
  unreachable("the links of every block are known");
}

std::string npu_name(int npu) {
  return fmt::format("npu{}", npu);
}

}  // namespace

LinkMap::LinkMap(const Topology& topology, bool ring_ways_apart) : switches_(topology) {
  const auto npus = static_cast<std::uint64_t>(topology.npus());
  for (const LogicalDimension& groups : logical_dimensions(topology)) {
    const Block block = topology.dimensions[static_cast<std::size_t>(groups.physical)].block;
    const Link per_npu = links_per_npu_of(block, groups.size, ring_ways_apart);
    parts_.push_back({block, groups, per_npu, size_});
    size_ += npus * per_npu;
  }
}

HopCursor LinkMap::cursor(int source, int destination) const {
  if (switches_.is_switch(std::max(source, destination))) return cursor_at_switch(source, destination);
  HopCursor cursor{destination, source, 0, 0, 0, 0};
  [[maybe_unused]] const bool leaves = enter(cursor, 0);
  assert(leaves && "a message to its own sender has no way");
  return cursor;
}

// Such a message has one link, which leads to the switch or is the second link of a route through it.
HopCursor LinkMap::cursor_at_switch(int source, int destination) const {
  const bool ends_there = switches_.is_switch(destination);
  const int npu = ends_there ? source : destination;
  const std::size_t dimension = switches_.dimension_of(ends_there ? destination : source);
  const int position = parts_[dimension].groups.position(npu);
  return {ends_there ? HopCursor::switch_over_npu : npu,
          npu,
          position,
          position,
          static_cast<std::uint16_t>(dimension),
          static_cast<std::uint16_t>(ends_there ? 0 : 1)};
}

bool LinkMap::enter(HopCursor& cursor, std::size_t dimension) const {
  if (cursor.npu == cursor.destination) return false;
  const LogicalDimension* groups = &parts_[dimension].groups;
  while (groups->position(cursor.npu) == groups->position(cursor.destination))
    groups = &parts_[++dimension].groups;
  cursor.position = groups->position(cursor.npu);
  cursor.goal = groups->position(cursor.destination);
  cursor.dimension = static_cast<std::uint16_t>(dimension);
  cursor.second = 0;
  if (parts_[dimension].block == Block::ring) {
    const int around = groups->size;
    const int forward = (cursor.goal - cursor.position + around) % around;
    cursor.second = around - forward < forward;
  }
  return true;
}

int LinkMap::next_position(const HopCursor& cursor) const {
  const Part& part = parts_[cursor.dimension];
  if (part.block != Block::ring) return cursor.goal;
  const int last = part.groups.size - 1;
  const int to = cursor.second != 0 ? cursor.position - 1 : cursor.position + 1;
  return to < 0 ? last : to > last ? 0 : to;
}

int LinkMap::next_npu(const HopCursor& cursor) const {
  const Part& part = parts_[cursor.dimension];
  if (part.block == Block::switched) return cursor.npu;
  return cursor.npu + (next_position(cursor) - cursor.position) * part.groups.stride;
}

bool LinkMap::leaves_dimension(const HopCursor& cursor) const {
  if (parts_[cursor.dimension].block == Block::switched) return cursor.second != 0;
  return next_position(cursor) == cursor.goal;
}

bool LinkMap::cross(HopCursor& cursor) const {
  if (cursor.destination == HopCursor::switch_over_npu) return false;
  cursor.npu += (cursor.goal - cursor.position) * parts_[cursor.dimension].groups.stride;
  return enter(cursor, cursor.dimension + std::size_t{1});
}

bool LinkMap::advance(HopCursor& cursor) const {
  const Part& part = parts_[cursor.dimension];
  const int to = next_position(cursor);
  cursor.npu += (to - cursor.position) * part.groups.stride;
  cursor.position = to;
  if (part.block == Block::switched && cursor.second == 0) {
    cursor.second = 1;
    return cursor.destination != HopCursor::switch_over_npu;
  }
  return to != cursor.goal || enter(cursor, cursor.dimension + std::size_t{1});
}

std::vector<std::uint64_t> LinkMap::links_per_dimension() const {
  std::vector<std::uint64_t> links;
  for (std::size_t d = 0; d < parts_.size(); ++d)
    links.push_back((d + 1 < parts_.size() ? parts_[d + 1].first : size_) - parts_[d].first);
  return links;
}

int LinkMap::dimension(Link link) const {
  int d = static_cast<int>(parts_.size()) - 1;
  while (parts_[d].first > link) --d;
  return d;
}

LinkMap::Npus LinkMap::npus(Link link) const {
  const Part& part = parts_[dimension(link)];
  const LogicalDimension& groups = part.groups;
  const int npu = static_cast<int>((link - part.first) / part.links_per_npu);
  const int which = static_cast<int>((link - part.first) % part.links_per_npu);
  const int position = groups.position(npu);
  int peer = position;
  if (part.block == Block::ring)
    peer = (which == 0 ? position + 1 : position + groups.size - 1) % groups.size;
  if (part.block == Block::fully_connected) peer = which < position ? which : which + 1;
  return {npu, npu + (peer - position) * groups.stride};
}

LinkMap::Ends LinkMap::ends(Link link) const {
  const auto [npu, peer] = npus(link);
  const Part& part = parts_[dimension(link)];
  if (part.block != Block::switched) return {npu_name(npu), npu_name(peer)};
  const std::string device =
      fmt::format("switch{}", switches_.over(static_cast<std::size_t>(dimension(link)), npu));
  return (link - part.first) % 2 == 0 ? Ends{npu_name(npu), device} : Ends{device, npu_name(npu)};
}

}  // namespace orrery::core
