// Says at which rates flows send while they come and go. Flows that use the same links form one way, which
// has a number. Routes whose flows send at one rate for the same reason have one *pace*, which has a number
// too, so that what happens to all of them is told once.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <utility>

namespace orrery::core {

class FlowShares {
 public:
  virtual ~FlowShares() = default;

  static constexpr std::uint32_t no_pace = 0xffffffff;
  struct Changes {
    std::span<const std::uint32_t> routes;  // those whose pace is another one, or that have none any more
    std::span<const std::uint32_t> paces;   // those whose rate is another one
  };

  // Sets the number of flows of a route. Rates follow with the next settle().
  virtual void set_flows(std::uint32_t route, std::uint32_t flows) = 0;
  virtual std::uint32_t flows(std::uint32_t route) const = 0;
  // Works out the rates from `now` on, in ns. What it returns is valid until the next call.
  virtual Changes settle(double now) = 0;
  // Returns the pace of a route, as settled last; none where it has no flows.
  virtual std::uint32_t pace(std::uint32_t route) const = 0;
  // Returns the rate of each flow of a pace, as settled last.
  virtual double rate_of_pace(std::uint32_t pace) const = 0;

  // Has the function called now and then while settle() works, which may take seconds. If it throws, the
  // shares are of no further use.
  void call_while_settling(std::function<void()> works) { works_ = std::move(works); }

 protected:
  // Is called as often as something is looked at.
  void works() {
    constexpr std::uint32_t looks_between_calls = 64;
    if (++looks_ % looks_between_calls == 0 && works_) works_();
  }

 private:
  std::function<void()> works_;
  std::uint32_t looks_ = 0;
};

}  // namespace orrery::core
