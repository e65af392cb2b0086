// Plans collectives that run an algorithm of the user's (docs/models/streams.md, Custom algorithms).
#pragma once

#include "base/units/rank_id.hpp"
#include "collective/streams/plan/stream_phase.hpp"

namespace orrery {

// Returns the only phase of the only stream of such a collective, which is in the first queue. Throws
// CollectiveError when the algorithm does not fit the ranks. `group` lists the members, where they are fewer
// than the machine's `npus`; null: they are all of them.
StreamPhase custom_phase(RankId rank, const CustomAlgorithm& algorithm, const Communicator* group, int npus);

}  // namespace orrery
