// Works out an exchange with several messages in flight, step by step for one group alone
// (docs/models/streams.md, Exchanges).
#pragma once

#include <queue>
#include <span>
#include <vector>

#include "collective/streams/phase_courses.hpp"

namespace orrery {

class ExchangeCourse {
 public:
  explicit ExchangeCourse(const PhaseCourse& course);

  // Does what PhaseCourses::run() does.
  void run(std::span<const Time> starts, std::span<Time> ends);

 private:
  static constexpr Time not_yet = Time::from_ps(-1);
  enum class What : std::uint8_t { prepared, received };
  struct Step {
    Time at;
    std::uint64_t number;  // in order of scheduling
    std::uint32_t position;
    What what;
    bool operator>(const Step& other) const { return at != other.at ? at > other.at : number > other.number; }
  };
  struct Member {
    std::uint64_t sends_left, begun = 0, received = 0;
    std::uint32_t credit = 0;
    Time turned_away = not_yet;  // last, by the gate
    Time gate_opened = not_yet;
  };

  void schedule(Time at, std::uint32_t position, What what) {
    steps_.push({at, scheduled_++, position, what});
  }
  void prepare(std::uint32_t x);
  void prepared(std::uint32_t x, Time& end);
  bool passes_gate(Member& member);
  bool send(std::uint32_t x);
  void received(std::uint32_t x);

  const PhaseCourse& course_;
  const ExchangeSchedule& schedule_;
  std::uint32_t size_;
  Time now_;
  std::uint64_t scheduled_ = 0;
  std::priority_queue<Step, std::vector<Step>, std::greater<>> steps_;
  std::vector<Member> members_;
  std::vector<Time> arrivals_;        // [k * size + x]: arrival of message k at position x
  std::vector<std::uint8_t> posted_;  // [k * size + x]: whether x waits for message k
};

}  // namespace orrery
