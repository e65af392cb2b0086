#include "collective/group_flow.hpp"

#include <fmt/format.h>

namespace orrery {

GroupFlow::GroupFlow(ChunkHost& host, const QueueRules& rules, int ranks)
    : host_(host), rules_(rules), ranks_(static_cast<std::uint32_t>(ranks)) {}

ChunkQueue& GroupFlow::queue_of(const PhasePlan& phase, int group) {
  const LogicalDimension& dimension = phase.shape->group;
  auto& queues = queues_[{phase.dimension, dimension.stride, dimension.size, phase.queue}];
  if (queues.empty()) queues.resize(ranks_ / static_cast<std::uint32_t>(dimension.size));
  return queues[group];
}

void GroupFlow::create(std::uint32_t rank, std::uint32_t number) {
  if (number >= chunks_.size()) chunks_.resize(number + 1);
  Chunk& chunk = chunks_[number];
  if (chunk.phase.empty()) {
    chunk.phase.assign(ranks_, 0);
    for (const PhasePlan& phase : host_.chunk(number).plan->phases) {
      chunk.phases.emplace_back(ranks_ / static_cast<std::uint32_t>(phase.shape->group.size));
    }
  }
  arrive(rank, number);
}

void GroupFlow::arrive(std::uint32_t rank, std::uint32_t number) {
  const ChunkInfo& info = host_.chunk(number);
  const std::vector<PhasePlan>& phases = info.plan->phases;
  const std::uint32_t next = chunks_[number].phase[rank];
  const PhasePlan& phase = phases[next];
  const LogicalDimension& dimension = phase.shape->group;
  const int group = dimension.group(static_cast<int>(rank));
  host_.entered(rank, number, next);
  if (++chunks_[number].phases[next][group].arrived < static_cast<std::uint32_t>(dimension.size)) return;
  ChunkQueue& queue = queue_of(phase, group);
  queue.insert(
      {number, info.priority, phase.input, phase.kind, static_cast<std::uint16_t>(phases.size() - 1 - next)},
      rules_.order);
  start_waiting(dimension, dimension.base(static_cast<int>(rank)), queue);
}

void GroupFlow::phase_ended(std::uint32_t rank, std::uint32_t number) {
  const std::vector<PhasePlan>& phases = host_.chunk(number).plan->phases;
  const std::uint32_t left = chunks_[number].phase[rank]++;
  const LogicalDimension& dimension = phases[left].shape->group;
  const int group = dimension.group(static_cast<int>(rank));
  const bool group_ended =
      ++chunks_[number].phases[left][group].ended == static_cast<std::uint32_t>(dimension.size);
  host_.left(rank, number, left);
  if (left + 1 == phases.size()) {
    if (++chunks_[number].finished == ranks_) chunks_[number] = Chunk{};
    host_.finished(rank, number);
  } else {
    arrive(rank, number);
  }
  if (!group_ended) return;
  ChunkQueue& queue = queue_of(phases[left], group);
  queue.remove(number);
  queue.free_slot();
  start_waiting(dimension, dimension.base(static_cast<int>(rank)), queue);
}

void GroupFlow::start_waiting(const LogicalDimension& dimension, int base, ChunkQueue& queue) {
  while (auto chunk = queue.start_next(rules_.slots)) {
    for (int y = 0; y < dimension.size; ++y) {
      const auto member = static_cast<std::uint32_t>(base + y * dimension.stride);
      host_.start(member, *chunk, chunks_[*chunk].phase[member]);
    }
  }
}

std::vector<std::string> GroupFlow::waiting() const {
  std::vector<std::string> lines;
  for (std::uint32_t number = 0; number < chunks_.size(); ++number) {
    const Chunk& chunk = chunks_[number];
    for (std::size_t p = 0; p < chunk.phases.size(); ++p) {
      const LogicalDimension& dimension = host_.chunk(number).plan->phases[p].shape->group;
      for (std::size_t g = 0; g < chunk.phases[p].size(); ++g) {
        const GroupPhase& group = chunk.phases[p][g];
        if (group.arrived == 0 || group.ended == static_cast<std::uint32_t>(dimension.size)) continue;
        lines.push_back(
            fmt::format("chunk {}: {} of {} members of group {} have reached phase {}, {} have ended it",
                        number, group.arrived, dimension.size, g, p + 1, group.ended));
      }
    }
  }
  return lines;
}

}  // namespace orrery
