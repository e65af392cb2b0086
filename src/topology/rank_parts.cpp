#include "topology/rank_parts.hpp"

namespace orrery::core {

RankParts::RankParts(const RankClasses& classes, const std::vector<std::uint32_t>& part_of,
                     std::uint32_t parts)
    : parts_(parts) {
  part_of_.reserve(classes.count());
  for (const ClassId simulated : first_ids<ClassId>(classes.count())) {
    const std::uint32_t of = part_of[classes.representative(simulated).index()];
    RankPart& part = parts_[of];
    if (part.simulated++ == 0) part.recorded = simulated;
    part.ranks += classes.size(simulated);
    part_of_.push_back(of);
  }
}

}  // namespace orrery::core
