// Sends flows when their time has come.
#pragma once

#include <cstdint>
#include <vector>

#include "events/event_loop.hpp"
#include "network/flows/flow.hpp"
#include "network/network_model.hpp"

namespace orrery::core {

struct FlowTimes {
  Time start, end;                   // time at which the last byte has arrived
  std::optional<Time> acknowledged;  // time at which the sender knew of it; none: the network does not say
  MessageFacts facts = {};
};

// Throws InputError where a flow names an NPU that does not exist.
void check_ends(const std::vector<Flow>& flows, int npus);

// Throws InputError where flows have different priorities, and the network model makes no difference between
// them.
void check_priorities(const std::vector<Flow>& flows, const Topology& topology, NetworkModel model);

class FlowSource final : public EventHandler {
 public:
  // Keeps references, and schedules the flows that wait for no others.
  FlowSource(const std::vector<Flow>& flows, EventLoop& loop, Transport& transport);

  // Returns how many flows have not ended, or have not been acknowledged where the network acknowledges
  // messages.
  std::size_t left() const { return left_; }
  // Throws StallError if flows are left when nothing more will happen.
  void require_end() const;
  std::vector<FlowTimes> take_times() { return std::move(times_); }
  // Returns the flows in the order in which they ended or were acknowledged.
  std::vector<std::uint32_t> take_order() { return std::move(order_); }

  void handle(const Event& event) override;

 private:
  enum What : std::uint16_t { starts, delivered, acknowledged };

  void start(std::uint32_t number);
  void conclude(std::uint32_t number);

  const std::vector<Flow>& flows_;
  EventLoop& loop_;
  std::uint16_t handler_;
  Transport& transport_;
  std::size_t left_;
  std::vector<FlowTimes> times_;
  bool acknowledges_;
  std::vector<bool> ended_;  // by flow
  std::vector<std::uint32_t> order_;
  std::vector<std::size_t> missing_;                 // number of flows that have to end before, by flow
  std::vector<std::vector<std::uint32_t>> waiting_;  // flows, by the flow that they wait for
};

}  // namespace orrery::core
