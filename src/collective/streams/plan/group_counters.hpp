// Counts the things that a rank has started, by the tag base of the group they are in.
#pragma once

#include <cstdint>
#include <map>

namespace orrery::core {

// The group of all ranks has the tag base 0. Most collectives are in it, so its number needs no map.
class GroupCounters {
 public:
  std::uint64_t& operator[](std::uint64_t tag_base) {
    return tag_base == 0 ? of_all_ranks_ : of_groups_[tag_base];
  }

  std::uint64_t of(std::uint64_t tag_base) const {
    if (tag_base == 0) return of_all_ranks_;
    const auto found = of_groups_.find(tag_base);
    return found == of_groups_.end() ? 0 : found->second;
  }

 private:
  std::uint64_t of_all_ranks_ = 0;
  std::map<std::uint64_t, std::uint64_t> of_groups_;
};

}  // namespace orrery::core
