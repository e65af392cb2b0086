// Finds the positions of a tree that do the same at the same times, so that one of them stands for all.
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "collective/algorithms/schedule.hpp"
#include "network/contention_free_network.hpp"

namespace orrery::core {

// Positions are of one class when their subtrees look alike, and the routes from them up to the root do, too:
// messages go equal routes between members that are of equal classes themselves. That holds whatever the
// messages' bytes are. Classes are numbered from the root downwards, so a parent's class comes before those
// of its children.
class TreeClasses {
 public:
  static constexpr std::uint32_t none = 0xffffffff;
  struct Class {
    std::uint32_t position;       // one position of the class
    std::uint32_t parent = none;  // classes of its neighbours
    std::uint32_t left = none, right = none;
  };

  // Finds the classes for the group of NPU `base`, which is at position 0.
  TreeClasses(const TreeSchedule& tree, const LogicalDimension& group, int base,
              const ContentionFreeNetwork& network);
  // Makes each position a class of its own.
  explicit TreeClasses(const TreeSchedule& tree);

  std::uint32_t of(std::uint32_t position) const { return class_of_[position]; }
  const std::vector<Class>& classes() const { return classes_; }

 private:
  // `route` returns a number that is equal for equal routes between a position and its parent, up and down.
  using WayNumber = std::function<std::uint32_t(std::uint32_t position, std::int32_t parent)>;
  TreeClasses(const TreeSchedule& tree, const WayNumber& route);

  std::vector<std::uint32_t> class_of_;  // by position
  std::vector<Class> classes_;
};

}  // namespace orrery::core
