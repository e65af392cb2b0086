#include "topology/rank_classes.hpp"

#include <algorithm>
#include <limits>

namespace orrery::core {

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
  classes.lowest_ = {RankId(0)};
  classes.sizes_ = {ranks};
  return classes;
}

RankClasses::RankClasses(std::vector<ClassId> class_of)
    : ranks_(static_cast<std::uint32_t>(class_of.size())), class_of_(std::move(class_of)) {
  for (const RankId rank : first_ids<RankId>(ranks_)) {
    const ClassId of_class = class_of_[rank.index()];
    if (of_class.index() == sizes_.size()) {
      lowest_.push_back(rank);
      sizes_.push_back(0);
    }
    ++sizes_[of_class.index()];
  }
  count_ = static_cast<std::uint32_t>(sizes_.size());
}

ClassGroups::ClassGroups(const RankClasses& classes, const LogicalDimension& dimension)
    : group_of_(classes.count(), no_group) {
  for (const ClassId first : first_ids<ClassId>(classes.count())) {
    if (group_of_[first.index()] != no_group) continue;
    const std::uint32_t group = count();
    const int base = dimension.base(npu_of(classes.representative(first)));
    for (int y = 0; y < dimension.size; ++y) {
      const ClassId member = classes.class_of(RankId(base + y * dimension.stride));
      if (group_of_[member.index()] == group) continue;
      group_of_[member.index()] = group;
      members_.push_back(member);
    }
    first_.push_back(static_cast<std::uint32_t>(members_.size()));
  }
}

}  // namespace orrery::core
