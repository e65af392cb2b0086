// The port of a node: its queues and what sends their packets into a link.
#pragma once

#include <array>
#include <cstdint>

#include "network/packet/egress_queues.hpp"
#include "network/packet/packet_clock.hpp"
#include "network/packet/packet_settings.hpp"

namespace orrery {

struct PortCounts {
  std::uint64_t packets = 0, bytes = 0;  // sent
  Stamp busy = 0;
  std::uint64_t drops = 0, marks = 0, pauses = 0;  // of packets to send; pauses that it obeyed
  std::uint64_t longest_queue = 0;                 // bytes
  std::uint64_t flows = 0;                         // that began, of data
};

struct PacketTotals {
  std::uint64_t data = 0, acks = 0, nacks = 0, drops = 0, pauses = 0, marks = 0, resent_bytes = 0;
};

struct PacketPort {
  EgressQueues queues;
  // Of the transmitter: it is busy until the event of this time and number, which need not be in the list of
  // events as long as nothing waits for it.
  Stamp free_at = 0;
  std::uint64_t free_order = 0;
  bool free_is_coming = false;

  NodeId node = 0, peer = 0;  // whose port it is, and the node at the other end
  LinkId reverse = 0;         // port of that node
  bool is_nic = false;        // of a host
  bool forwards = false;      // the node passes on what is meant for others
  bool broken = false;        // what is sent is lost
  bool passed_on = false;     // of a NIC that forwards: the last packet was one of others
  bool has_flows = false;     // of a NIC: flows are listed there
  std::uint64_t rate = 0;     // bit/s
  Stamp delay = 0;
  double loss = 0;
  EcnThresholds ecn;
  PortCounts counts;

  void set_rate(std::uint64_t bits_per_s) {
    rate = bits_per_s;
    known_ = {};
  }
  Stamp transmission(std::uint32_t bytes, const PacketClock& clock) {
    Known& known = known_[bytes >> 7 != 0 ? 1 : 0];
    if (known.bytes != bytes) known = {bytes, clock.transmission(bytes, rate)};
    return known.time;
  }

 private:
  struct Known {
    std::uint32_t bytes = 0;
    Stamp time = 0;
  };
  std::array<Known, 2> known_;  // times of sizes, of which there are few
};

}  // namespace orrery
