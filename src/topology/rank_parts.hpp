// Says which ranks do the same in a program, such as those of a pipeline's stage.
#pragma once

#include <cstdint>
#include <vector>

#include "base/units/rank_id.hpp"
#include "topology/rank_classes.hpp"

namespace orrery::core {

// The ranks of one part of a program, and their classes, of which one rank each is simulated.
struct RankPart {
  ClassId recorded;             // the class that is recorded, which has the part's lowest rank
  std::uint32_t simulated = 0;  // number of classes, of which one rank each is simulated
  std::uint32_t ranks = 0;      // number of ranks of the machine
};

class RankParts {
 public:
  // Makes one part of all ranks.
  explicit RankParts(const RankClasses& classes) : parts_{{ClassId(0), classes.count(), classes.ranks()}} {}
  // `part_of` is by rank of the machine. Ranks of a class must be of one part.
  RankParts(const RankClasses& classes, const std::vector<std::uint32_t>& part_of, std::uint32_t parts);

  std::uint32_t count() const { return static_cast<std::uint32_t>(parts_.size()); }
  const RankPart& operator[](std::uint32_t part) const { return parts_[part]; }
  std::uint32_t of(ClassId simulated) const { return part_of_.empty() ? 0 : part_of_[simulated.index()]; }
  bool is_recorded(ClassId simulated) const {
    return part_of_.empty() ? simulated == ClassId(0)
                            : parts_[part_of_[simulated.index()]].recorded == simulated;
  }

 private:
  std::vector<RankPart> parts_;
  std::vector<std::uint32_t> part_of_;  // by class; empty: all are of part 0
};

}  // namespace orrery::core
