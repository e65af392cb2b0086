#include "collective/phase_timeline.hpp"

#include <algorithm>
#include <functional>
#include <queue>

#include "collective/handshake.hpp"
#include "collective/message_engine.hpp"

namespace orrery {

namespace {

// What a message of each step takes, for a group in which that does not depend on the member.
struct StepTimes {
  std::vector<Stamp> message, handshake;
  std::vector<Bytes> bytes;

  std::size_t of(std::uint64_t index) const { return message.size() == 1 ? 0 : index % message.size(); }
};

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
      const bool reduces = shape_.reduces(schedule_, k);
      if (reduces) now = after(now, shape_.reduction(k));
      if (k == messages) {
        timeline.last.reduces = reduces;
        if (reduces) timeline.last.reduction = shape_.reduction(k);
        break;
      }
      timeline.last.sent = now;
      now = arrival(k, now);
      timeline.last.arrived = now;
      timeline.received.latency_sum += clock_.time(now - timeline.last.sent);
    }
    timeline.last.known = true;
    timeline.ends = {now};
  }

  // Where all messages take equally long, all but the last need not be looked at one by one. Moves `now` to
  // the arrival of the last of these, and returns how many they are.
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

  // The machine of exchange_phase.cpp, for one member. (spec: system layer, sections 3.2 and 3.3)
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

// A group as a machine of its own: member y is NPU y.
class GroupNetwork final : public ContentionFreeNetwork {
 public:
  GroupNetwork(const ContentionFreeNetwork& network, int base, int stride)
      : network_(network), base_(base), stride_(stride) {}

  Stamp duration(int source, int destination, Bytes bytes) const override {
    return network_.duration(npu(source), npu(destination), bytes);
  }
  int carrying_dimension(int source, int destination) const override {
    return network_.carrying_dimension(npu(source), npu(destination));
  }
  bool is_uniform(const LogicalDimension&) const override { return false; }
  bool has_slow_links(const LogicalDimension&) const override { return false; }
  bool has_slow_links(const LogicalDimension&, int) const override { return false; }

 private:
  int npu(int member) const { return base_ + member * stride_; }

  const ContentionFreeNetwork& network_;
  int base_, stride_;
};

class EndCollector final : public PhaseListener {
 public:
  EndCollector(const EventLoop& loop, int members) : loop_(loop), ends_(static_cast<std::size_t>(members)) {}
  void phase_ended(std::uint32_t rank, std::uint32_t) override { ends_[rank] = loop_.now(); }
  std::vector<Stamp> take() { return std::move(ends_); }

 private:
  const EventLoop& loop_;
  std::vector<Stamp> ends_;
};

}  // namespace

PhaseTimelines::PhaseTimelines(const SystemConfig& system, const Dialect& dialect,
                               const ContentionFreeNetwork& network, const Clock& clock, int npus,
                               int topology_dimensions)
    : system_(system),
      dialect_(dialect),
      network_(network),
      clock_(clock),
      npus_(npus),
      topology_dimensions_(topology_dimensions) {}

const PhaseTimeline& PhaseTimelines::of(const PhaseShape& shape, int base) {
  const bool slow = network_.has_slow_links(shape.group, base);
  // Groups without slow links are alike.
  const int kind = slow ? base : -1;
  const auto found = timelines_.find({&shape, kind});
  if (found != timelines_.end()) return found->second;
  const bool exchange = std::holds_alternative<ExchangeSchedule>(shape.schedule);
  const bool alike = exchange && !slow && network_.is_uniform(shape.group);
  PhaseTimeline timeline = alike ? of_alike_members(shape, base) : of_group(shape, base);
  timeline.course = course_of(shape);
  timeline.latest = *std::max_element(timeline.ends.begin(), timeline.ends.end());
  return timelines_.emplace(std::pair(&shape, kind), std::move(timeline)).first->second;
}

Stamp PhaseTimelines::latest_of_all_groups(const PhaseShape& shape) {
  const auto found = latest_.find(&shape);
  if (found != latest_.end()) return found->second;
  Stamp latest = of(shape, 0).latest;
  if (network_.has_slow_links(shape.group)) {
    for (int npu = 0; npu < npus_; ++npu) {
      if (shape.group.position(npu) == 0) latest = std::max(latest, of(shape, npu).latest);
    }
  }
  return latest_[&shape] = latest;
}

