// Says which ranks do the same in a program, such as those of a pipeline's stage.
#pragma once

#include <cstdint>
#include <vector>

#include "topology/rank_classes.hpp"

namespace orrery {

// The ranks of one part of a program. "Simulated" ranks are classes (rank_classes.hpp).
struct RankPart {
  std::uint32_t recorded = 0;   // its simulated rank that is recorded, which stands for its lowest rank
  std::uint32_t simulated = 0;  // number of simulated ranks
  std::uint32_t ranks = 0;      // number of ranks of the machine
};

class RankParts {
 public:
  // Makes one part of all ranks.
  explicit RankParts(const RankClasses& classes) : parts_{{0, classes.count(), classes.ranks()}} {}
  // `part_of` is by rank of the machine. Ranks of a class must be of one part.
  RankParts(const RankClasses& classes, const std::vector<std::uint32_t>& part_of, std::uint32_t parts);

  std::uint32_t count() const { return static_cast<std::uint32_t>(parts_.size()); }
  const RankPart& operator[](std::uint32_t part) const { return parts_[part]; }
  // Returns the part of a simulated rank.
  std::uint32_t of(std::uint32_t simulated) const { return part_of_.empty() ? 0 : part_of_[simulated]; }
  bool is_recorded(std::uint32_t simulated) const {
    return part_of_.empty() ? simulated == 0 : parts_[part_of_[simulated]].recorded == simulated;
  }

 private:
  std::vector<RankPart> parts_;
  std::vector<std::uint32_t> part_of_;  // by simulated rank; empty: all are of part 0
};

}  // namespace orrery
