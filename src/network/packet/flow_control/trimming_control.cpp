#include "network/packet/flow_control/trimming_control.hpp"

#include "network/packet/flow_control/flow_control_kinds.hpp"

namespace orrery::core {

TrimmingControl::TrimmingControl(const FlowControlParts& parts)
    : links_(parts.links), nodes_(parts.graph.nodes()), headers_(parts.graph.links()) {}

PacketId TrimmingControl::next(LinkId port) {
  EgressQueues& queues = links_.port(port).queues;
  const bool only_headers = queues.waiting() == 1;
  if (queues.waits(0) && (only_headers || headers_[port.index()] < headers_in_a_row)) {
    ++headers_[port.index()];
    return queues.take(links_.packets(), 0);
  }
  headers_[port.index()] = 0;
  return queues.pop_by_turns(links_.packets());
}

const FlowControlKind trimming_flow_control{
    .name = "trimming",
    .loses = true,
    .trims = true,
    .make = [](const FlowControlParts& parts) -> FlowControl { return TrimmingControl(parts); }};

}  // namespace orrery::core
