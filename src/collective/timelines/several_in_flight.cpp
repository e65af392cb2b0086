#include "collective/timelines/several_in_flight.hpp"

#include <algorithm>

namespace orrery::core {

struct SeveralInFlight::Port {
  SeveralInFlight& timing;
  std::uint32_t x;  // position

  void prepare(std::uint32_t k) const { timing.prepare(x, k); }
  void exchange(std::uint32_t k) const { timing.exchange(x, k); }
  void turned_away() const { timing.members_[x].turned_away = timing.now_; }
  bool opens_late() const { return timing.opens_late(x); }
  void ended() const { timing.ends_[x] = timing.now_; }
};

SeveralInFlight::SeveralInFlight(const PhaseTiming& timing)
    : timing_(timing),
      schedule_(std::get<ExchangeSchedule>(timing.schedule)),
      members_(timing.followed),
      sent_(schedule_.messages * timing.followed, not_yet) {}

CourseOutcome SeveralInFlight::run(std::span<const Stamp> starts, std::span<Stamp> ends) {
  ends_ = ends;
  for (std::uint32_t x = 0; x < members_.size(); ++x) {
    now_ = starts[x];
    members_[x].start(schedule_, Port{*this, x});
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
        prepared(event.position);
        break;
      case What::arrived:
        members_[event.position].arrived(schedule_, Port{*this, event.position});
        break;
    }
  }
  return outcome_;
}

// Data that is reduced passes the endpoint first, even if that takes no time, as in a simulation.
void SeveralInFlight::prepare(std::uint32_t x, std::uint32_t k) {
  const bool reduces = !timing_.reductions.empty() && schedule_.reducing(k);
  schedule(timing_.endpoint_delay, x, reduces ? What::endpoint_passed : What::prepared, timing_.reduction(k));
}

bool SeveralInFlight::opens_late(std::uint32_t x) {
  Member& member = members_[x];
  member.gate_opened = now_;
  if (member.turned_away != now_) return false;
  if (!timing_.gate_counts_whole_instant) outcome_.depends_on_order = true;
  return timing_.gate_counts_whole_instant;
}

void SeveralInFlight::prepared(std::uint32_t x) {
  Member& member = members_[x];
  if (member.sent() >= schedule_.ungated() && member.gate_opened == now_ &&
      !timing_.gate_counts_whole_instant)
    outcome_.depends_on_order = true;
  member.prepared(schedule_, Port{*this, x});
}

// Sends message k and awaits its counterpart.
void SeveralInFlight::exchange(std::uint32_t x, std::uint64_t k) {
  sent_[k * timing_.followed + x] = now_;
  if (timing_.alike) {
    expect(0, 0, k);
    return;
  }
  const std::uint32_t amount = schedule_.steps[k % schedule_.steps.size()].amount;
  const std::uint32_t to = ExchangeSchedule::receiver(schedule_.peer, x, amount, timing_.members);
  expect(to, x, k);
  expect(x, ExchangeSchedule::sender(schedule_.peer, x, amount, timing_.members), k);
}

// Lets message k arrive at position x as soon as the position awaits it and `source` has sent it.
void SeveralInFlight::expect(std::uint32_t x, std::uint32_t source, std::uint64_t k) {
  const Stamp ready = sent_[k * timing_.followed + source], awaited = sent_[k * timing_.followed + x];
  if (ready == not_yet || awaited == not_yet) return;
  const Stamp arrival = timing_.arrival(k % schedule_.steps.size() * timing_.followed + x, ready, awaited);
  schedule(arrival - now_, x, What::arrived);
  if (x == 0) outcome_.latency_sum += Time::from_ps(arrival - awaited);
}

}  // namespace orrery::core
