#include "collective/streams/meetings.hpp"

#include <algorithm>

#include "collective/order_matters.hpp"

namespace orrery {

namespace {
constexpr std::uint32_t nobody = 0xffffffff;
}

Meetings::Meeting& Meetings::open(const Key& key, const StreamCourse& course) {
  const auto [found, is_new] = open_.try_emplace(key, 0);
  if (is_new) {
    if (free_.empty()) {
      free_.push_back(static_cast<std::uint32_t>(pool_.size()));
      pool_.emplace_back();
    }
    found->second = free_.back();
    free_.pop_back();
    Meeting& made = pool_[found->second];
    made.course = &course;
    made.missing = alone_ ? 1 : course.members.size();
    made.starts.assign(made.missing, Start{0, nobody, {}});
  }
  return pool_[found->second];
}

const Meetings::Meeting* Meetings::start(const Key& key, const StreamShape& shape,
                                         const StreamMembers& members, Time endpoint_delay,
                                         const Start& start) {
  StreamCourse& course = courses_.course(shape, members, endpoint_delay);
  Meeting& meeting = open(key, course);
  const std::size_t position = alone_ ? 0 : members.position;
  if (meeting.course != &course || meeting.starts[position].stream != nobody)
    throw OrderMatters("the members of a group start different phases");
  meeting.starts[position] = start;
  if (--meeting.missing > 0) return nullptr;
  end(meeting);
  ++course.times[key.first];
  const auto found = open_.find(key);
  free_.push_back(found->second);
  open_.erase(found);
  put_in_step(meeting, last_[{&course, key.first}]);
  return &meeting;
}

// Nobody can end before the last has started, since everybody needs something from everybody.
void Meetings::end(Meeting& meeting) {
  const StreamCourse& course = *meeting.course;
  const std::size_t n = meeting.starts.size();
  const Stamp first = meeting.starts[0].at;
  meeting.ends.resize(n);
  if (alone_ && std::adjacent_find(course.together.begin(), course.together.end(), std::not_equal_to()) !=
                    course.together.end())
    throw OrderMatters("equal ranks end a phase at different times");
  const bool together = std::all_of(meeting.starts.begin(), meeting.starts.end(),
                                    [&](const Start& start) { return start.at == first; });
  if (together) {
    for (std::size_t x = 0; x < n; ++x) meeting.ends[x] = PhaseCourse::clock.add(first, course.together[x]);
    return;
  }
  start_times_.resize(n);
  std::transform(meeting.starts.begin(), meeting.starts.end(), start_times_.begin(),
                 [](const Start& start) { return start.at; });
  course.run(start_times_, meeting.ends);
}

void Meetings::put_in_step(Meeting& meeting, Last& last) {
  const bool follows = std::equal(last.starts.begin(), last.starts.end(), meeting.starts.begin(),
                                  meeting.starts.end(), [](const Start& before, const Start& now) {
                                    return before.at == now.at && comes_before(before.place, now.place);
                                  });
  meeting.step = follows ? PlaceInRun{last.step.run, last.step.index + 1} : PlaceInRun{new_run(), 0};
  last.starts = meeting.starts;
  last.step = meeting.step;
}

}  // namespace orrery
