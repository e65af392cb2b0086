#include "collective/lone_member.hpp"

#include <functional>
#include <queue>

namespace orrery {

namespace {

// One member of a group in which all do the same: what it sends at some time, it receives in the same way.
class LoneMember {
 public:
  LoneMember(const PhaseShape& shape, const StepTimes& times, const SystemConfig& system,
             const Dialect& dialect, const Clock& clock)
      : shape_(shape),
        schedule_(std::get<ExchangeSchedule>(shape.schedule)),
        times_(times),
        system_(system),
        gate_counts_whole_instant_(dialect.gate_counts_whole_instant),
        clock_(clock) {}

  void run(PhaseTimeline& timeline) {
    schedule_.in_flight == 1 ? exchange_one_at_a_time(timeline) : exchange_several(timeline);
    timeline.received.messages = schedule_.messages;
  }

 private:
  enum class What : std::uint8_t { arrived, endpoint_passed, prepared };
  struct Pending {
    Stamp at;
    std::uint64_t number;  // in order of scheduling
    What what;
    std::uint64_t index;
    bool operator>(const Pending& other) const {
      return at != other.at ? at > other.at : number > other.number;
    }
  };

  Stamp arrival(std::uint64_t index, Stamp sent) const {
    const std::size_t step = times_.of(index);
    if (system_.rendezvous) sent = clock_.add(sent, times_.handshake[step]);
    return clock_.add(sent, times_.message[step]);
  }
  Stamp after(Stamp now, Time delay) const { return clock_.add(now, clock_.span(delay)); }

  void exchange_one_at_a_time(PhaseTimeline& timeline) {
    const std::uint64_t messages = schedule_.messages;
    Stamp now = 0;
    for (std::uint64_t k = messages_alike_in_front(timeline, now);; ++k) {
      now = after(now, system_.endpoint_delay);
      if (shape_.reduces(schedule_, k)) now = after(now, shape_.reduction(k));
      if (k == messages) break;
      const Stamp sent = now;
      now = arrival(k, sent);
      timeline.received.latency_sum += clock_.time(now - sent);
    }
    timeline.ends = {now};
  }

  // If all messages take equally long, all but the last need not be looked at one by one. Moves `now` to the
  // arrival of the last of these, and returns how many they are.
  std::uint64_t messages_alike_in_front(PhaseTimeline& timeline, Stamp& now) const {
    if (times_.message.size() > 1 || shape_.reductions.size() > 1) return 0;
    const std::uint64_t count = schedule_.messages - 1;
    const Stamp latency = arrival(0, 0);
    timeline.received.latency_sum = clock_.time(clock_.times(latency, count));
    now = clock_.times(after(latency, system_.endpoint_delay), count);
    if (!shape_.reductions.empty()) {
      const Stamp reduction = clock_.span(shape_.reduction(0));
      now = clock_.add(now, clock_.times(reduction, schedule_.reducing_among_first(count)));
    }
    return count;
  }

  void schedule(Stamp at, What what, std::uint64_t index) { pending_.push({at, scheduled_++, what, index}); }

  // These are the rules of exchange_phase.cpp, followed for one member.
  void exchange_several(PhaseTimeline& timeline) {
    sends_left_ = schedule_.messages;
    for (std::uint32_t i = 0; i < schedule_.in_flight; ++i) begin();
    while (!ended_) {
      const Pending next = pending_.top();
      pending_.pop();
      now_ = next.at;
      if (next.what == What::arrived) {
        timeline.received.latency_sum += clock_.time(now_ - sent_at_[next.index]);
        on_arrived();
      } else if (next.what == What::endpoint_passed && shape_.reduces(schedule_, next.index)) {
        schedule(after(now_, shape_.reduction(next.index)), What::prepared, next.index);
      } else {
        on_prepared();
      }
    }
    timeline.depends_on_order = tied_ && !gate_counts_whole_instant_;
    timeline.ends = {now_};
  }

  void begin() { schedule(after(now_, system_.endpoint_delay), What::endpoint_passed, begun_++); }

  void on_arrived() {
    if (++received_ == schedule_.gate) {
      gate_opened_ = now_;
      tied_ = tied_ || blocked_ == now_;
      if (blocked_ == now_ && gate_counts_whole_instant_) send(schedule_.in_flight);
    }
    begin();
  }

  void on_prepared() {
    ++credit_;
    std::uint32_t tries = 1;
    if (sends_left_ <= schedule_.gate) {
      if (received_ < schedule_.gate) {
        blocked_ = now_;
        return;
      }
      tied_ = tied_ || gate_opened_ == now_;
      tries = schedule_.in_flight;
    }
    send(tries);
    ended_ = sends_left_ == 0 && credit_ == schedule_.in_flight;
  }

  void send(std::uint32_t tries) {
    for (; tries > 0; --tries) {
      const std::uint64_t index = schedule_.messages - sends_left_;
      if (sends_left_ == 0 || credit_ == 0 || index >= begun_) return;
      sent_at_.push_back(now_);
      schedule(arrival(index, now_), What::arrived, index);
      --sends_left_;
      --credit_;
    }
  }

  const PhaseShape& shape_;
  const ExchangeSchedule& schedule_;
  const StepTimes& times_;
  const SystemConfig& system_;
  bool gate_counts_whole_instant_;
  const Clock& clock_;

  std::priority_queue<Pending, std::vector<Pending>, std::greater<>> pending_;
  std::uint64_t scheduled_ = 0;
  Stamp now_ = 0, blocked_ = -1, gate_opened_ = -1;
  std::uint64_t sends_left_ = 0, begun_ = 0, received_ = 0;
  std::uint32_t credit_ = 0;
  std::vector<Stamp> sent_at_;  // by message
  bool tied_ = false, ended_ = false;
};

}  // namespace

void follow_lone_member(const PhaseShape& shape, const StepTimes& times, const SystemConfig& system,
                        const Dialect& dialect, const Clock& clock, PhaseTimeline& timeline) {
  LoneMember(shape, times, system, dialect, clock).run(timeline);
}

}  // namespace orrery
