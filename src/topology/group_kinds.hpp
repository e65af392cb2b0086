// The groups of a dimension, told apart by where their members' links are slow.
#pragma once

#include <cstdint>
#include <vector>

#include "topology/logical_dimension.hpp"

namespace orrery::core {

// Groups of one kind are alike: their members at equal positions have equally slow links. So have the other
// NPUs at equal places in the topology's dimension that the groups lie in, whose links messages of a ring may
// pass.
class GroupKinds {
 public:
  // Makes all groups of kind 0. `even` says that the links of all members are equally slow.
  explicit GroupKinds(bool even);
  // `whole` is the topology's dimension; `slowdown` is that of the links into it, by NPU.
  GroupKinds(const LogicalDimension& groups, const LogicalDimension& whole,
             const std::vector<double>& slowdown);

  std::uint32_t count() const { return static_cast<std::uint32_t>(kinds_.size()); }
  // Returns the kind of the group of an NPU.
  std::uint32_t of(int npu) const {
    return kind_of_.empty() ? 0 : kind_of_[static_cast<std::size_t>(groups_.group(npu))];
  }
  // Returns the NPU at position 0 of the first group of a kind.
  int base(std::uint32_t kind) const { return kinds_[kind].base; }
  // Returns whether the links of all members are equally slow.
  bool even(std::uint32_t kind) const { return kinds_[kind].even; }
  bool all_even() const;

 private:
  struct Kind {
    int base;
    bool even;
  };

  LogicalDimension groups_;
  std::vector<std::uint32_t> kind_of_;  // by group; empty: all are of kind 0
  std::vector<Kind> kinds_;
};

}  // namespace orrery::core
