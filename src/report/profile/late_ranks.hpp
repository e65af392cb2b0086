// Finds the rank that comes late to collectives, so that others wait for it.
//
// Clocks of ranks differ, but a collective ends for all of its members at about the same time, and takes the
// last one to come no longer than the data are under way. So what it takes longer elsewhere is waiting.
#pragma once

#include <cstdint>
#include <vector>

#include "report/profile/activity.hpp"

namespace orrery {

struct LateRank {
  std::size_t rank = 0;         // its place among those that were given
  std::size_t collectives = 0;  // to which it came last
  Time waited;                  // by the rank that waited longest, in all of these
};

// Cuts what ranks wait off their collectives, as activities of kind `wait`, where several ranks of a group
// are known. Returns who came late, the worst first.
std::vector<LateRank> cut_off_waits(std::vector<RankActivities>& ranks);

}  // namespace orrery
