// Adds up what the phases of a collective cost one of its members.
#pragma once

#include <functional>

#include "collective/algorithms/schedule.hpp"
#include "simulate/collectives/exchange_cost.hpp"

namespace orrery::core {

class PhaseCostSum {
 public:
  // Says whose time counts for links: that of the slowest link on each message's way, or that of the busiest
  // link of each phase, which add_busiest_link() tells.
  enum class Links { of_messages, of_phases };
  // Keeps a reference. Each message takes the delay of the endpoint in addition.
  PhaseCostSum(MessageCosts& messages, Time endpoint_delay, Links links)
      : messages_(messages), endpoint_delay_(endpoint_delay), links_(links) {
    cost_.phases = 0;
  }

  // The following functions add a phase each. After those of a chunk, end_chunk() has to be called.
  //
  // An exchange of the member on `npu`. `to` says which NPU is at the other end of a step.
  using Peer = std::function<int(const ExchangeSchedule::Step&)>;
  void add(const ExchangeSchedule& exchange, int npu, const Peer& to);
  // A tree, of which this is the mean over its members.
  void add(const TreeSchedule& tree);
  void add(const MemberProgram& program);
  // A phase in which each member does something else.
  void add_unknown() { ++phases_of_chunk_; }

  void add_busiest_link(Time busy) { cost_.links = cost_.links.value_or(Seconds()) + Seconds::of(busy); }
  void end_chunk();

  // Returns the sum, but for the algorithm and the dimension.
  ExchangeCost sum() const;

 private:
  MessageCosts& messages_;
  const Time endpoint_delay_;
  const Links links_;
  ExchangeCost cost_;
  std::uint64_t phases_of_chunk_ = 0;
};

}  // namespace orrery::core
