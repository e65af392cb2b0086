#include "collective/flow/group_barrier.hpp"

#include <algorithm>
#include <utility>

namespace orrery::core {

GroupBarrier::GroupBarrier(ChunkHost& host, const QueueRules& rules, const RankClasses& classes)
    : host_(host), rules_(rules), classes_(classes) {}

const ClassGroups& GroupBarrier::groups_of(const PhasePlan& phase) {
  const LogicalDimension& dimension = phase.shape->group;
  const DimensionKey key{dimension.stride, dimension.size};
  const auto found = groups_.find(key);
  if (found != groups_.end()) return found->second;
  return groups_.emplace(key, ClassGroups(classes_, dimension)).first->second;
}

GroupBarrier::Queue& GroupBarrier::queue_of(const PhasePlan& phase, std::uint32_t group) {
  const LogicalDimension& dimension = phase.shape->group;
  auto& queues = queues_[{phase.dimension, phase.queue, dimension.stride, dimension.size}];
  if (queues.empty()) queues.resize(groups_of(phase).count());
  return queues[group];
}

void GroupBarrier::open(std::uint32_t number) {
  if (number >= chunks_.size()) chunks_.resize(number + 1);
  Chunk& chunk = chunks_[number];
  if (!chunk.phase.empty()) return;
  chunk.phase.assign(classes_.count(), 0);
  chunk.created.assign(classes_.count(), false);
  for (const PhasePlan& phase : host_.chunk(number).plan->phases) {
    const ClassGroups& groups = groups_of(phase);
    chunk.phases.push_back({&groups, std::vector<GroupPhase>(groups.count())});
  }
  chunk.created_at.assign(chunk.phases[0].groups->count(), 0);
}

void GroupBarrier::create(ClassId of_class, std::uint32_t number, Stamp at) {
  open(number);
  Chunk& chunk = chunks_[number];
  chunk.created[of_class.index()] = true;
  if (const std::uint32_t first = next_phase(of_class, *host_.chunk(number).plan, 0); first > 0) {
    chunk.phase[of_class.index()] = static_cast<std::uint8_t>(first);
    arrive(of_class, number, first);
    return;
  }
  host_.entered(of_class, number, 0);
  const ClassGroups& groups = *chunk.phases[0].groups;
  const std::uint32_t group = groups.group_of(of_class);
  Stamp& created_at = chunk.created_at[group];
  created_at = std::max(created_at, at);
  if (++chunk.phases[0].of_group[group].arrived == groups.members(group).size())
    host_.tell_when_group_arrives(created_at, number, group);
}

void GroupBarrier::group_arrives(std::uint32_t number, std::uint32_t group) {
  arrived_.push_back({number, group});
  await_end_of_instant();
}

void GroupBarrier::take_arrived() {
  std::sort(arrived_.begin(), arrived_.end());
  for (const Arrived& one : arrived_) enqueue(one.chunk, 0, one.group);
  arrived_.clear();
}

std::uint32_t GroupBarrier::next_phase(ClassId of_class, const ChunkPlan& plan, std::uint32_t phase) const {
  const auto npu = npu_of(classes_.representative(of_class));
  while (phase < plan.phases.size() && !plan.phases[phase].shape->takes_part(npu)) ++phase;
  return phase;
}

// Called for a class that comes to a phase after the first.
void GroupBarrier::arrive(ClassId of_class, std::uint32_t number, std::uint32_t next) {
  host_.entered(of_class, number, next);
  Phase& phase = chunks_[number].phases[next];
  const std::uint32_t group = phase.groups->group_of(of_class);
  if (++phase.of_group[group].arrived == phase.groups->members(group).size()) enqueue(number, next, group);
}

void GroupBarrier::enqueue(std::uint32_t number, std::uint32_t next, std::uint32_t group) {
  const ChunkInfo& info = host_.chunk(number);
  const std::vector<PhasePlan>& phases = info.plan->phases;
  const PhasePlan& phase = phases[next];
  queue_of(phase, group)
      .items.insert({number, info.priority, phase.input, phase.kind,
                     static_cast<std::uint16_t>(phases.size() - 1 - next)},
                    rules_.order);
  touch(phase, group);
}

void GroupBarrier::phase_ended(ClassId of_class, std::uint32_t number) {
  ended_.push_back({number, of_class, {}});
  await_end_of_instant();
}

void GroupBarrier::group_ended(std::span<const ClassId> classes, std::uint32_t number) {
  ended_.push_back({number, classes[0], classes});
  await_end_of_instant();
}

void GroupBarrier::await_end_of_instant() {
  if (!std::exchange(awaits_end_of_instant_, true)) host_.tell_when_instant_ends();
}

void GroupBarrier::touch(const PhasePlan& phase, std::uint32_t group) {
  Queue& queue = queue_of(phase, group);
  if (std::exchange(queue.touched, true)) return;
  touched_.push_back({&queue, &groups_of(phase), group});
  await_end_of_instant();
}

void GroupBarrier::instant_ends() {
  take_arrived();
  std::vector<Ended> ended = std::exchange(ended_, {});
  std::sort(ended.begin(), ended.end());
  for (const Ended& one : ended) {
    if (one.group.empty())
      leave(one.of_class, one.chunk);
    else
      leave_together(one.group, one.chunk);
  }
  awaits_end_of_instant_ = false;
  for (const Touched& touched : std::exchange(touched_, {})) choose_waiting(touched);
  start_chosen();
}

void GroupBarrier::leave(ClassId of_class, std::uint32_t number) {
  const ChunkPlan& plan = *host_.chunk(number).plan;
  Chunk& chunk = chunks_[number];
  const std::uint32_t left = chunk.phase[of_class.index()], next = next_phase(of_class, plan, left + 1);
  chunk.phase[of_class.index()] = static_cast<std::uint8_t>(next);
  const ClassGroups& groups = *chunk.phases[left].groups;
  const std::uint32_t group = groups.group_of(of_class);
  const bool group_ended = ++chunk.phases[left].of_group[group].ended == groups.members(group).size();
  host_.left(of_class, number, left);
  if (next < plan.phases.size()) {
    arrive(of_class, number, next);
  } else {
    finish(number, 1);
    host_.finished(of_class, number);
  }
  if (group_ended) free_slot(number, plan.phases[left], group);
}

void GroupBarrier::leave_together(std::span<const ClassId> classes, std::uint32_t number) {
  const std::vector<PhasePlan>& phases = host_.chunk(number).plan->phases;
  Chunk& chunk = chunks_[number];
  const std::uint32_t left = chunk.phase[classes[0].index()];
  const std::uint32_t group = chunk.phases[left].groups->group_of(classes[0]);
  chunk.phases[left].of_group[group].ended += static_cast<std::uint32_t>(classes.size());
  const bool last = left + 1 == phases.size();
  for (const ClassId of_class : classes) {
    ++chunk.phase[of_class.index()];
    host_.left(of_class, number, left);
    if (!last) arrive(of_class, number, left + 1);
  }
  if (last) {
    finish(number, classes.size());
    host_.group_finished(classes, number);
  }
  free_slot(number, phases[left], group);
}

void GroupBarrier::finish(std::uint32_t number, std::size_t members) {
  Chunk& chunk = chunks_[number];
  chunk.finished += static_cast<std::uint32_t>(members);
  if (chunk.finished == host_.chunk(number).classes) chunk = Chunk{};
}

void GroupBarrier::free_slot(std::uint32_t number, const PhasePlan& phase, std::uint32_t group) {
  ChunkQueue& queue = queue_of(phase, group).items;
  queue.remove(number);
  queue.free_slot();
  touch(phase, group);
}

void GroupBarrier::choose_waiting(const Touched& touched) {
  touched.queue->touched = false;
  const std::span<const ClassId> members = touched.groups->members(touched.group);
  while (auto chunk = touched.queue->items.start_next(rules_.slots))
    chosen_.push_back(
        {*chunk, std::uint32_t{chunks_[*chunk].phase[members[0].index()]}, members[0], members});
}

void GroupBarrier::start_chosen() {
  std::sort(chosen_.begin(), chosen_.end(), [](const Chosen& a, const Chosen& b) {
    return std::pair(a.chunk, a.first_member) < std::pair(b.chunk, b.first_member);
  });
  for (const Chosen& one : chosen_) {
    if (host_.group_starts(one.members, one.chunk, one.phase)) continue;
    for (const ClassId member : one.members) host_.start(member, one.chunk, one.phase);
  }
  chosen_.clear();
}

std::vector<WaitingPhase> GroupBarrier::waiting() const {
  std::vector<WaitingPhase> found;
  for (std::uint32_t number = 0; number < chunks_.size(); ++number) {
    const Chunk& chunk = chunks_[number];
    for (std::uint32_t p = 0; p < chunk.phases.size(); ++p) {
      const ClassGroups& groups = *chunk.phases[p].groups;
      for (std::uint32_t g = 0; g < groups.count(); ++g) {
        const GroupPhase& group = chunk.phases[p].of_group[g];
        if (group.arrived > 0 && group.ended < groups.members(g).size())
          found.push_back(waiting_group(number, p, groups, g));
      }
    }
  }
  return found;
}

WaitingPhase GroupBarrier::waiting_group(std::uint32_t number, std::uint32_t p, const ClassGroups& groups,
                                         std::uint32_t g) const {
  const Chunk& chunk = chunks_[number];
  const auto& members = groups.members(g);
  WaitingPhase waiting{
      WaitingPhase::State::running,     number, p, members[0], static_cast<std::uint32_t>(members.size()),
      chunk.phases[p].of_group[g].ended};
  const auto first_of = [&](const auto& is_meant) {
    return *std::find_if(members.begin(), members.end(), is_meant);
  };
  if (chunk.phases[p].of_group[g].arrived < members.size()) {
    waiting.state = WaitingPhase::State::absent;
    waiting.ready = chunk.phases[p].of_group[g].arrived;
    waiting.of_class = first_of([&](ClassId of_class) {
      return chunk.phase[of_class.index()] < p || !chunk.created[of_class.index()];
    });
    return waiting;
  }
  const PhasePlan& phase = host_.chunk(number).plan->phases[p];
  const LogicalDimension& dimension = phase.shape->group;
  const auto& items =
      queues_.at({phase.dimension, phase.queue, dimension.stride, dimension.size})[g].items.items();
  if (std::none_of(items.begin(), items.end(),
                   [&](const ChunkQueue::Item& item) { return item.chunk == number && item.started; })) {
    waiting.state = WaitingPhase::State::queued;
    return waiting;
  }
  waiting.of_class = first_of([&](ClassId of_class) { return chunk.phase[of_class.index()] == p; });
  return waiting;
}

}  // namespace orrery::core
