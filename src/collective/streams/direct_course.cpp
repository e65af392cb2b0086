#include "collective/streams/direct_course.hpp"

#include <algorithm>
#include <vector>

#include "collective/order_matters.hpp"

namespace orrery {

namespace {

// A round of messages to all peers: [k * n + x] is that of message k at position x.
class Round {
 public:
  explicit Round(const PhaseCourse& course)
      : course_(course),
        schedule_(std::get<ExchangeSchedule>(course.shape->schedule)),
        n_(course.members.size()),
        received_(std::size_t{schedule_.in_flight} * n_) {}

  // Message k of position x is sent, and its counterpart waited for, at sent(k, x).
  template <class Sent>
  void run(std::uint64_t first_message, const Sent& sent) {
    for (std::uint32_t k = 0; k < schedule_.in_flight; ++k) {
      const std::size_t kind = (first_message + k) % schedule_.steps.size();
      const auto& step = schedule_.steps[kind];
      for (std::uint32_t x = 0; x < n_; ++x) {
        const Time arrival = sent(k, course_.source(step, x)) + course_.latencies[kind * n_ + x];
        received_[x * std::size_t{schedule_.in_flight} + k] = std::max(sent(k, x), arrival);
      }
    }
  }
  std::span<Time> received(std::uint32_t x) {
    return std::span(received_).subspan(x * std::size_t{schedule_.in_flight}, schedule_.in_flight);
  }

 private:
  const PhaseCourse& course_;
  const ExchangeSchedule& schedule_;
  std::uint32_t n_;
  std::vector<Time> received_;  // position by position
};

}  // namespace

bool is_direct_course(const PhaseCourse& course) {
  const auto& schedule = std::get<ExchangeSchedule>(course.shape->schedule);
  const std::uint32_t at_once = schedule.in_flight;
  const bool twice = schedule.gate == at_once && schedule.messages == 2 * std::uint64_t{at_once};
  if (at_once + 1 != course.members.size() ||
      !(twice || (schedule.gate == 0 && schedule.messages == at_once)))
    return false;
  for (std::uint64_t k = 0; k < schedule.preparations(); ++k)
    if (course.reduction(k) != course.reduction(k / at_once * at_once)) return false;
  return true;
}

bool run_direct(const PhaseCourse& course, std::span<const Time> starts, std::span<Time> ends) {
  const auto& schedule = std::get<ExchangeSchedule>(course.shape->schedule);
  const std::uint32_t n = course.members.size(), at_once = schedule.in_flight;
  const auto prepared = [&](Time received, std::uint64_t first) {
    return received + course.endpoint_delay + course.reduction(first);
  };
  Round round(course);
  round.run(0, [&](std::uint32_t, std::uint32_t x) { return prepared(starts[x], 0); });
  if (schedule.gate > 0) {
    // Messages prepared while the gate is closed go out with the first preparation that ends after it has
    // opened.
    std::vector<Time> ready(std::size_t{n} * at_once);
    for (std::uint32_t x = 0; x < n; ++x) {
      const std::span<Time> received = round.received(x);
      std::ranges::sort(received);
      const Time opens = received.back();
      Time first = prepared(opens, at_once);
      for (std::uint32_t k = at_once; k-- > 0;) {
        const Time at = prepared(received[k], at_once);
        if (at == opens) throw OrderMatters("the second half of a direct all-reduce starts");
        if (at > opens) first = at;
      }
      // Else what the second half brings could let messages go before what the first half has brought does.
      if (prepared(first, schedule.messages) < prepared(opens, at_once)) return false;
      for (std::uint32_t k = 0; k < at_once; ++k)
        ready[std::size_t{x} * at_once + k] = std::max(first, prepared(received[k], at_once));
    }
    round.run(at_once, [&](std::uint32_t k, std::uint32_t x) { return ready[std::size_t{x} * at_once + k]; });
  }
  for (std::uint32_t x = 0; x < n; ++x)
    ends[x] = prepared(std::ranges::max(round.received(x)), schedule.messages);
  return true;
}

}  // namespace orrery
