// Sends flows when their time has come.
#pragma once

#include <cstdint>
#include <vector>

#include "events/event_loop.hpp"
#include "network/flows/flow.hpp"
#include "network/transport.hpp"

namespace orrery {

struct FlowTimes {
  Time start, end;  // the last byte has arrived
};

// Throws InputError where a flow names an NPU that is not there.
void check_ends(const std::vector<Flow>& flows, int npus);

class FlowSource final : public EventHandler {
 public:
  // Keeps references, and schedules the flows that wait for no others.
  FlowSource(const std::vector<Flow>& flows, EventLoop& loop, Transport& transport);

  // Returns how many flows have not ended.
  std::size_t left() const { return left_; }
  std::vector<FlowTimes> take_times() { return std::move(times_); }

  void handle(const Event& event) override;

 private:
  enum What : std::uint16_t { starts, delivered };

  void start(std::uint32_t number);

  const std::vector<Flow>& flows_;
  EventLoop& loop_;
  std::uint16_t handler_;
  Transport& transport_;
  std::size_t left_;
  std::vector<FlowTimes> times_;
  std::vector<std::size_t> missing_;                 // flows that have to end before, by flow
  std::vector<std::vector<std::uint32_t>> waiting_;  // flows, by the one that they wait for
};

}  // namespace orrery
