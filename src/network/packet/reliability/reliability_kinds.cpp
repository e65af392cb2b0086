#include "network/packet/reliability/reliability_kinds.hpp"

#include "network/packet/congestion/congestion_control.hpp"
#include "network/packet/flow_control/flow_control_kinds.hpp"

namespace orrery::core {

const ReliabilityKind& reliability_of(const PacketSettings& settings, bool several_routes) {
  if (settings.reliability.kind) return *settings.reliability.kind;
  const CongestionKind* const control = settings.congestion.kind;
  return several_routes || settings.flow_control->trims || (control && control->own_window)
             ? selective_repeat_reliability
             : go_back_n_reliability;
}

}  // namespace orrery::core
