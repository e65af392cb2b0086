// Numbers the directed links of a machine and finds the route of a message over them
// (docs/models/network-link.md, Links and their numbers, Routes).
//
// In every dimension, the NPUs that differ in that coordinate only are joined by one building block. Links
// are numbered dimension by dimension and NPU by NPU:
//
//   Ring             to the next NPU, to the one before; a ring of two has only the first. Where both ways
//                    share a link, it is one, to the next
//   FullyConnected   to each peer, in ascending order
//   Switch           to the switch, from the switch
//
// A message goes through the dimensions in ascending order. In a ring it goes toward ascending positions
// unless the other way is shorter. A message between an NPU and its switch (DimensionSwitches) takes the one
// link between them. Nothing of a route is stored: a HopCursor knows the next link and how to go on.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "topology/dimension_switches.hpp"

namespace orrery::core {

using Link = std::uint64_t;

// The position of a message between two hops.
struct HopCursor {
  static constexpr int switch_over_npu = -1;

  int destination;     // an NPU, or switch_over_npu: the message ends at the switch
  int npu;             // after a switch's first hop: the NPU to which the switch leads
  int position, goal;  // of `npu` and of the destination in the dimension
  std::uint16_t dimension;
  std::uint16_t second;  // takes the second of an NPU's two links: backward in a ring, from a switch
};

class LinkMap {
 public:
  // With `ring_ways_apart`, the two ways of a ring have links of their own. Otherwise they share a link
  // between neighbours.
  explicit LinkMap(const Topology& topology, bool ring_ways_apart = true);

  Link size() const { return size_; }
  int npus() const { return switches_.npus(); }

  // Returns the start of the route between two NPUs, which must differ, or between an NPU and the switch over
  // it in a dimension.
  HopCursor cursor(int source, int destination) const;
  Link next_link(const HopCursor& cursor) const {
    const Part& part = parts_[cursor.dimension];
    if (part.block == Block::fully_connected)
      return part.first + part.links_per_npu * static_cast<Link>(cursor.npu) +
             static_cast<Link>(cursor.goal - (cursor.goal > cursor.position ? 1 : 0));
    if (part.block == Block::ring && part.links_per_npu == 1)  // it belongs to the NPU before the other
      return part.first + static_cast<Link>(cursor.second != 0 ? next_npu(cursor) : cursor.npu);
    return part.first + part.links_per_npu * static_cast<Link>(cursor.npu) + cursor.second;
  }
  // Returns the NPU at the other end of the next link, or at a switch the NPU itself.
  int next_npu(const HopCursor& cursor) const;
  // Returns whether the next link is the last one in its dimension, on which a message leaves it at an NPU.
  bool leaves_dimension(const HopCursor& cursor) const;
  // Takes the next link. Returns false when that link ended at the destination.
  bool advance(HopCursor& cursor) const;
  // Takes all links in the present dimension. Returns false when they ended at the destination.
  bool cross(HopCursor& cursor) const;

  std::size_t dimensions() const { return parts_.size(); }
  Block block(std::size_t dimension) const { return parts_[dimension].block; }
  const LogicalDimension& groups(std::size_t dimension) const { return parts_[dimension].groups; }
  Link links_per_npu(std::size_t dimension) const { return parts_[dimension].links_per_npu; }
  Link link(std::size_t dimension, int npu, Link which) const {
    return parts_[dimension].first + parts_[dimension].links_per_npu * static_cast<Link>(npu) + which;
  }

  int dimension(Link link) const;
  std::vector<std::uint64_t> links_per_dimension() const;
  // The NPUs that a link joins. At a switch it is twice the same NPU.
  struct Npus {
    int npu, peer;
  };
  Npus npus(Link link) const;
  // The devices that a link joins: "npu3", "switch16". The numbers of switches follow those of the NPUs,
  // dimension by dimension, and within a dimension by their lowest NPU.
  struct Ends {
    std::string from, to;
  };
  Ends ends(Link link) const;

 private:
  struct Part {  // the links of one dimension
    Block block;
    LogicalDimension groups;
    Link links_per_npu;
    Link first;
  };
  int next_position(const HopCursor& cursor) const;
  bool enter(HopCursor& cursor, std::size_t dimension) const;
  HopCursor cursor_at_switch(int source, int destination) const;

  DimensionSwitches switches_;
  std::vector<Part> parts_;
  Link size_ = 0;
};

}  // namespace orrery::core
