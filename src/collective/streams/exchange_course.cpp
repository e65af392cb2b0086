#include "collective/streams/exchange_course.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "collective/order_matters.hpp"

namespace orrery {

ExchangeCourse::ExchangeCourse(const PhaseCourse& course)
    : course_(course),
      schedule_(std::get<ExchangeSchedule>(course.shape->schedule)),
      size_(course.members.size()),
      members_(size_, Member{schedule_.messages}),
      arrivals_(schedule_.messages * size_, not_yet),
      posted_(schedule_.messages * size_) {}

void ExchangeCourse::run(std::span<const Time> starts, std::span<Time> ends) {
  for (std::uint32_t x = 0; x < size_; ++x) {
    now_ = starts[x];
    for (std::uint32_t i = 0; i < schedule_.in_flight; ++i) prepare(x);
  }
  while (!steps_.empty()) {
    const Step step = steps_.top();
    steps_.pop();
    now_ = step.at;
    if (step.what == What::prepared) {
      prepared(step.position, ends[step.position]);
    } else {
      received(step.position);
    }
  }
}

void ExchangeCourse::prepare(std::uint32_t x) {
  schedule(now_ + course_.endpoint_delay + course_.reduction(members_[x].begun++), x, What::prepared);
}

// Returns whether the member's preparation passes the gate. If it ends in the instant in which the gate
// opens, only a simulation of every message knows: throws OrderMatters.
bool ExchangeCourse::passes_gate(Member& member) {
  const bool opens_now = member.gate_opened == now_;
  if (member.received < schedule_.gate) {
    member.turned_away = now_;
    return false;
  }
  if (opens_now) throw OrderMatters("the second half of a direct all-reduce starts");
  return true;
}

void ExchangeCourse::prepared(std::uint32_t x, Time& end) {
  Member& member = members_[x];
  ++member.credit;
  std::uint32_t tries = 1;
  if (schedule_.gate > 0 && member.sends_left <= schedule_.gate) {
    if (!passes_gate(member)) return;
    tries = schedule_.in_flight;
  }
  while (tries-- > 0 && send(x)) {
  }
  if (member.sends_left == 0 && member.credit == schedule_.in_flight) end = now_;
}

bool ExchangeCourse::send(std::uint32_t x) {
  Member& member = members_[x];
  const std::uint64_t k = schedule_.messages - member.sends_left;
  if (member.sends_left == 0 || member.credit == 0 || k >= member.begun) return false;
  --member.sends_left;
  --member.credit;
  const std::size_t kind = k % schedule_.steps.size();
  const std::uint32_t amount = schedule_.steps[kind].amount;
  const std::uint32_t peer = ExchangeSchedule::receiver(schedule_.peer, x, amount, size_);
  Time& arrival = arrivals_[k * size_ + peer];
  arrival = now_ + course_.latencies[kind * size_ + peer];
  if (posted_[k * size_ + peer] != 0) schedule(arrival, peer, What::received);
  posted_[k * size_ + x] = 1;
  const Time own = arrivals_[k * size_ + x];
  if (own != not_yet) schedule(std::max(own, now_), x, What::received);
  return true;
}

void ExchangeCourse::received(std::uint32_t x) {
  Member& member = members_[x];
  if (++member.received == schedule_.gate) {
    member.gate_opened = now_;
    if (member.turned_away == now_) throw OrderMatters("the second half of a direct all-reduce starts");
  }
  prepare(x);
}

}  // namespace orrery
