#include "topology/rank_parts.hpp"

namespace orrery {

RankParts::RankParts(const RankClasses& classes, const std::vector<std::uint32_t>& part_of,
                     std::uint32_t parts)
    : parts_(parts) {
  part_of_.reserve(classes.count());
  for (std::uint32_t number = 0; number < classes.count(); ++number) {
    const std::uint32_t of = part_of[classes.representative(number)];
    RankPart& part = parts_[of];
    if (part.simulated++ == 0) part.recorded = number;
    part.ranks += classes.size(number);
    part_of_.push_back(of);
  }
}

}  // namespace orrery
