#include "network/packet/reliability/reliability_kinds.hpp"

namespace orrery {

const ReliabilityKind& reliability_of(const PacketSettings& settings, bool several_ways) {
  if (settings.reliability.kind) return *settings.reliability.kind;
  return several_ways ? selective_repeat_reliability : go_back_n_reliability;
}

}  // namespace orrery
