#include "collective/flow/chunk_flow.hpp"

#include "collective/flow/group_flow.hpp"
#include "collective/flow/machine_barrier_flow.hpp"

namespace orrery {

std::unique_ptr<ChunkFlow> make_chunk_flow(PhaseBarrier barrier, ChunkHost& host, const SystemConfig& system,
                                           int dimensions, const RankClasses& classes, bool in_step) {
  const QueueRules rules(system);
  if (barrier == PhaseBarrier::next_group) return std::make_unique<GroupFlow>(host, rules, classes);
  return std::make_unique<MachineBarrierFlow>(host, rules, dimensions, classes.count(), in_step);
}

}  // namespace orrery
