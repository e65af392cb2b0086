// Says at which rates flows send while they come and go. Flows that use the same links form one way, which
// has a number.
#pragma once

#include <cstdint>
#include <span>

namespace orrery {

class FlowShares {
 public:
  virtual ~FlowShares() = default;

  // Sets the number of flows of a way. Rates follow with the next settle().
  virtual void set_flows(std::uint32_t way, std::uint32_t flows) = 0;
  virtual std::uint32_t flows(std::uint32_t way) const = 0;
  // Works out the rates from `now` on, in ns. Returns the ways with flows whose rate has changed. The span is
  // valid until the next call.
  virtual std::span<const std::uint32_t> settle(double now) = 0;
  // Returns the rate of each flow of a way, as settled last.
  virtual double rate(std::uint32_t way) const = 0;
};

}  // namespace orrery
