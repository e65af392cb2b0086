#include "network/fluid/flow_loop.hpp"

#include <algorithm>
#include <tuple>

namespace orrery::core {
namespace {

double ns_of(Stamp instant) {
  return static_cast<double>(instant) / 1000;
}

}  // namespace

std::uint32_t FlowLoop::start(std::uint32_t route, Bytes bytes, Stamp alone, Stamp after_last_byte,
                              const Event& delivered) {
  const std::uint32_t flow = running_.keep({loop_.now(), alone, after_last_byte, delivered});
  starting_.push_back({route, delivered.object, delivered.extra, flow, bytes});
  settle_soon();
  return flow;
}

void FlowLoop::start_waiting() {
  std::ranges::stable_sort(starting_, {},
                           [](const Start& one) { return std::tuple(one.route, one.object, one.extra); });
  for (const Start& one : starting_)
    flows_.start(one.route, one.flow, one.bytes.as_double(), ns_of(loop_.now()));
  starting_.clear();
}

std::vector<FlowProgress::Rest> FlowLoop::stop_all() {
  deliver_ended();
  start_waiting();
  return flows_.stop_all(ns_of(loop_.now()));
}

void FlowLoop::go_on(std::uint32_t route, const FlowProgress::Rest& rest) {
  flows_.start(route, rest.flow, rest.bytes, ns_of(loop_.now()));
  settle_soon();
}

void FlowLoop::set_capacity(std::uint32_t resource, double capacity) {
  deliver_ended();
  flows_.set_capacity(resource, capacity);
  settle_soon();
}

double FlowLoop::bytes_left(std::uint32_t route) const {
  double left = flows_.bytes_left_of_all(route, ns_of(loop_.now()));
  for (const Start& one : starting_)
    if (one.route == route) left += one.bytes.as_double();
  return left;
}

void FlowLoop::tell_all() {
  flows_.tell_all(ns_of(loop_.now()));
}

// Lets all flows that begin or end in one instant change the rates only once.
void FlowLoop::settle_soon() {
  if (settling_) return;
  settling_ = true;
  loop_.at_end_of_instant(Event{handler_, settles, 0, 0, 0});
}

void FlowLoop::handle(const Event& event) {
  if (event.what == ends) {
    if (event.object == wakes_) settle_soon();
    return;
  }
  settling_ = false;
  deliver_ended();
  start_waiting();
  flows_.settle(ns_of(loop_.now()));
  wake_at_next_end();
}

// Flows end at times that are no whole picoseconds. Flows that would end within half a picosecond from now
// count as ended.
void FlowLoop::deliver_ended() {
  const double until = ns_of(loop_.now()) + 0.0005;
  if (flows_.next_end() > until) return;
  flows_.advance(until, ended_);
  for (const FlowProgress::End& end : ended_) {
    const Flow flow = running_.take(end.flow);
    const Stamp if_alone = loop_.clock().add(flow.sent, flow.alone);
    const Stamp at = loop_.clock().add(Clock::instant_of_ns(end.at), flow.after_last_byte);
    // One picosecond more is a matter of rounding.
    loop_.at(std::max(loop_.now(), at <= if_alone + 1 ? if_alone : at), flow.delivered);
  }
  ended_.clear();
}

void FlowLoop::wake_at_next_end() {
  const double end = flows_.next_end();
  ++wakes_;
  if (end == FlowProgress::never) return;
  loop_.at(std::max(loop_.now(), Clock::instant_of_ns(end)), Event{handler_, ends, 0, wakes_, 0});
}

}  // namespace orrery::core
