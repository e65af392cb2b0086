// Defines how messages travel in simulations that model each one.
#pragma once

#include <vector>

#include "base/bytes.hpp"
#include "events/event.hpp"
#include "network/link_use.hpp"

namespace orrery {

// Carries messages between NPUs, each from its send to its delivery.
class Transport {
 public:
  virtual ~Transport() = default;

  // Dispatches `delivered` when the last byte has arrived. Source and destination differ.
  virtual void send(int source, int destination, Bytes bytes, const Event& delivered) = 0;

  // Returns what the links have carried until now, the busiest first. `now` must be the loop's time or, when
  // the run is over, its end.
  virtual std::vector<LinkUse> links(Time now) const = 0;
};

}  // namespace orrery
