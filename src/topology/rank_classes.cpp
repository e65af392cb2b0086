#include "topology/rank_classes.hpp"

#include <algorithm>
#include <limits>

namespace orrery {

namespace {
constexpr std::uint32_t no_group = std::numeric_limits<std::uint32_t>::max();
}

RankClasses RankClasses::all_distinct(std::uint32_t ranks) {
  RankClasses classes;
  classes.ranks_ = classes.count_ = ranks;
  return classes;
}

RankClasses RankClasses::all_equal(std::uint32_t ranks) {
  RankClasses classes;
  classes.ranks_ = ranks;
  classes.count_ = 1;
  classes.lowest_ = {0};
  classes.sizes_ = {ranks};
  return classes;
}

RankClasses::RankClasses(std::vector<std::uint32_t> class_of)
    : ranks_(static_cast<std::uint32_t>(class_of.size())), class_of_(std::move(class_of)) {
  for (std::uint32_t rank = 0; rank < ranks_; ++rank) {
    if (class_of_[rank] == sizes_.size()) {
      lowest_.push_back(rank);
      sizes_.push_back(0);
    }
    ++sizes_[class_of_[rank]];
  }
  count_ = static_cast<std::uint32_t>(sizes_.size());
}

ClassGroups::ClassGroups(const RankClasses& classes, const LogicalDimension& dimension)
    : group_of_(classes.count(), no_group) {
  for (std::uint32_t number = 0; number < classes.count(); ++number) {
    if (group_of_[number] != no_group) continue;
    const std::uint32_t group = count();
    const int base = dimension.base(static_cast<int>(classes.representative(number)));
    for (int y = 0; y < dimension.size; ++y) {
      const std::uint32_t member = classes.class_of(static_cast<std::uint32_t>(base + y * dimension.stride));
      if (group_of_[member] == group) continue;
      group_of_[member] = group;
      members_.push_back(member);
    }
    first_.push_back(static_cast<std::uint32_t>(members_.size()));
  }
}

}  // namespace orrery
