// The NIC at the port of a host: the flows that send there take turns.
#pragma once

#include <cstdint>
#include <vector>

#include "events/clock.hpp"

namespace orrery {

struct Nic {
  std::vector<std::uint32_t> flows;  // queue pairs, in the order in which they came
  std::size_t last = 0;              // place of the flow that was served last
  Stamp wakes_at = 0;                // if `wakes`: when to send what was not due before
  bool wakes = false;
  std::uint32_t wake = 0;  // number of the last setting of the timer
};

}  // namespace orrery
