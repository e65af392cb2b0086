// Ranks that do the same at the same times form a class, and one rank of each class is simulated.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "base/units/rank_id.hpp"
#include "topology/logical_dimension.hpp"

namespace orrery::core {

class RankClasses {
 public:
  // Makes every rank a class of its own, with the rank's number (class_of_simulated()).
  static RankClasses all_distinct(std::uint32_t ranks);
  // Puts all ranks into class 0.
  static RankClasses all_equal(std::uint32_t ranks);
  // `class_of` is by rank; classes must be numbered in the order of their lowest ranks.
  explicit RankClasses(std::vector<ClassId> class_of);

  std::uint32_t ranks() const { return ranks_; }
  std::uint32_t count() const { return count_; }
  bool distinct() const { return count_ == ranks_; }
  ClassId class_of(RankId rank) const {
    if (distinct()) return class_of_simulated(rank);
    return class_of_.empty() ? ClassId() : class_of_[rank.index()];
  }
  // Returns the lowest rank of a class.
  RankId representative(ClassId of_class) const {
    return distinct() ? simulated_of(of_class) : lowest_[of_class.index()];
  }
  std::uint32_t size(ClassId of_class) const { return distinct() ? 1 : sizes_[of_class.index()]; }

 private:
  RankClasses() = default;

  std::uint32_t ranks_ = 0, count_ = 0;
  std::vector<ClassId> class_of_;  // by rank; empty when all are distinct or all are equal
  std::vector<RankId> lowest_;     // by class, like the next one
  std::vector<std::uint32_t> sizes_;
};

// The groups of a logical dimension as classes see them: all groups whose members are of the same classes are
// one. Every class lies in exactly one group, which the makers of classes see to
// (simulate/folding/folding.hpp).
class ClassGroups {
 public:
  ClassGroups(const RankClasses& classes, const LogicalDimension& dimension);

  std::uint32_t count() const { return static_cast<std::uint32_t>(first_.size()) - 1; }
  std::uint32_t group_of(ClassId member) const { return group_of_[member.index()]; }
  // Returns classes, each once, in the order of the first position that holds it.
  std::span<const ClassId> members(std::uint32_t group) const {
    return std::span(members_).subspan(first_[group], first_[group + 1] - first_[group]);
  }

 private:
  std::vector<std::uint32_t> group_of_;  // by class
  std::vector<ClassId> members_;
  std::vector<std::uint32_t> first_{0};
};

}  // namespace orrery::core
