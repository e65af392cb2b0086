// A host stack carries a program's messages between memory and the network: it is software on a host's
// processor, or hardware of a network card.
#pragma once

#include <string>
#include <vector>

#include "base/units/bandwidth.hpp"
#include "base/units/bytes.hpp"
#include "base/units/time.hpp"

namespace orrery::core {

// A message passes these stages, cut into segments, so that all work at once on one that is long:
//
//   copy out of NPU memory, proxy, core, card reads it; network; card writes it, core, copy into NPU memory
//
// docs/models/host-stacks.md has the model, and the sources of its constants.
struct HostStack {
  std::string name;
  std::vector<std::string> sources;
  std::string state;  // component that keeps the state of connections

  Time send, receive;  // time that each message takes at its ends
  // Time that a thread of the host, of which each NPU has one, spends on each message to hand it from the NPU
  // to the card; 0: the NPU tells the card itself.
  Time proxy;
  // Cores that carry the messages of one NPU. 0 means that hardware does, in which `send` and `receive` keep
  // nothing busy.
  int cores = 0;
  Bytes packet{4096};  // size of the largest packet
  Time per_packet;     // time that a core spends on each packet
  Bandwidth copying;   // by a core that copies the message; none: it does not
  Bandwidth card;      // at which the card reads or writes memory; none: as fast as links are
  Bandwidth staging;   // between NPU and host memory; none: the card reaches NPU memory itself
  Time staging_latency;
  int npus_per_host = 1;  // messages between the NPUs of a host do not pass the stack
};

}  // namespace orrery::core