std::uint32_t PhaseTimelines::course_of(const PhaseShape& shape) {
  const LogicalDimension& group = shape.group;
  std::vector<std::int64_t> course{group.stride, group.size};
  const auto add_messages = [&](int position, int peer, Bytes bytes) {
    for (int base = 0; base < npus_; ++base) {
      if (group.position(base) != 0) continue;
      course.push_back(network_.duration(base + position * group.stride, base + peer * group.stride, bytes));
      if (!network_.has_slow_links(group)) return;
    }
  };
  if (const auto* exchange = std::get_if<ExchangeSchedule>(&shape.schedule)) {
    course.insert(course.end(),
                  {static_cast<std::int64_t>(exchange->peer), exchange->in_flight,
                   static_cast<std::int64_t>(exchange->messages), exchange->gate, exchange->fresh,
                   exchange->relayed, static_cast<std::int64_t>(exchange->kind)});
    const int senders = network_.is_uniform(group) && !network_.has_slow_links(group) ? 1 : group.size;
    for (const auto& step : exchange->steps) {
      course.push_back(step.amount);
      const auto amount = static_cast<int>(step.amount);
      for (int position = 0; position < senders && amount < group.size; ++position) {
        const bool shift = exchange->peer == ExchangeSchedule::Peer::shift;
        add_messages(position, shift ? (position + amount) % group.size : position ^ amount, step.bytes);
      }
    }
  } else {
    const auto& tree = std::get<TreeSchedule>(shape.schedule);
    for (int position = 0; position < group.size; ++position) {
      const std::int32_t parent = tree.nodes[position].parent;
      course.push_back(parent);
      if (parent != TreeSchedule::none) add_messages(position, parent, tree.bytes);
    }
  }
  for (Time reduction : shape.reductions) course.push_back(reduction.ps());
  return courses_.emplace(std::move(course), static_cast<std::uint32_t>(courses_.size())).first->second;
}

PhaseTimeline PhaseTimelines::of_alike_members(const PhaseShape& shape, int base) const {
  const auto& schedule = std::get<ExchangeSchedule>(shape.schedule);
  StepTimes times;
  PhaseTimeline timeline;
  timeline.payload.resize(static_cast<std::size_t>(topology_dimensions_));
  for (const auto& step : schedule.steps) {
    const auto n = static_cast<std::uint32_t>(shape.group.size);
    // The last step of halving and doubling only ends it.
    const int peer = base + (step.amount < n ? static_cast<int>(step.amount) * shape.group.stride : 0);
    times.message.push_back(network_.duration(base, peer, step.bytes));
    times.handshake.push_back(system_.rendezvous ? network_.duration(peer, base, handshake_bytes) : Stamp());
    times.bytes.push_back(step.bytes);
  }
  Bytes& payload = timeline.payload[shape.group.physical];
  const std::uint64_t rounds = schedule.messages / times.bytes.size();
  for (std::size_t i = 0; i < times.bytes.size(); ++i)
    payload += times.bytes[i] * (rounds + (i < schedule.messages % times.bytes.size()));
  if (system_.rendezvous) payload += handshake_bytes * schedule.messages;
  timeline.messages =
      schedule.messages * static_cast<std::uint64_t>(shape.group.size) * (system_.rendezvous ? 2 : 1);
  LoneMember(shape, times, system_, dialect_, clock_).run(timeline);
  return timeline;
}

PhaseTimeline PhaseTimelines::of_group(const PhaseShape& shape, int base) const {
  const int members = shape.group.size;
  const GroupNetwork network(network_, base, shape.group.stride);
  EventLoop loop(clock_);
  RankTimers timers(loop, members);
  EndCollector ends(loop, members);
  MessageEngine engine(loop, timers, system_, dialect_, network, members, topology_dimensions_, ends);
  PhaseShape alone = shape;
  alone.group = {1, members, -1};
  alone.durations.clear();
  const PhaseEngine::RunId run = engine.open(0, alone);
  for (int y = 0; y < members; ++y) engine.start(run, static_cast<std::uint32_t>(y), 0);
  loop.run({});
  PhaseTimeline timeline;
  timeline.ends = ends.take();
  timeline.received = engine.take_receive_statistics(run);
  timeline.payload = engine.payload();
  timeline.messages = engine.messages();
  const auto* exchange = std::get_if<ExchangeSchedule>(&shape.schedule);
  timeline.depends_on_order = exchange && exchange->gate > 0 && !dialect_.gate_counts_whole_instant;
  return timeline;
}

}  // namespace orrery
