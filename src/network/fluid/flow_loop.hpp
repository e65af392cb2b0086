// Runs flows that share links on an event loop.
#pragma once

#include <cstdint>
#include <vector>

#include "base/bytes.hpp"
#include "base/numbered.hpp"
#include "events/event_loop.hpp"
#include "network/fluid/flow_progress.hpp"

namespace orrery {

class FlowLoop final : public EventHandler {
 public:
  // Keeps a reference. Requires a clock of picoseconds.
  explicit FlowLoop(EventLoop& loop) : loop_(loop), handler_(loop.add_handler(*this)) {}

  // The ways of flows, and how they share.
  FlowProgress& flows() { return flows_; }
  const FlowProgress& flows() const { return flows_; }

  // Starts a flow now and dispatches `delivered` that much after its last byte has left. `alone` is how long
  // all of it takes if nothing slows the flow.
  void start(std::uint32_t way, Bytes bytes, Stamp alone, Stamp after_last_byte, const Event& delivered);

  void handle(const Event& event) override;

 private:
  enum What : std::uint16_t { settles, ends };
  struct Flow {
    Stamp sent, alone, after_last_byte;
    Event delivered;
  };

  void deliver_ended();
  void settle_soon();
  void wake_at_next_end();

  EventLoop& loop_;
  std::uint16_t handler_;
  FlowProgress flows_;
  Numbered<Flow> running_;
  std::vector<FlowProgress::End> ended_;
  bool settling_ = false;    // at the end of this instant
  std::uint32_t wakes_ = 0;  // number of the event that waits for the next end; earlier ones do not count
};

}  // namespace orrery
