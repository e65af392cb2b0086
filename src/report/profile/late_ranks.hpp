// Finds the rank that comes late to collectives, so that others wait for it.
//
// Clocks of ranks differ, but a collective ends for all of its members at about the same time. For the member
// that comes last it takes no longer than the data are under way. So the additional time that it takes for
// others is waiting.
#pragma once

#include <cstdint>
#include <vector>

#include "report/profile/activity.hpp"

namespace orrery::core {

struct LateRank {
  std::size_t rank = 0;         // its place among the ranks that were given
  std::size_t collectives = 0;  // collectives to which it came last
  Time waited;                  // time that the longest waiting rank waited, in all of these
};

// Cuts the time that ranks wait off their collectives, as activities of kind `wait`, where several ranks of a
// group are known. Returns the ranks that came late, the worst first.
std::vector<LateRank> cut_off_waits(std::vector<RankActivities>& ranks);

}  // namespace orrery::core
