// Works out an exchange with several messages in flight, event by event for one group alone
// (docs/models/collectives.md, Exchange).
#pragma once

#include <functional>
#include <queue>
#include <span>
#include <vector>

#include "collective/phase/exchange_member.hpp"
#include "collective/timelines/phase_timing.hpp"

namespace orrery::core {

class SeveralInFlight {
 public:
  explicit SeveralInFlight(const PhaseTiming& timing);

  // Does the same as PhaseTiming::run().
  CourseOutcome run(std::span<const Stamp> starts, std::span<Stamp> ends);

 private:
  static constexpr Stamp not_yet = -1;
  enum class What : std::uint8_t { endpoint_passed, prepared, arrived };
  struct Event {
    Stamp at;
    std::uint64_t number;  // in order of scheduling
    std::uint32_t position;
    What what;
    Stamp reduction = 0;  // time of the reduction that follows when the endpoint is passed
    bool operator>(const Event& other) const {
      return at != other.at ? at > other.at : number > other.number;
    }
  };
  struct Member : ExchangeMember {
    Stamp turned_away = not_yet;  // when the gate turned it away last
    Stamp gate_opened = not_yet;
  };
  struct Port;  // port of a member

  void schedule(Stamp span, std::uint32_t position, What what, Stamp reduction = 0) {
    events_.push({timing_.clock.add(now_, span), scheduled_++, position, what, reduction});
  }
  void prepare(std::uint32_t x, std::uint32_t k);
  void prepared(std::uint32_t x);
  void exchange(std::uint32_t x, std::uint64_t k);
  bool opens_late(std::uint32_t x);
  void expect(std::uint32_t x, std::uint32_t source, std::uint64_t k);

  const PhaseTiming& timing_;
  const ExchangeSchedule& schedule_;
  Stamp now_ = 0;
  std::uint64_t scheduled_ = 0;
  std::priority_queue<Event, std::vector<Event>, std::greater<>> events_;
  std::vector<Member> members_;
  std::vector<Stamp> sent_;  // [k * followed + x]: when position x has sent message k
  std::span<Stamp> ends_;
  CourseOutcome outcome_;
};

}  // namespace orrery::core
