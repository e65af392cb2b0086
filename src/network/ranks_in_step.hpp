// Groups of NPUs that do the same at the same times, of which only the first sends.
#pragma once

#include <algorithm>
#include <cstddef>
#include <map>
#include <utility>
#include <vector>

#include "base/units/rank_id.hpp"

namespace orrery::core {

class RanksInStep {
 public:
  // There may be no groups. Then each NPU sends its own messages.
  explicit RanksInStep(std::vector<std::vector<RankId>> groups) : groups_(std::move(groups)) {
    for (std::size_t group = 0; group < groups_.size(); ++group) group_of_[groups_[group].at(0)] = group;
  }

  bool empty() const { return groups_.empty(); }
  // Returns sources and destinations of everything that a message stands for: a message from the first NPU of
  // one group to the first of another is sent from every member to the member at the same place.
  std::vector<std::pair<int, int>> ends(int source, int destination) const {
    const auto from = group_of_.find(RankId(source));
    const auto to = group_of_.find(RankId(destination));
    if (from == group_of_.end() || to == group_of_.end()) return {{source, destination}};
    const std::vector<RankId>&senders = groups_[from->second], &receivers = groups_[to->second];
    std::vector<std::pair<int, int>> ends;
    for (std::size_t i = 0; i < std::min(senders.size(), receivers.size()); ++i)
      ends.emplace_back(npu_of(senders[i]), npu_of(receivers[i]));
    return ends;
  }

 private:
  std::vector<std::vector<RankId>> groups_;
  std::map<RankId, std::size_t> group_of_;  // by a group's first NPU
};

}  // namespace orrery::core
