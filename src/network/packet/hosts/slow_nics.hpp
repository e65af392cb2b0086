// NICs that now and then take nothing in for a while, because their host is slow or they are broken. That
// stops their switch, by pauses or for want of credits.
#pragma once

#include <vector>

#include "network/packet/flow_control/flow_control.hpp"
#include "network/packet/links/packet_links.hpp"

namespace orrery {

class SlowNics {
 public:
  // Keeps references.
  SlowNics(const NicPauseSettings& settings, PacketLinks& links, FlowControl& flow_control);

  // Data comes in by a port. The NIC may stop then.
  void receive(LinkId port, int priority) {
    if (!nics_.empty() && nics_[port.index()].left > 0) stop(port, priority);
  }
  void go_on(LinkId port, int priority) { flow_control_.let_sender_go_on(port, priority); }

 private:
  struct Nic {
    int left = 0;         // number of stops that are left
    Stamp next_stop = 0;  // no stop before this time
  };

  void stop(LinkId port, int priority);

  const NicPauseSettings& settings_;
  PacketLinks& links_;
  FlowControl& flow_control_;
  std::vector<Nic> nics_;  // by port; empty where no NIC stops
};

}  // namespace orrery
