#include "network/packet/slow_nics.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "base/diagnostics.hpp"

namespace orrery {

SlowNics::SlowNics(const NicPauseSettings& settings, const NetworkGraph& graph, PacketLinks& links,
                   FlowControl& flow_control)
    : settings_(settings), links_(links), flow_control_(flow_control) {
  if (settings.times == 0) return;
  for (const int npu : settings.npus)
    if (static_cast<std::size_t>(npu) >= graph.npus())
      throw InputError({},
                       fmt::format("`nic-pauses` names NPU {}, and the last of the network is NPU {}: name "
                                   "another one",
                                   npu, graph.npus() - 1));
  nics_.resize(links.ports().size());
  for (LinkId port = 0; port < nics_.size(); ++port) {
    const auto npu = static_cast<int>(links.port(port).node);
    if (settings.npus.empty() || std::ranges::find(settings.npus, npu) != settings.npus.end())
      nics_[port].left = settings.times;
  }
}

void SlowNics::stop(LinkId port, int priority) {
  Nic& nic = nics_[port];
  const Stamp now = links_.now();
  if (now < nic.next_stop) return;
  --nic.left;
  nic.next_stop = now + settings_.length_ps + settings_.gap_ps;
  links_.push(now + settings_.length_ps, PacketHappening::nic_resumes, port,
              static_cast<std::uint32_t>(priority));
  flow_control_.stop_sender(port, priority);
}

}  // namespace orrery
