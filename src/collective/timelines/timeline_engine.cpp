#include "collective/timelines/timeline_engine.hpp"

#include <algorithm>
#include <cassert>
#include <limits>

#include "collective/phase/ambiguous_event_order.hpp"

namespace orrery::core {

TimelineEngine::TimelineEngine(EventLoop& loop, const SystemConfig& system, const Dialect& dialect,
                               const ContentionFreeNetwork& network, const RankClasses& classes,
                               const RankParts& parts, int topology_dimensions, bool strict,
                               PhaseListener& listener, const IsolatedPhaseSimulator* trials)
    : loop_(loop),
      endpoint_delay_(loop.clock().span(system.endpoint_delay)),
      machine_barrier_(dialect.phase_barrier == PhaseBarrier::machine),
      strict_(strict),
      classes_(classes),
      parts_(parts),
      listener_(listener),
      handler_(loop.add_handler(*this)),
      timelines_(system, dialect, network, loop.clock(), topology_dimensions, trials),
      payload_(parts.count(), std::vector<Bytes>(static_cast<std::size_t>(topology_dimensions))) {}

const PhaseTimeline& TimelineEngine::timeline_of_recorded(const PhaseShape& shape, std::uint32_t part) {
  return timelines_.of(shape, npu_of(classes_.representative(parts_[part].recorded)));
}

PhaseEngine::RunId TimelineEngine::open(std::uint32_t chunk, const PhaseShape& shape, std::uint32_t part,
                                        [[maybe_unused]] std::uint32_t absent) {
  assert(absent == 0 && "ranks that are not simulated are absent only where messages are simulated");
  const PhaseTimeline& timeline = timeline_of_recorded(shape, part);
  if (strict_ && timelines_.depends_on_order(shape)) {
    throw AmbiguousEventOrder(
        "in a direct all-reduce a message is ready in the very instant in which the last one "
        "it waits for arrives");
  }
  std::uint64_t messages = 0;  // stays at the largest number once it is reached
  std::uint32_t groups = parts_[part].ranks / static_cast<std::uint32_t>(shape.group.size);
  for (const PhaseShape::Pin& pin : shape.pins) groups /= static_cast<std::uint32_t>(pin.dimension.size);
  if (__builtin_mul_overflow(timeline.messages, groups, &messages) ||
      __builtin_add_overflow(messages_, messages, &messages_)) {
    messages_ = std::numeric_limits<std::uint64_t>::max();
  }
  std::vector<Bytes>& payload = payload_[part];
  const bool recorded = shape.takes_part(npu_of(classes_.representative(parts_[part].recorded)));
  for (std::size_t d = 0; recorded && d < payload.size(); ++d) payload[d] += timeline.payload[d];
  const std::uint32_t members = members_of(shape, parts_, part, classes_.count(), [&](ClassId of_class) {
    return classes_.representative(of_class);
  });
  const bool follows_last = machine_barrier_ && strict_;
  return runs_.keep({chunk, &shape, part, members, 0, !recorded,
                     follows_last ? timelines_.last_of_all_groups(shape) : std::nullopt});
}

void TimelineEngine::start(RunId id, ClassId of_class, Stamp earliest_end) {
  if (machine_barrier_) return start_with_machine(id, of_class);
  const PhaseShape& shape = *runs_[id].shape;
  const auto representative = npu_of(classes_.representative(of_class));
  const PhaseTimeline& timeline = timelines_.of(shape, representative);
  const Stamp end = loop_.clock().add(loop_.now(), timeline.end_of(shape.group.position(representative)));
  loop_.at(std::max(end, earliest_end), event(ended, id, of_class));
}

bool TimelineEngine::start_together(RunId id, std::span<const ClassId> classes, Stamp earliest_end) {
  if (machine_barrier_) return false;
  const PhaseShape& shape = *runs_[id].shape;
  const auto representative = npu_of(classes_.representative(classes[0]));
  const PhaseTimeline& timeline = timelines_.of(shape, representative);
  if (timeline.ends.size() != 1) return false;
  const std::uint32_t group = groups_.keep(classes);
  const Stamp end = loop_.clock().add(loop_.now(), timeline.ends[0]);
  loop_.at(std::max(end, earliest_end), Event{handler_, all_ended, classes[0].value(), id, group});
  return true;
}

// Nothing happens before the last rank of the machine has ended. Phases that end in the same instant do so in
// the order in which they do it message by message, so the route of their last messages is followed.
void TimelineEngine::start_with_machine(RunId id, ClassId of_class) {
  const Run& run = runs_[id];
  if (run.last)
    loop_.after(run.last->sent, event(last_sent, id, of_class));
  else
    loop_.after(timelines_.latest_of_all_groups(*run.shape), event(ended, id, of_class));
}

// The end of a phase is registered when the last message has arrived, or, where its data is added to own
// data, when it has passed the endpoint.
void TimelineEngine::follow_last_message(const Event& event_now) {
  const RunId id = event_now.object;
  const LastMessage& last = *runs_[id].last;
  const bool adds = last.reduction > 0;
  if (event_now.what == last_sent)
    loop_.after(last.arrived - last.sent + (adds ? endpoint_delay_ : 0),
                event(last_registered, id, ClassId(event_now.rank)));
  else
    loop_.after(adds ? last.reduction : endpoint_delay_, event(ended, id, ClassId(event_now.rank)));
}

void TimelineEngine::handle(const Event& event_now) {
  if (event_now.what == last_sent || event_now.what == last_registered) return follow_last_message(event_now);
  const RunId id = event_now.object;
  const std::uint32_t chunk = runs_[id].chunk;
  if (event_now.what == all_ended) {
    const std::span<const ClassId> classes = groups_.take(event_now.extra);
    runs_[id].ended += static_cast<std::uint32_t>(classes.size());
    release_if_done(id);
    listener_.group_ended(classes, chunk);
  } else {
    ++runs_[id].ended;
    release_if_done(id);
    listener_.phase_ended(ClassId(event_now.rank), chunk);
  }
}

void TimelineEngine::release_if_done(RunId id) {
  const Run& run = runs_[id];
  if (run.ended == run.members && run.statistics_taken) runs_.take(id);
}

ReceiveStatistics TimelineEngine::take_receive_statistics(RunId id) {
  Run& run = runs_[id];
  run.statistics_taken = true;
  const ReceiveStatistics received = timeline_of_recorded(*run.shape, run.part).received;
  release_if_done(id);
  return received;
}

}  // namespace orrery::core
