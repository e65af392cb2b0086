// NICs that take nothing in for 10 us now and then, as those do whose host is slow. That stops their switch,
// by pauses or for want of credits.
#pragma once

#include <vector>

#include "network/packet/flow_control/flow_control.hpp"
#include "network/packet/packet_links.hpp"

namespace orrery {

class SlowNics {
 public:
  // Keeps references. Each NIC stops `stops` times.
  SlowNics(int stops, PacketLinks& links, FlowControl& flow_control)
      : links_(links),
        flow_control_(flow_control),
        nics_(stops > 0 ? links.ports().size() : 0, Nic{stops, 0}) {}

  // Data comes in by a port. At most once in a millisecond the NIC stops then.
  void receive(LinkId port, int priority) {
    if (!nics_.empty() && nics_[port].left > 0) stop(port, priority);
  }
  void go_on(LinkId port, int priority) { flow_control_.let_sender_go_on(port, priority); }

 private:
  struct Nic {
    int left = 0;         // stops
    Stamp next_stop = 0;  // not before this
  };

  void stop(LinkId port, int priority);

  PacketLinks& links_;
  FlowControl& flow_control_;
  std::vector<Nic> nics_;  // by port; empty where none stops
};

}  // namespace orrery
