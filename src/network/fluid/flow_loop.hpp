// Runs flows that share links on an event loop.
#pragma once

#include <cstdint>
#include <vector>

#include "base/containers/numbered.hpp"
#include "base/units/bytes.hpp"
#include "events/event_loop.hpp"
#include "network/fluid/flow_progress.hpp"

namespace orrery::core {

class FlowLoop final : public EventHandler {
 public:
  // Keeps a reference. Requires a clock of picoseconds.
  explicit FlowLoop(EventLoop& loop) : loop_(loop), handler_(loop.add_handler(*this)) {
    flows_.call_while_settling([&loop] { loop.report(); });
  }

  // Returns the routes of flows, and how they share links.
  FlowProgress& flows() { return flows_; }
  const FlowProgress& flows() const { return flows_; }

  // Starts a flow now and dispatches `delivered` at a time `after_last_byte` after its last byte has left.
  // `alone` is how long all of it takes if nothing slows the flow; it is never faster. Returns the flow's
  // number until then. Flows of one route that start in the same instant do so in the order of `object` and
  // `extra` of `delivered`, whoever called first. So NPUs that do the same fare the same.
  std::uint32_t start(std::uint32_t route, Bytes bytes, Stamp alone, Stamp after_last_byte,
                      const Event& delivered);

  // Stops all flows, as FlowProgress does. The next two functions let one of them go on, perhaps on another
  // route, or end it, so that nothing is dispatched.
  std::vector<FlowProgress::Rest> stop_all();
  void go_on(std::uint32_t route, const FlowProgress::Rest& rest);
  void give_up(const FlowProgress::Rest& rest) { running_.take(rest.flow); }
  // Sets the capacity of a resource from now on.
  void set_capacity(std::uint32_t resource, double capacity);

  // Returns how many bytes the flows of a route that have been started still have to send now.
  double bytes_left(std::uint32_t route) const;
  // Says that finding a route has taken as long as many events.
  void found_route() { loop_.add_work(events_of_a_route); }
  // Tells the observer of the flows of everything until now.
  void tell_all();

  void handle(const Event& event) override;

 private:
  static constexpr std::int64_t events_of_a_route = 32;  // about
  enum What : std::uint16_t { settles, ends };
  struct Flow {
    Stamp sent, alone, after_last_byte;
    Event delivered;
  };

  struct Start {  // a start in this instant
    std::uint32_t route, object, extra, flow;
    Bytes bytes;
  };

  void start_waiting();
  void deliver_ended();
  void settle_soon();
  void wake_at_next_end();

  EventLoop& loop_;
  std::uint16_t handler_;
  FlowProgress flows_;
  Numbered<Flow> running_;
  std::vector<FlowProgress::End> ended_;
  std::vector<Start> starting_;
  bool settling_ = false;    // at the end of this instant
  std::uint32_t wakes_ = 0;  // number of the event that waits for the next end; earlier ones do not count
};

}  // namespace orrery::core
