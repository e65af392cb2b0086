// Computes the rate of HPCC: it is in inverse proportion to the utilization of the busiest hop, with a step
// added, or for some rounds only the step is added (Li et al., SIGCOMM 2019).
#pragma once

#include <algorithm>

#include "network/packet/congestion/congestion_control.hpp"

namespace orrery::core {

struct HpccRate {
  double utilization = 1;
  std::uint64_t rate = 0;  // rate of the last round, bit/s
  int stage = 0;           // stage of additive increase

  // Returns the rate that the utilization asks for, and moves on when a round has ended.
  std::uint64_t next(const CongestionSettings& settings, const Sender& sender, bool new_round) {
    const double excess = utilization / settings.hpcc.target;
    const bool by_factor = excess >= 1 || stage >= settings.hpcc.stages;
    const std::uint64_t most = std::max(settings.min_rate, sender.line_rate);
    std::uint64_t wanted = rate;
    if (by_factor)  // the quotient may be as large as a double
      wanted =
          static_cast<std::uint64_t>(std::min(static_cast<double>(rate) / excess, static_cast<double>(most)));
    wanted = std::clamp(wanted + settings.additive, settings.min_rate, most);
    if (new_round) {
      rate = wanted;
      stage = by_factor ? 0 : stage + 1;
    }
    return wanted;
  }
};

// Changes the rate. The packet that was sent last counts as if it had been sent at the new rate.
inline void change_rate(Sender& sender, std::uint64_t rate, const PacketClock& clock) {
  sender.next_send +=
      clock.transmission(sender.last_bytes, rate) - clock.transmission(sender.last_bytes, sender.rate);
  sender.rate = rate;
}

}  // namespace orrery::core
