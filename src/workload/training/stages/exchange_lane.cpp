#include "workload/training/stages/exchange_lane.hpp"

#include <algorithm>
#include <limits>

namespace orrery::core {

std::size_t ExchangeLane::add(Time begin, Time alone) {
  collectives_.push_back({begin, alone, {}});
  return collectives_.size() - 1;
}

ExchangeLane::Next ExchangeLane::next() const {
  const std::optional<Endpoint::End> end = endpoint_.next();
  Time at = end ? end->at : Time::from_ps(std::numeric_limits<std::int64_t>::max());
  if (next_ == collectives_.size() || state_ == State::is_late) return {at, end};
  const Collective& one = collectives_[next_];
  const Time changes = state_ == State::waits ? one.begin : one.begin + one.alone;
  return changes < at ? Next{changes, std::nullopt} : Next{at, end};
}

void ExchangeLane::end_collective(Time now) {
  state_ = State::waits;
  collectives_[next_++].end = now;
  if (next_ == collectives_.size()) return;
  Time& begin = collectives_[next_].begin;
  begin = std::max(begin, now);
}

bool ExchangeLane::go_on(const Next& next) {
  if (next.end) {
    endpoint_.end(*next.end);
    if (!next.end->computation) end_collective(next.at);
    return next.end->computation;
  }
  const auto id = static_cast<Endpoint::Id>(next_);
  if (state_ == State::waits) {
    state_ = State::is_under_way;
    endpoint_.join(next.at, id);
  } else if (endpoint_.arrive(next.at, id)) {
    end_collective(next.at);
  } else {
    state_ = State::is_late;
  }
  return false;
}

Time ExchangeLane::compute(Time begin, Time alone, const Contention& contention) {
  if (next_ == collectives_.size() || alone == Time()) return begin + alone;
  for (Next one = next(); one.at <= begin; one = next()) go_on(one);
  constexpr Endpoint::Id id = 0;  // there is one computation at a time
  endpoint_.compute(begin, id, alone, contention);
  for (;;) {
    const Next one = next();
    if (go_on(one)) return one.at;
  }
}

Time ExchangeLane::end_of(std::size_t number) {
  while (next_ <= number) go_on(next());
  return collectives_[number].end;
}

}  // namespace orrery::core
