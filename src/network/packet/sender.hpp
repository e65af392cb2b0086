// The end of a flow that sends, as congestion controls see it.
#pragma once

#include <cstdint>

#include "events/clock.hpp"

namespace orrery::core {

// The end of a flow that sends.
struct Sender {
  std::uint32_t number = 0;        // number of the flow; another flow takes it when this one has ended
  std::uint64_t sent = 0;          // the next byte to send; it goes back when bytes were lost
  std::uint64_t acknowledged = 0;  // all bytes before this one have been acknowledged
  std::uint64_t rate = 0;          // bit/s
  std::uint64_t line_rate = 0;     // bit/s, of the link out of the NIC
  std::uint64_t window = 0;        // bytes that may be under way at the line rate; 0: any number
  Stamp base_rtt = 0;              // round trip in an empty network
  Stamp next_send = 0;             // nothing is sent before this time
  std::uint64_t gone = 0;          // bytes sent and not acknowledged that are known not to be under way
  std::uint32_t last_bytes = 0;    // size on the wire of the packet that was sent last
  bool has_credit = true;          // otherwise its receiver has to grant the next packet first
  bool recovering = false;         // it recovers from a loss, for which the window has been made smaller
};

}  // namespace orrery::core
