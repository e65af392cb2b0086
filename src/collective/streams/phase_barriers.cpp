#include "collective/streams/phase_barriers.hpp"

#include <algorithm>

#include "collective/phase/ambiguous_event_order.hpp"

namespace orrery::core {

namespace {
constexpr std::uint32_t nobody = 0xffffffff;
}

std::optional<PhaseBarriers::Meeting> PhaseBarriers::start(const Key& key, const StreamShape& shape,
                                                           const StreamMembers& members, Time endpoint_delay,
                                                           const Start& start) {
  StreamTiming& timing = timings_.timing(shape, members, endpoint_delay);
  const auto [found, is_new] = open_.try_emplace(key);
  Meeting& meeting = found->second;
  if (is_new) {
    meeting.timing = &timing;
    meeting.missing = alone_ ? 1 : timing.members.size();
    meeting.starts.assign(meeting.missing, Start{0, nobody, {}});
  }
  const std::size_t position = alone_ ? 0 : members.position;
  if (meeting.timing != &timing || meeting.starts[position].stream != nobody)
    throw AmbiguousEventOrder("the members of a group start different phases");
  meeting.starts[position] = start;
  if (--meeting.missing > 0) return std::nullopt;
  end(meeting);
  ++timing.times[key.first];
  put_in_step(meeting, last_[{&timing, key.first}]);
  return std::move(open_.extract(found).mapped());
}

// Nobody can end before the last has started, since everybody needs something from everybody.
void PhaseBarriers::end(Meeting& meeting) {
  const StreamTiming& timing = *meeting.timing;
  const std::size_t n = meeting.starts.size();
  const Stamp first = meeting.starts[0].at;
  meeting.ends.resize(n);
  if (alone_ && std::adjacent_find(timing.together.begin(), timing.together.end(), std::not_equal_to()) !=
                    timing.together.end())
    throw AmbiguousEventOrder("equal ranks end a phase at different times");
  const bool together = std::all_of(meeting.starts.begin(), meeting.starts.end(),
                                    [&](const Start& start) { return start.at == first; });
  if (together) {
    for (std::size_t x = 0; x < n; ++x) meeting.ends[x] = PhaseTiming::clock.add(first, timing.together[x]);
    return;
  }
  start_times_.resize(n);
  std::transform(meeting.starts.begin(), meeting.starts.end(), start_times_.begin(),
                 [](const Start& start) { return start.at; });
  timing.run(start_times_, meeting.ends);
}

void PhaseBarriers::put_in_step(Meeting& meeting, Last& last) {
  const bool follows = std::equal(last.starts.begin(), last.starts.end(), meeting.starts.begin(),
                                  meeting.starts.end(), [](const Start& before, const Start& now) {
                                    return before.at == now.at && comes_before(before.place, now.place);
                                  });
  if (!follows) last.run = new_run();
  last.starts = meeting.starts;
  meeting.run = last.run;
}

}  // namespace orrery::core
