// Keeps what a congestion control or a reliability remembers about each flow.
#pragma once

#include <cstdint>
#include <vector>

#include "network/packet/sender.hpp"

namespace orrery::core {

// Flows are known by their numbers, which other flows take when they have ended.
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

}  // namespace orrery::core
