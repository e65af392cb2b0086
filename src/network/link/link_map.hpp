// The directed links of a machine, as numbers, and the way of a message over them (spec: 2.x networks,
// sections 5 and 9).
//
// In every dimension, the NPUs that differ in that coordinate only are joined by one building block. Links
// are numbered dimension by dimension and NPU by NPU:
//
//   Ring             to the next NPU, to the one before; a ring of two has only the first
//   FullyConnected   to each peer, in ascending order
//   Switch           to the switch, from the switch
//
// A message goes through the dimensions in ascending order. In a ring it goes toward ascending positions
// unless the other way is shorter. Nothing of a way is stored: a Course knows the next link and how to go on.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "topology/logical_dimension.hpp"

namespace orrery {

using Link = std::uint32_t;

// Where a message is, between two hops.
struct Course {
  int destination;
  int npu;             // behind a switch's first hop: the one that the switch leads to
  int position, goal;  // of `npu` and of the destination in the dimension
  std::uint16_t dimension;
  std::uint16_t second;  // takes the second of an NPU's two links: backward in a ring, from a switch
};

class LinkMap {
 public:
  // Throws InputError when the machine has more than 2^26 links.
  explicit LinkMap(const Topology& topology);

  std::size_t size() const { return size_; }

  // Source and destination differ.
  Course course(int source, int destination) const;
  Link next_link(const Course& course) const {
    const Part& part = parts_[course.dimension];
    if (part.block == Block::fully_connected)
      return part.first + part.links_per_npu * static_cast<Link>(course.npu) +
             static_cast<Link>(course.goal - (course.goal > course.position ? 1 : 0));
    return part.first + part.links_per_npu * static_cast<Link>(course.npu) + course.second;
  }
  // Takes the next link; false when that ended at the destination.
  bool advance(Course& course) const;

  int dimension(Link link) const;
  // The devices it joins: "npu3", "switch16". Switches are numbered behind the NPUs, dimension by dimension
  // and within one by their lowest NPU.
  struct Ends {
    std::string from, to;
  };
  Ends ends(Link link) const;

 private:
  struct Part {  // of one dimension
    Block block;
    LogicalDimension groups;
    Link links_per_npu;
    Link first;
    int first_switch;
  };
  bool enter(Course& course, std::size_t dimension) const;

  std::vector<Part> parts_;
  std::size_t size_ = 0;
};

}  // namespace orrery
