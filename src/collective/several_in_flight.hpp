// Works out an exchange with several messages in flight, event by event for one group alone
// (docs/models/collectives.md, Exchange).
#pragma once

#include <functional>
#include <queue>
#include <span>
#include <vector>

#include "collective/phase_course.hpp"

namespace orrery {

class SeveralInFlight {
 public:
  explicit SeveralInFlight(const PhaseCourse& course);

  // Does what PhaseCourse::run() does.
  CourseOutcome run(std::span<const Stamp> starts, std::span<Stamp> ends);

 private:
  static constexpr Stamp not_yet = -1;
  enum class What : std::uint8_t { endpoint_passed, prepared, arrived };
  struct Event {
    Stamp at;
    std::uint64_t number;  // in order of scheduling
    std::uint32_t position;
    What what;
    Stamp reduction = 0;  // that follows when the endpoint is passed
    bool operator>(const Event& other) const {
      return at != other.at ? at > other.at : number > other.number;
    }
  };
  struct Member {
    std::uint64_t sent = 0, begun = 0, received = 0;
    std::uint32_t credit = 0;     // prepared, not yet sent
    Stamp turned_away = not_yet;  // last, by the gate
    Stamp gate_opened = not_yet;
  };

  void schedule(Stamp span, std::uint32_t position, What what, Stamp reduction = 0) {
    events_.push({course_.clock.add(now_, span), scheduled_++, position, what, reduction});
  }
  void begin(std::uint32_t x);
  void arrived(std::uint32_t x);
  void prepared(std::uint32_t x, Stamp& end);
  void send(std::uint32_t x, std::uint32_t most);
  void expect(std::uint32_t x, std::uint32_t source, std::uint64_t k);

  const PhaseCourse& course_;
  const ExchangeSchedule& schedule_;
  Stamp now_ = 0;
  std::uint64_t scheduled_ = 0;
  std::priority_queue<Event, std::vector<Event>, std::greater<>> events_;
  std::vector<Member> members_;
  std::vector<Stamp> sent_;  // [k * followed + x]: when position x has sent message k
  CourseOutcome outcome_;
};

}  // namespace orrery
