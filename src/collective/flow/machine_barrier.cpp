#include "collective/flow/machine_barrier.hpp"

#include <algorithm>
#include <utility>

namespace orrery::core {

MachineBarrier::MachineBarrier(ChunkHost& host, const QueueRules& rules, int dimensions,
                               std::uint32_t classes, bool in_step)
    : host_(host),
      rules_(rules),
      classes_(classes),
      in_step_(in_step),
      queues_per_class_(static_cast<std::size_t>(dimensions) * rules.queues_per_dimension),
      queues_(queues_per_class_ * classes_),
      issued_(classes_, 0),
      classes_at_most_(classes_) {}

std::size_t MachineBarrier::queue_index(ClassId of_class, const PhasePlan& phase) const {
  return of_class.index() * queues_per_class_ +
         static_cast<std::size_t>(phase.dimension) * rules_.queues_per_dimension + phase.queue;
}

void MachineBarrier::create(ClassId of_class, std::uint32_t chunk, Stamp /*at*/) {
  if (chunk >= chunks_.size()) chunks_.resize(chunk + 1);
  if (chunks_[chunk].phase.empty()) chunks_[chunk].phase.assign(classes_, before_first);
  if (in_step_) {
    ++chunks_[chunk].permits;
    advance(of_class, chunk);
  } else if (++chunks_[chunk].created == classes_) {
    for (const ClassId each : first_ids<ClassId>(classes_)) move(each, chunk);
  }
}

void MachineBarrier::issued(ClassId of_class) {
  const std::uint32_t count = ++issued_[of_class.index()];
  if (!in_step_) return;
  if (count > max_issued_) {
    max_issued_ = count;
    classes_at_most_ = 0;
  }
  if (count == max_issued_) ++classes_at_most_;
  if (classes_at_most_ != classes_) return;
  for (const Held& held : std::exchange(held_, {})) advance(held.of_class, held.chunk);
}

void MachineBarrier::phase_ended(ClassId of_class, std::uint32_t number) {
  Chunk& chunk = chunks_[number];
  if (++chunk.ended == classes_) {
    chunk.ended = 0;
    chunk.permits = classes_;
    if (classes_at_most_ != classes_) {
      held_.push_back({of_class, number});
      return;
    }
  }
  advance(of_class, number);
}

// The rank that ends last moves the others first, in the order in which they stopped.
void MachineBarrier::advance(ClassId of_class, std::uint32_t number) {
  Chunk& chunk = chunks_[number];
  if (chunk.permits == 0) {
    chunk.stopped.push_back(of_class);
    return;
  }
  --chunk.permits;
  if (chunk.stopped.size() == classes_ - 1) {
    for (const ClassId other : std::exchange(chunk.stopped, {})) advance(other, number);
  }
  move(of_class, number);
}

void MachineBarrier::move(ClassId of_class, std::uint32_t number) {
  const ChunkInfo& info = host_.chunk(number);
  const std::vector<PhasePlan>& phases = info.plan->phases;
  const std::int32_t left = chunks_[number].phase[of_class.index()]++;
  ChunkQueue* old_queue = nullptr;
  if (left != before_first) {
    old_queue = &queue_of(of_class, phases[left]);
    host_.left(of_class, number, static_cast<std::uint32_t>(left));
  }
  const auto next = static_cast<std::uint32_t>(left + 1);
  const bool finished = next == phases.size();
  if (finished) host_.finished(of_class, number);
  if (old_queue) old_queue->remove(number);
  ChunkQueue* queue = nullptr;
  if (!finished) {
    const PhasePlan& phase = phases[next];
    queue = &queue_of(of_class, phase);
    host_.entered(of_class, number, next);
    queue->insert({number, info.priority, phase.input, phase.kind,
                   static_cast<std::uint16_t>(phases.size() - 1 - next)},
                  rules_.order);
  }
  if (old_queue) {
    old_queue->free_slot();
    start_waiting(of_class, *old_queue);
  }
  if (queue) start_waiting(of_class, *queue);
  if (finished && ++chunks_[number].finished == classes_)
    std::vector<std::int32_t>().swap(chunks_[number].phase);
}

void MachineBarrier::start_waiting(ClassId of_class, ChunkQueue& queue) {
  while (auto chunk = queue.start_next(rules_.slots)) {
    host_.start(of_class, *chunk, static_cast<std::uint32_t>(chunks_[*chunk].phase[of_class.index()]));
  }
}

std::vector<WaitingPhase> MachineBarrier::waiting() const {
  std::vector<WaitingPhase> found;
  for (std::uint32_t number = 0; number < chunks_.size(); ++number)
    if (!chunks_[number].phase.empty()) found.push_back(waiting_chunk(number));
  return found;
}

// Returns the phase that the ranks that are furthest behind wait for. Before the first phase, these are the
// ranks that have not issued the collective.
WaitingPhase MachineBarrier::waiting_chunk(std::uint32_t number) const {
  const Chunk& chunk = chunks_[number];
  const std::int32_t present = *std::min_element(chunk.phase.begin(), chunk.phase.end());
  const std::uint32_t collective = host_.chunk(number).collective;
  const auto waits = [&](ClassId of_class) {
    if (present == before_first) return issued_[of_class.index()] <= collective;
    return chunk.phase[of_class.index()] == present &&
           std::find(chunk.stopped.begin(), chunk.stopped.end(), of_class) == chunk.stopped.end();
  };
  WaitingPhase waiting{WaitingPhase::State::absent, number, 0, ClassId(0), classes_, 0};
  bool any = false;
  for (const ClassId of_class : first_ids<ClassId>(classes_)) {
    if (!waits(of_class)) {
      ++waiting.ready;
    } else if (!any) {
      any = true;
      waiting.of_class = of_class;
    }
  }
  if (present == before_first) return waiting;
  waiting.phase = static_cast<std::uint32_t>(present);
  const PhasePlan& phase = host_.chunk(number).plan->phases[waiting.phase];
  const auto& items = queues_[queue_index(waiting.of_class, phase)].items();
  const bool started = std::any_of(items.begin(), items.end(), [&](const ChunkQueue::Item& item) {
    return item.chunk == number && item.started;
  });
  waiting.state = started ? WaitingPhase::State::running : WaitingPhase::State::queued;
  return waiting;
}

}  // namespace orrery::core
