#include "collective/flow/chunk_scheduler.hpp"

#include "collective/flow/group_barrier.hpp"
#include "collective/flow/machine_barrier.hpp"

namespace orrery::core {

std::unique_ptr<ChunkScheduler> make_chunk_flow(PhaseBarrier barrier, ChunkHost& host,
                                                const SystemConfig& system, int dimensions,
                                                const RankClasses& classes, bool in_step) {
  const QueueRules rules(system);
  if (barrier == PhaseBarrier::next_group) return std::make_unique<GroupBarrier>(host, rules, classes);
  return std::make_unique<MachineBarrier>(host, rules, dimensions, classes.count(), in_step);
}

}  // namespace orrery::core
