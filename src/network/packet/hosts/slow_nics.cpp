#include "network/packet/hosts/slow_nics.hpp"

#include <algorithm>

namespace orrery {

SlowNics::SlowNics(const NicPauseSettings& settings, PacketLinks& links, FlowControl& flow_control)
    : settings_(settings), links_(links), flow_control_(flow_control) {
  if (settings.times == 0) return;
  nics_.resize(links.ports().size());
  for (const LinkId port : first_ids<LinkId>(nics_.size())) {
    if (!links.port(port).is_nic) continue;
    const auto npu = static_cast<int>(links.port(port).node.value());
    if (settings.npus.empty() || std::ranges::find(settings.npus, npu) != settings.npus.end())
      nics_[port.index()].left = settings.times;
  }
}

void SlowNics::stop(LinkId port, int priority) {
  Nic& nic = nics_[port.index()];
  const Stamp now = links_.now();
  if (now < nic.next_stop) return;
  --nic.left;
  nic.next_stop = now + settings_.length_ps + settings_.gap_ps;
  links_.push(now + settings_.length_ps, PacketHappening::nic_resumes, port.value(),
              static_cast<std::uint32_t>(priority));
  flow_control_.stop_sender(port, priority);
}

}  // namespace orrery
