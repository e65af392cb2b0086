#include "collective/streams/representative_rank.hpp"

#include <algorithm>

#include "collective/phase/ambiguous_event_order.hpp"

namespace orrery {

namespace {

// Returns whether each message takes the same time to every member.
bool goes_in_step(const PhaseTiming& timing) {
  if (!std::holds_alternative<ExchangeSchedule>(timing.schedule)) return false;
  const std::size_t n = timing.members;
  for (std::size_t i = 0; i < timing.latencies.size(); ++i)
    if (timing.latencies[i] != timing.latencies[i - i % n]) return false;
  return true;
}

}  // namespace

void RepresentativeRank::start(const StreamShape& shape, const StreamMembers& members, Time endpoint_delay) {
  if (messages_meet)
    return;  // SymmetricRoutes exist only where all phases are exchanges and all NPUs are symmetric
  StreamTiming& timing = timings.timing(shape, members, endpoint_delay);
  const auto [times, is_new] = timing.times.try_emplace(members.rank_at(0), 0);
  if (is_new && !goes_in_step(timing.timing))
    throw AmbiguousEventOrder("members of a group do different things in a phase");
  ++times->second;
}

}  // namespace orrery
