// Arithmetic of rates in whole bit/s, cut after every operation as in ns-3.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "network/packet/congestion/congestion_control.hpp"

namespace orrery {

inline std::uint64_t scaled_rate(std::uint64_t rate, double factor) {
  return static_cast<std::uint64_t>(static_cast<double>(rate) * factor);
}

// A congestion control remembers such a state of each flow, by its number.
template <class State>
class StateOfFlows {
 public:
  State& begin(const Sender& sender) {
    if (sender.number >= states_.size()) states_.resize(sender.number + 1);
    return states_[sender.number] = State();
  }
  State& operator[](const Sender& sender) { return states_[sender.number]; }

 private:
  std::vector<State> states_;
};

}  // namespace orrery
