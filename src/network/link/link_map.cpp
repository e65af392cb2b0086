#include "network/link/link_map.hpp"

#include <cassert>

#include <fmt/format.h>

#include "base/diagnostics.hpp"

namespace orrery {
namespace {

// Each keeps its own state, so this is about 3 GiB.
constexpr std::uint64_t most_links = std::uint64_t{1} << 26;

Link links_per_npu(Block block, int size) {
  if (size < 2) return 0;
  switch (block) {
    case Block::ring:
      return size == 2 ? 1 : 2;
    case Block::fully_connected:
      return static_cast<Link>(size - 1);
    case Block::switched:
      return 2;
  }
  return 0;
}

std::string npu_name(int npu) {
  return fmt::format("npu{}", npu);
}

}  // namespace

LinkMap::LinkMap(const Topology& topology) {
  const auto npus = static_cast<std::uint64_t>(topology.npus());
  int devices = topology.npus();
  for (const LogicalDimension& groups : logical_dimensions(topology)) {
    const Block block = topology.dimensions[static_cast<std::size_t>(groups.physical)].block;
    const Link per_npu = links_per_npu(block, groups.size);
    parts_.push_back({block, groups, per_npu, static_cast<Link>(size_), devices});
    size_ += npus * per_npu;
    if (size_ > most_links)
      throw InputError({},
                       "the machine has more than 2^26 links, each of which would be simulated; make it "
                       "smaller or use a network without contention");
    if (block == Block::switched && per_npu > 0) devices += topology.npus() / groups.size;
  }
}

Course LinkMap::course(int source, int destination) const {
  Course course{destination, source, 0, 0, 0, 0};
  [[maybe_unused]] const bool leaves = enter(course, 0);
  assert(leaves && "a message to its own sender has no way");
  return course;
}

bool LinkMap::enter(Course& course, std::size_t dimension) const {
  if (course.npu == course.destination) return false;
  const LogicalDimension* groups = &parts_[dimension].groups;
  while (groups->position(course.npu) == groups->position(course.destination))
    groups = &parts_[++dimension].groups;
  course.position = groups->position(course.npu);
  course.goal = groups->position(course.destination);
  course.dimension = static_cast<std::uint16_t>(dimension);
  course.second = 0;
  if (parts_[dimension].block == Block::ring) {
    const int around = groups->size;
    const int forward = (course.goal - course.position + around) % around;
    course.second = around - forward < forward;
  }
  return true;
}

bool LinkMap::advance(Course& course) const {
  const Part& part = parts_[course.dimension];
  const int last = part.groups.size - 1;
  int to = course.goal;
  if (part.block == Block::ring) {
    to = course.second != 0 ? course.position - 1 : course.position + 1;
    to = to < 0 ? last : to > last ? 0 : to;
  }
  course.npu += (to - course.position) * part.groups.stride;
  course.position = to;
  if (part.block == Block::switched && course.second == 0) {
    course.second = 1;
    return true;
  }
  return to != course.goal || enter(course, course.dimension + std::size_t{1});
}

int LinkMap::dimension(Link link) const {
  int d = static_cast<int>(parts_.size()) - 1;
  while (parts_[d].first > link) --d;
  return d;
}

LinkMap::Ends LinkMap::ends(Link link) const {
  const Part& part = parts_[dimension(link)];
  const LogicalDimension& groups = part.groups;
  const int npu = static_cast<int>((link - part.first) / part.links_per_npu);
  const int which = static_cast<int>((link - part.first) % part.links_per_npu);
  const int position = groups.position(npu);
  const auto peer = [&](int at) { return npu_name(npu + (at % groups.size - position) * groups.stride); };
  switch (part.block) {
    case Block::ring:
      return {npu_name(npu), peer(which == 0 ? position + 1 : position + groups.size - 1)};
    case Block::fully_connected:
      return {npu_name(npu), peer(which < position ? which : which + 1)};
    case Block::switched:
      break;
  }
  const std::string device = fmt::format("switch{}", part.first_switch + groups.group(npu));
  return which == 0 ? Ends{npu_name(npu), device} : Ends{device, npu_name(npu)};
}

}  // namespace orrery
