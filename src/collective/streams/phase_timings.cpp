#include "collective/streams/phase_timings.hpp"

#include "collective/phase/ambiguous_event_order.hpp"
#include "collective/phase/sent_messages.hpp"

namespace orrery::core {

namespace {

bool same_group(const StreamMembers& a, const StreamMembers& b) {
  if ((a.group == nullptr) != (b.group == nullptr)) return false;
  return a.group ? a.group->members == b.group->members : a.dimension == b.dimension;
}

// Visits the messages that the group whose first rank is `first` sends in `times` phases.
void visit_flows(const StreamTiming& timing, RankId first, std::uint64_t times,
                 const PhaseTimings::Visit& visit) {
  StreamMembers members = timing.members;
  members.base = first;
  for (std::uint32_t x = 0; x < members.size(); ++x) {
    visit_messages(timing.timing.schedule, members.size(), x,
                   [&](std::uint32_t to, std::uint32_t, Bytes bytes, std::uint64_t messages) {
                     visit(members.rank_at(x), members.rank_at(to), bytes, messages * times);
                   });
  }
}

}  // namespace

void StreamTiming::run(std::span<const Stamp> starts, std::span<Stamp> ends) const {
  CourseOutcome outcome;
  if (const TreeClasses* classes = timing.classes.get()) {
    std::vector<Stamp> of_class(starts.size());
    for (std::uint32_t x = 0; x < starts.size(); ++x) of_class[classes->of(x)] = starts[x];
    std::vector<Stamp> class_ends(starts.size());
    outcome = timing.run(of_class, class_ends);
    for (std::uint32_t x = 0; x < ends.size(); ++x) ends[x] = class_ends[classes->of(x)];
  } else {
    outcome = timing.run(starts, ends);
  }
  if (outcome.depends_on_order) throw AmbiguousEventOrder("the second half of a direct all-reduce starts");
}

StreamTiming& PhaseTimings::timing(const StreamShape& shape, const StreamMembers& members,
                                   Time endpoint_delay) {
  auto& known = timings_[&shape];
  for (const auto& timing : known)
    if (same_group(timing->members, members)) return *timing;
  GroupPhase phase{shape.schedule, shape.reductions, members.size(), endpoint_delay.ps()};
  if (const auto* tree = std::get_if<TreeSchedule>(&shape.schedule))
    phase.classes = std::make_shared<const TreeClasses>(*tree);
  PhaseTiming timing(phase, [&](const PhaseTiming::End& from, const PhaseTiming::End& to, Bytes bytes) {
    return latency_(members.rank_at(from.position), members.rank_at(to.position), bytes).ps();
  });
  const std::vector<Stamp> starts(members.size());
  auto made = std::make_unique<StreamTiming>(StreamTiming{members, std::move(timing), starts, {}});
  made->run(starts, made->together);
  return *known.emplace_back(std::move(made));
}

void PhaseTimings::for_each_flow(std::optional<std::uint32_t> npus, const Visit& visit) const {
  for (const auto& [shape, timings] : timings_) {
    for (const auto& timing : timings) {
      for (const auto& [first, times] : timing->times) {
        if (!npus) visit_flows(*timing, first, times, visit);
        for (const RankId rank : first_ids<RankId>(npus.value_or(0))) {
          if (timing->members.dimension.position(npu_of(rank)) == 0) visit_flows(*timing, rank, times, visit);
        }
      }
    }
  }
}

}  // namespace orrery::core
