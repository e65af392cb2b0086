#include "collective/timelines/direct_timing.hpp"

#include <algorithm>
#include <vector>

namespace orrery::core {

namespace {

// A round of messages to all peers.
class Round {
 public:
  explicit Round(const PhaseTiming& timing)
      : timing_(timing),
        schedule_(std::get<ExchangeSchedule>(timing.schedule)),
        received_(schedule_.in_flight * timing.followed) {}

  // Message k of position x is sent at sent(k, x), and its counterpart is waited for from then on. Returns
  // how long position 0 waits in all.
  template <class Sent>
  Stamp run(std::uint64_t first_message, const Sent& sent) {
    Stamp waited = 0;
    for (std::uint32_t k = 0; k < schedule_.in_flight; ++k) {
      const std::size_t kind = (first_message + k) % schedule_.steps.size();
      const std::uint32_t amount = schedule_.steps[kind].amount;
      for (std::uint32_t x = 0; x < timing_.followed; ++x) {
        const std::uint32_t source =
            timing_.alike ? 0 : ExchangeSchedule::sender(schedule_.peer, x, amount, timing_.members);
        received_[x * std::size_t{schedule_.in_flight} + k] =
            timing_.arrival(kind * timing_.followed + x, sent(k, source), sent(k, x));
      }
      waited += received_[k] - sent(k, 0);
    }
    return waited;
  }
  std::span<Stamp> received(std::uint32_t x) {
    return std::span(received_).subspan(x * std::size_t{schedule_.in_flight}, schedule_.in_flight);
  }

 private:
  const PhaseTiming& timing_;
  const ExchangeSchedule& schedule_;
  std::vector<Stamp> received_;  // position by position
};

}  // namespace

bool is_direct_timing(const PhaseTiming& timing) {
  const auto& schedule = std::get<ExchangeSchedule>(timing.schedule);
  const std::uint32_t at_once = schedule.in_flight;
  const bool twice = schedule.gate == at_once && schedule.messages == 2 * std::uint64_t{at_once};
  if (at_once + 1 != timing.members || !(twice || (schedule.gate == 0 && schedule.messages == at_once)))
    return false;
  for (std::uint64_t k = 0; k < schedule.preparations(); ++k)
    if (timing.reduction(k) != timing.reduction(k / at_once * at_once)) return false;
  return true;
}

std::optional<CourseOutcome> run_direct(const PhaseTiming& timing, std::span<const Stamp> starts,
                                        std::span<Stamp> ends) {
  const auto& schedule = std::get<ExchangeSchedule>(timing.schedule);
  const Clock& clock = timing.clock;
  const auto n = static_cast<std::uint32_t>(timing.followed);
  const std::size_t at_once = schedule.in_flight;
  const Stamp first_half = timing.preparation(0), second_half = timing.preparation(at_once),
              last = timing.preparation(schedule.messages);
  Round round(timing);
  Stamp waited =
      round.run(0, [&](std::uint32_t, std::uint32_t x) { return clock.add(starts[x], first_half); });
  if (schedule.gate > 0) {
    // Messages prepared while the gate is closed go out with the first preparation that ends after it has
    // opened.
    std::vector<Stamp> ready(n * at_once);
    for (std::uint32_t x = 0; x < n; ++x) {
      const std::span<Stamp> received = round.received(x);
      std::ranges::sort(received);
      const Stamp opens = received.back();
      Stamp first = clock.add(opens, second_half);
      for (std::size_t k = at_once; k-- > 0;) {
        const Stamp at = ready[x * at_once + k] = clock.add(received[k], second_half);
        if (at == opens) return std::nullopt;
        if (at > opens) first = at;
      }
      // If this did not hold, data that arrive for the second half could let messages go earlier than data
      // for the first half do.
      if (clock.add(first, last) < clock.add(opens, second_half)) return std::nullopt;
      for (std::size_t k = 0; k < at_once; ++k)
        ready[x * at_once + k] = std::max(first, ready[x * at_once + k]);
    }
    waited += round.run(at_once, [&](std::uint32_t k, std::uint32_t x) { return ready[x * at_once + k]; });
  }
  for (std::uint32_t x = 0; x < n; ++x) ends[x] = clock.add(std::ranges::max(round.received(x)), last);
  return CourseOutcome{Time::from_ps(waited)};
}

}  // namespace orrery::core
