#include "collective/flow/machine_barrier_flow.hpp"

#include <algorithm>
#include <utility>

namespace orrery {

MachineBarrierFlow::MachineBarrierFlow(ChunkHost& host, const QueueRules& rules, int dimensions,
                                       std::uint32_t ranks, bool in_step)
    : host_(host),
      rules_(rules),
      ranks_(ranks),
      in_step_(in_step),
      queues_per_rank_(static_cast<std::size_t>(dimensions) * rules.queues_per_dimension),
      queues_(queues_per_rank_ * ranks_),
      issued_(ranks_, 0),
      ranks_at_most_(ranks_) {}

std::size_t MachineBarrierFlow::queue_index(std::uint32_t rank, const PhasePlan& phase) const {
  return rank * queues_per_rank_ + static_cast<std::size_t>(phase.dimension) * rules_.queues_per_dimension +
         phase.queue;
}

void MachineBarrierFlow::create(std::uint32_t rank, std::uint32_t chunk, Stamp /*at*/) {
  if (chunk >= chunks_.size()) chunks_.resize(chunk + 1);
  if (chunks_[chunk].phase.empty()) chunks_[chunk].phase.assign(ranks_, before_first);
  if (in_step_) {
    ++chunks_[chunk].permits;
    advance(rank, chunk);
  } else if (++chunks_[chunk].created == ranks_) {
    for (std::uint32_t each = 0; each < ranks_; ++each) move(each, chunk);
  }
}

void MachineBarrierFlow::issued(std::uint32_t rank) {
  const std::uint32_t count = ++issued_[rank];
  if (!in_step_) return;
  if (count > most_issued_) {
    most_issued_ = count;
    ranks_at_most_ = 0;
  }
  if (count == most_issued_) ++ranks_at_most_;
  if (ranks_at_most_ != ranks_) return;
  for (const Held& held : std::exchange(held_, {})) advance(held.rank, held.chunk);
}

void MachineBarrierFlow::phase_ended(std::uint32_t rank, std::uint32_t number) {
  Chunk& chunk = chunks_[number];
  if (++chunk.ended == ranks_) {
    chunk.ended = 0;
    chunk.permits = ranks_;
    if (ranks_at_most_ != ranks_) {
      held_.push_back({rank, number});
      return;
    }
  }
  advance(rank, number);
}

// The rank that ends last moves the others first, in the order in which they stopped.
void MachineBarrierFlow::advance(std::uint32_t rank, std::uint32_t number) {
  Chunk& chunk = chunks_[number];
  if (chunk.permits == 0) {
    chunk.stopped.push_back(rank);
    return;
  }
  --chunk.permits;
  if (chunk.stopped.size() == ranks_ - 1) {
    for (std::uint32_t other : std::exchange(chunk.stopped, {})) advance(other, number);
  }
  move(rank, number);
}

void MachineBarrierFlow::move(std::uint32_t rank, std::uint32_t number) {
  const ChunkInfo& info = host_.chunk(number);
  const std::vector<PhasePlan>& phases = info.plan->phases;
  const std::int32_t left = chunks_[number].phase[rank]++;
  ChunkQueue* old_queue = nullptr;
  if (left != before_first) {
    old_queue = &queue_of(rank, phases[left]);
    host_.left(rank, number, static_cast<std::uint32_t>(left));
  }
  const auto next = static_cast<std::uint32_t>(left + 1);
  const bool finished = next == phases.size();
  if (finished) host_.finished(rank, number);
  if (old_queue) old_queue->remove(number);
  ChunkQueue* queue = nullptr;
  if (!finished) {
    const PhasePlan& phase = phases[next];
    queue = &queue_of(rank, phase);
    host_.entered(rank, number, next);
    queue->insert({number, info.priority, phase.input, phase.kind,
                   static_cast<std::uint16_t>(phases.size() - 1 - next)},
                  rules_.order);
  }
  if (old_queue) {
    old_queue->free_slot();
    start_waiting(rank, *old_queue);
  }
  if (queue) start_waiting(rank, *queue);
  if (finished && ++chunks_[number].finished == ranks_)
    std::vector<std::int32_t>().swap(chunks_[number].phase);
}

void MachineBarrierFlow::start_waiting(std::uint32_t rank, ChunkQueue& queue) {
  while (auto chunk = queue.start_next(rules_.slots)) {
    host_.start(rank, *chunk, static_cast<std::uint32_t>(chunks_[*chunk].phase[rank]));
  }
}

std::vector<WaitingPhase> MachineBarrierFlow::waiting() const {
  std::vector<WaitingPhase> found;
  for (std::uint32_t number = 0; number < chunks_.size(); ++number)
    if (!chunks_[number].phase.empty()) found.push_back(waiting_chunk(number));
  return found;
}

// Returns the phase that the ranks that are furthest behind wait for. Before the first phase, these are the
// ranks that have not issued the collective.
WaitingPhase MachineBarrierFlow::waiting_chunk(std::uint32_t number) const {
  const Chunk& chunk = chunks_[number];
  const std::int32_t present = *std::min_element(chunk.phase.begin(), chunk.phase.end());
  const std::uint32_t collective = host_.chunk(number).collective;
  const auto waits = [&](std::uint32_t rank) {
    if (present == before_first) return issued_[rank] <= collective;
    return chunk.phase[rank] == present &&
           std::find(chunk.stopped.begin(), chunk.stopped.end(), rank) == chunk.stopped.end();
  };
  WaitingPhase waiting{WaitingPhase::State::absent, number, 0, 0, ranks_, 0};
  bool any = false;
  for (std::uint32_t rank = 0; rank < ranks_; ++rank) {
    if (!waits(rank)) {
      ++waiting.ready;
    } else if (!any) {
      any = true;
      waiting.rank = rank;
    }
  }
  if (present == before_first) return waiting;
  waiting.phase = static_cast<std::uint32_t>(present);
  const PhasePlan& phase = host_.chunk(number).plan->phases[waiting.phase];
  const auto& items = queues_[queue_index(waiting.rank, phase)].items();
  const bool started = std::any_of(items.begin(), items.end(), [&](const ChunkQueue::Item& item) {
    return item.chunk == number && item.started;
  });
  waiting.state = started ? WaitingPhase::State::running : WaitingPhase::State::queued;
  return waiting;
}

}  // namespace orrery
