#include "collective/several_in_flight.hpp"

#include <algorithm>

namespace orrery {

SeveralInFlight::SeveralInFlight(const PhaseCourse& course)
    : course_(course),
      schedule_(std::get<ExchangeSchedule>(course.schedule)),
      members_(course.followed),
      sent_(schedule_.messages * course.followed, not_yet) {}

CourseOutcome SeveralInFlight::run(std::span<const Stamp> starts, std::span<Stamp> ends) {
  for (std::uint32_t x = 0; x < members_.size(); ++x) {
    now_ = starts[x];
    for (std::uint32_t i = 0; i < schedule_.in_flight; ++i) begin(x);
  }
  while (!events_.empty()) {
    const Event event = events_.top();
    events_.pop();
    now_ = event.at;
    switch (event.what) {
      case What::endpoint_passed:
        schedule(event.reduction, event.position, What::prepared);
        break;
      case What::prepared:
        prepared(event.position, ends[event.position]);
        break;
      case What::arrived:
        arrived(event.position);
        break;
    }
  }
  return outcome_;
}

// What is reduced passes the endpoint first, even if that takes no time, as in a simulation.
void SeveralInFlight::begin(std::uint32_t x) {
  const std::uint64_t k = members_[x].begun++;
  const bool reduces = !course_.reductions.empty() && schedule_.reducing(k);
  schedule(course_.endpoint_delay, x, reduces ? What::endpoint_passed : What::prepared, course_.reduction(k));
}

void SeveralInFlight::arrived(std::uint32_t x) {
  Member& member = members_[x];
  if (++member.received == schedule_.gate) {
    member.gate_opened = now_;
    if (member.turned_away == now_) {
      if (course_.gate_counts_whole_instant)
        send(x, schedule_.in_flight);
      else
        outcome_.depends_on_order = true;
    }
  }
  begin(x);
}

void SeveralInFlight::prepared(std::uint32_t x, Stamp& end) {
  Member& member = members_[x];
  ++member.credit;
  const bool behind_gate = member.sent + schedule_.gate >= schedule_.messages;
  if (behind_gate && member.received < schedule_.gate) {
    member.turned_away = now_;
    return;
  }
  if (behind_gate && member.gate_opened == now_ && !course_.gate_counts_whole_instant)
    outcome_.depends_on_order = true;
  send(x, behind_gate ? schedule_.in_flight : 1);
  if (member.sent == schedule_.messages && member.credit == schedule_.in_flight) end = now_;
}

// Sends up to so many of the messages that are prepared, and awaits their counterparts.
void SeveralInFlight::send(std::uint32_t x, std::uint32_t most) {
  Member& member = members_[x];
  for (; most > 0 && member.credit > 0 && member.sent < schedule_.messages; --most) {
    const std::uint64_t k = member.sent++;
    --member.credit;
    sent_[k * course_.followed + x] = now_;
    if (course_.alike) {
      expect(0, 0, k);
      continue;
    }
    const std::uint32_t amount = schedule_.steps[k % schedule_.steps.size()].amount;
    const std::uint32_t to = ExchangeSchedule::receiver(schedule_.peer, x, amount, course_.members);
    expect(to, x, k);
    expect(x, ExchangeSchedule::sender(schedule_.peer, x, amount, course_.members), k);
  }
}

// Message k arrives at position x once that awaits it, and `source` has sent it.
void SeveralInFlight::expect(std::uint32_t x, std::uint32_t source, std::uint64_t k) {
  const Stamp ready = sent_[k * course_.followed + source], awaited = sent_[k * course_.followed + x];
  if (ready == not_yet || awaited == not_yet) return;
  const Stamp arrival = course_.arrival(k % schedule_.steps.size() * course_.followed + x, ready, awaited);
  schedule(arrival - now_, x, What::arrived);
  if (x == 0) outcome_.latency_sum += Time::from_ps(arrival - awaited);
}

}  // namespace orrery
