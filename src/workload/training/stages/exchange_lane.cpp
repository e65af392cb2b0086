#include "workload/training/stages/exchange_lane.hpp"

#include <algorithm>
#include <limits>

namespace orrery::core {

std::size_t ExchangeLane::add(Time begin, Time alone) {
  collectives_.push_back({begin, alone, {}});
  return collectives_.size() - 1;
}

Time ExchangeLane::next_time() const {
  Time next = Time::from_ps(std::numeric_limits<std::int64_t>::max());
  if (const auto end = endpoint_.next()) next = end->at;
  if (next_ == collectives_.size() || state_ == State::is_late) return next;
  const Collective& one = collectives_[next_];
  return std::min(next, state_ == State::waits ? one.begin : one.begin + one.alone);
}

void ExchangeLane::end_collective(Time now) {
  state_ = State::waits;
  collectives_[next_++].end = now;
  if (next_ == collectives_.size()) return;
  Time& begin = collectives_[next_].begin;
  begin = std::max(begin, now);
}

bool ExchangeLane::go_on(Time now) {
  if (const auto end = endpoint_.next(); end && end->at == now) {
    endpoint_.end(*end);
    if (!end->computation) end_collective(now);
    return end->computation;
  }
  const auto id = static_cast<Endpoint::Id>(next_);
  if (state_ == State::waits) {
    state_ = State::is_under_way;
    endpoint_.join(now, id);
  } else if (endpoint_.arrive(now, id)) {
    end_collective(now);
  } else {
    state_ = State::is_late;
  }
  return false;
}

Time ExchangeLane::compute(Time begin, Time alone, const Contention& contention) {
  if (next_ == collectives_.size() || alone == Time()) return begin + alone;
  while (next_time() <= begin) go_on(next_time());
  constexpr Endpoint::Id id = 0;  // there is one computation at a time
  endpoint_.compute(begin, id, alone, contention);
  for (;;) {
    const Time now = next_time();
    if (go_on(now)) return now;
  }
}

Time ExchangeLane::end_of(std::size_t number) {
  while (next_ <= number) go_on(next_time());
  return collectives_[number].end;
}

}  // namespace orrery::core
