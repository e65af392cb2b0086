#include "collective/timeline_engine.hpp"

#include <algorithm>
#include <limits>

#include "collective/order_matters.hpp"

namespace orrery {

TimelineEngine::TimelineEngine(EventLoop& loop, RankTimers& timers, const SystemConfig& system,
                               const Dialect& dialect, const ContentionFreeNetwork& network,
                               const RankClasses& classes, const RankParts& parts, int topology_dimensions,
                               bool strict, PhaseListener& listener)
    : loop_(loop),
      timers_(timers),
      system_(system),
      machine_barrier_(dialect.phase_barrier == PhaseBarrier::machine),
      strict_(strict),
      classes_(classes),
      parts_(parts),
      listener_(listener),
      handler_(loop.add_handler(*this)),
      timelines_(system, dialect, network, loop.clock(), topology_dimensions),
      payload_(parts.count(), std::vector<Bytes>(static_cast<std::size_t>(topology_dimensions))) {}

const PhaseTimeline& TimelineEngine::timeline_of_recorded(const PhaseShape& shape, std::uint32_t part) {
  return timelines_.of(shape, static_cast<int>(classes_.representative(parts_[part].recorded)));
}

PhaseEngine::RunId TimelineEngine::open(std::uint32_t chunk, const PhaseShape& shape, std::uint32_t part) {
  const PhaseTimeline& timeline = timeline_of_recorded(shape, part);
  if (timeline.depends_on_order && strict_) {
    throw OrderMatters(
        "in a direct all-reduce a message is ready in the very instant in which the last one "
        "it waits for arrives");
  }
  std::uint64_t messages = 0;  // stops at the largest number there is
  const std::uint32_t groups = parts_[part].ranks / static_cast<std::uint32_t>(shape.group.size);
  if (__builtin_mul_overflow(timeline.messages, groups, &messages) ||
      __builtin_add_overflow(messages_, messages, &messages_)) {
    messages_ = std::numeric_limits<std::uint64_t>::max();
  }
  std::vector<Bytes>& payload = payload_[part];
  for (std::size_t d = 0; d < payload.size(); ++d) payload[d] += timeline.payload[d];
  const Run run{chunk, &shape, part};
  if (free_runs_.empty()) {
    runs_.push_back(run);
    return static_cast<RunId>(runs_.size() - 1);
  }
  const RunId id = free_runs_.back();
  free_runs_.pop_back();
  runs_[id] = run;
  return id;
}

void TimelineEngine::start(RunId id, std::uint32_t rank, Stamp earliest_end) {
  if (machine_barrier_) {
    start_with_machine(id, rank);
    return;
  }
  const PhaseShape& shape = *runs_[id].shape;
  const auto representative = static_cast<int>(classes_.representative(rank));
  const PhaseTimeline& timeline = timelines_.of(shape, representative);
  const Stamp end = loop_.clock().add(loop_.now(), timeline.end_of(shape.group.position(representative)));
  loop_.at(std::max(end, earliest_end), event(ended, id, rank));
}

bool TimelineEngine::start_together(RunId id, std::span<const std::uint32_t> ranks, Stamp earliest_end) {
  if (machine_barrier_) return false;
  const PhaseTimeline& timeline =
      timelines_.of(*runs_[id].shape, static_cast<int>(classes_.representative(ranks[0])));
  if (timeline.ends.size() != 1) return false;
  const std::uint32_t group = groups_.keep(ranks);
  const Stamp end = loop_.clock().add(loop_.now(), timeline.ends[0]);
  loop_.at(std::max(end, earliest_end), Event{handler_, all_ended, ranks[0], id, group});
  return true;
}

void TimelineEngine::end_group(RunId id, std::uint32_t group) {
  const std::span<const std::uint32_t> ranks = groups_.take(group);
  const std::uint32_t chunk = runs_[id].chunk;
  runs_[id].ended += static_cast<std::uint32_t>(ranks.size());
  release_if_done(id);
  listener_.group_ended(ranks, chunk);
}

// Nothing happens before the last rank of the machine has ended. What ends in the same instant does so in the
// order in which it does message by message, so the last message's way is followed.
void TimelineEngine::start_with_machine(RunId id, std::uint32_t rank) {
  const PhaseShape& shape = *runs_[id].shape;
  const PhaseTimeline& timeline = timelines_.of(shape, 0);
  const Stamp latest = timelines_.latest_of_all_groups(shape);
  const bool alike = latest == timeline.latest && timeline.last.known;
  loop_.after(alike ? timeline.last.sent : latest, event(alike ? last_sent : ended, id, rank));
}

void TimelineEngine::handle(const Event& event_now) {
  const RunId id = event_now.object;
  const std::uint32_t rank = event_now.rank;
  if (event_now.what == ended) {
    end(id, rank);
    return;
  }
  if (event_now.what == all_ended) {
    end_group(id, event_now.extra);
    return;
  }
  const PhaseTimeline::LastMessage& last = timelines_.of(*runs_[id].shape, 0).last;
  switch (event_now.what) {
    case last_sent:
      loop_.after(last.arrived - last.sent, event(last_arrived, id, rank));
      break;
    case last_arrived:
      timers_.after(rank, system_.endpoint_delay, event(endpoint_passed, id, rank));
      break;
    case endpoint_passed:
      if (last.reduces) {
        timers_.after(rank, last.reduction, event(ended, id, rank));
      } else {
        end(id, rank);
      }
      break;
    default:
      break;
  }
}

void TimelineEngine::end(RunId id, std::uint32_t rank) {
  const std::uint32_t chunk = runs_[id].chunk;
  ++runs_[id].ended;
  release_if_done(id);
  listener_.phase_ended(rank, chunk);
}

void TimelineEngine::release_if_done(RunId id) {
  if (runs_[id].ended == parts_[runs_[id].part].simulated && runs_[id].statistics_taken)
    free_runs_.push_back(id);
}

ReceiveStatistics TimelineEngine::take_receive_statistics(RunId id) {
  runs_[id].statistics_taken = true;
  release_if_done(id);
  return timeline_of_recorded(*runs_[id].shape, runs_[id].part).received;
}

}  // namespace orrery
