#include "workload/training/block_time.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <utility>

#include "workload/training/exchange_steps.hpp"

namespace orrery::core {

namespace {

constexpr Time not_known = Time::from_ps(std::numeric_limits<std::int64_t>::max());

// What a step takes. Each takes whole picoseconds, as operations of a graph do, so that a pass as one node
// takes what its operators and collectives take one by one.
struct TimedStep {
  OperatorTime op;           // of an operator
  std::uint64_t blocks = 1;  // in which an operator's result is sent
  Time exchange;             // of a collective by itself
};

// Times one rank's operators one after another and, beside them, the collectives of each axis one after
// another.
class Timing {
 public:
  Timing(const std::vector<Step>& steps, const std::vector<TimedStep>& timed, StepTimes* times)
      : steps_(steps), timed_(timed), times_(times), spans_(steps.size()) {
    if (times_) times_->parts = times_->contended = times_->begins = std::vector<Seconds>(steps.size());
    for (std::size_t i = 0; i < steps.size(); ++i)
      if (const Exchange* exchange = exchange_of(steps[i]))
        lane_of(*exchange).steps.push_back(i);
      else
        operators_.push_back(i);
  }

  // A collective of something else is under way all along.
  void run_beside_a_collective() {
    endpoint_.join(now_, static_cast<Endpoint::Id>(steps_.size()));
    run();
  }
  void run() {
    for (;;) {
      while (goes_on()) {
      }
      const Time next = next_time();
      if (next == not_known) break;
      now_ = next;
    }
    std::vector<Wait> waits;
    for (const Lane& lane : lanes_)
      if (!lane.steps.empty()) waits.push_back({lane.free, lane.steps.back()});
    total_ = wait(free_, std::move(waits));
  }

  Time total() const { return total_; }
  // Returns by how much a collective lags behind that has been under way all along.
  Time lag() { return endpoint_.lost(std::max(now_, total_)); }
  // Returns everything but what is about a collective beside the block.
  BlockTime time() const {
    BlockTime time = time_;
    time.total = Seconds::of(total_);
    for (const std::size_t i : operators_) {
      time.without_communication += Seconds::of(timed_[i].op.alone);
      if (!std::holds_alternative<Elementwise>(std::get<Operator>(steps_[i].work).work))
        time.product_flops += timed_[i].op.flops;
    }
    time.operators = static_cast<double>(operators_.size());
    time.exchanges = static_cast<double>(steps_.size() - operators_.size());
    return time;
  }

 private:
  struct Span {
    Time end = not_known;
    Time first_block = not_known;  // when the first of the blocks has been made that are sent
  };
  struct Lane {
    std::vector<std::size_t> steps;
    std::size_t next = 0;
    Time free;                          // when the last collective has ended
    std::optional<std::size_t> step;    // that is under way
    std::optional<Time> arrives, sent;  // when the network is through with it, and the rank
  };
  struct Computation {
    std::size_t step = 0;
    Time begin;
    bool makes_first_block = false;
    std::optional<Time> end;
  };
  struct Wait {
    Time until;
    std::size_t step;  // an exchange
  };

  Lane& lane_of(const Exchange& exchange) { return lanes_[static_cast<std::size_t>(exchange.axis)]; }
  bool is_over(int step) const {
    return step == block_input || spans_[static_cast<std::size_t>(step)].end <= now_;
  }
  bool is_exchange(int step) const {
    return step != block_input && exchange_of(steps_[static_cast<std::size_t>(step)]);
  }
  bool is_gathered_in_blocks(int step) const {
    return step != block_input &&
           is_in_blocks(steps_[static_cast<std::size_t>(step)], CollectiveKind::all_gather);
  }
  // Returns whether a collective sends blocks as that step makes them.
  bool is_sent_as_made(std::size_t i, int wait) const {
    return wait != block_input && !is_exchange(wait) &&
           is_in_blocks(steps_[i], CollectiveKind::reduce_scatter);
  }
  Time block_of_exchange(std::size_t i) const {
    return Time::from_ps(timed_[i].exchange.ps() / static_cast<std::int64_t>(exchange_of(steps_[i])->blocks));
  }

  // Waits from a time on until all are over, each of which is charged with what it lasts longer than those
  // before. Returns the time at which that is.
  Time wait(Time since, std::vector<Wait> waits) {
    std::ranges::stable_sort(waits, {}, &Wait::until);
    for (const auto& [until, step] : waits) {
      if (until <= since) continue;
      const Seconds waited = Seconds::of(until - since);
      time_.exposed[static_cast<std::size_t>(exchange_of(steps_[step])->axis)] += waited;
      if (times_) times_->parts[step] += waited;
      since = until;
    }
    return since;
  }

  // Lets something end or begin that may do so now. Returns false if there is nothing.
  bool goes_on() {
    if (const auto end = endpoint_.next(); end && end->at == now_) {
      endpoint_.end(*end);
      end->computation ? end_part() : end_sending(lane_of(*exchange_of(steps_[end->id])));
      return true;
    }
    if (end_operator() || begin_operator()) return true;
    return std::ranges::any_of(
        lanes_, [this](Lane& lane) { return arrive(lane) || end_exchange(lane) || begin_exchange(lane); });
  }

  Time next_time() const {
    Time next = not_known;
    if (const auto end = endpoint_.next()) next = end->at;
    if (free_ > now_) next = std::min(next, free_);
    for (const Lane& lane : lanes_) {
      if (lane.arrives) next = std::min(next, *lane.arrives);
      if (lane.free > now_) next = std::min(next, lane.free);
    }
    return next;
  }

  // The collectives for which an operator waits before it begins. Of a gather in blocks, the rank's own block
  // is there when the gather could begin.
  void add_waits(int wait, std::vector<Wait>& waits) const {
    const auto step = static_cast<std::size_t>(wait);
    if (!is_gathered_in_blocks(wait)) {
      waits.push_back({spans_[step].end, step});
      return;
    }
    for (const int before : steps_[step].waits)
      if (is_exchange(before)) {
        const auto other = static_cast<std::size_t>(before);
        waits.push_back({spans_[other].end, other});
      }
  }

  bool begin_operator() {
    if (computation_ || next_operator_ == operators_.size() || free_ > now_) return false;
    const std::size_t i = operators_[next_operator_];
    std::vector<Wait> waits;
    for (const int wait : steps_[i].waits)
      if (is_exchange(wait)) add_waits(wait, waits);
    if (std::ranges::any_of(waits, [this](const Wait& one) { return one.until > now_; })) return false;
    ++next_operator_;
    wait(free_, std::move(waits));
    if (times_) times_->begins[i] = Seconds::of(now_);
    computation_ = Computation{i, now_, timed_[i].blocks > 1, {}};
    compute(computation_->makes_first_block ? first_part(i) : timed_[i].op.alone);
    return true;
  }
  Time first_part(std::size_t i) const {
    return Time::from_ps(timed_[i].op.alone.ps() / static_cast<std::int64_t>(timed_[i].blocks));
  }
  void compute(Time part) {
    const OperatorTime& op = timed_[computation_->step].op;
    if (part > Time())
      endpoint_.compute(now_, static_cast<Endpoint::Id>(computation_->step), part,
                        op.contention.of_part(part, op.alone));
    else
      end_part();
  }
  void end_part() {
    const std::size_t i = computation_->step;
    if (std::exchange(computation_->makes_first_block, false)) {
      spans_[i].first_block = now_;
      compute(timed_[i].op.alone - first_part(i));
    } else {
      computation_->end = now_;
    }
  }
  // When the last block of a gather has come, it still has to be worked on.
  bool end_operator() {
    if (!computation_ || !computation_->end) return false;
    const std::size_t i = computation_->step;
    std::vector<Wait> last_blocks;
    for (const int wait : steps_[i].waits) {
      if (!is_gathered_in_blocks(wait)) continue;
      const auto gather = static_cast<std::size_t>(wait);
      if (spans_[gather].end == not_known) return false;
      const auto blocks = static_cast<std::int64_t>(exchange_of(steps_[gather])->blocks);
      last_blocks.push_back({spans_[gather].end + Time::from_ps(timed_[i].op.alone.ps() / blocks), gather});
    }
    const Seconds took = Seconds::of(*computation_->end - computation_->begin);
    const Seconds longer = took - Seconds::of(timed_[i].op.alone);
    time_.compute += took;
    time_.contended += longer;
    if (times_) {
      times_->parts[i] += took;
      times_->contended[i] = longer;
    }
    free_ = spans_[i].end = wait(*computation_->end, std::move(last_blocks));
    computation_.reset();
    return true;
  }

  bool begin_exchange(Lane& lane) {
    if (lane.step || lane.next == lane.steps.size() || lane.free > now_) return false;
    const std::size_t i = lane.steps[lane.next];
    for (const int wait : steps_[i].waits)
      if (is_sent_as_made(i, wait) ? spans_[static_cast<std::size_t>(wait)].first_block > now_
                                   : !is_over(wait))
        return false;
    ++lane.next;
    lane.step = i;
    lane.arrives = now_ + timed_[i].exchange;
    if (times_) times_->begins[i] = Seconds::of(now_);
    endpoint_.join(now_, static_cast<Endpoint::Id>(i));
    return true;
  }
  bool arrive(Lane& lane) {
    if (lane.arrives != now_) return false;
    lane.arrives.reset();
    if (endpoint_.arrive(now_, static_cast<Endpoint::Id>(*lane.step))) end_sending(lane);
    return true;
  }
  void end_sending(Lane& lane) { lane.sent = now_; }
  // When the last block has been made, it still has to be sent.
  bool end_exchange(Lane& lane) {
    if (!lane.sent) return false;
    const std::size_t i = *lane.step;
    Time end = *lane.sent;
    for (const int wait : steps_[i].waits) {
      if (!is_sent_as_made(i, wait)) continue;
      const Time made = spans_[static_cast<std::size_t>(wait)].end;
      if (made == not_known) return false;
      end = std::max(end, made + block_of_exchange(i));
    }
    lane.free = spans_[i].end = end;
    lane.step.reset();
    lane.sent.reset();
    return true;
  }

  const std::vector<Step>& steps_;
  const std::vector<TimedStep>& timed_;
  StepTimes* const times_;
  Endpoint endpoint_;
  std::vector<Span> spans_;             // by step
  std::vector<std::size_t> operators_;  // steps
  std::size_t next_operator_ = 0;
  std::optional<Computation> computation_;
  std::array<Lane, axis_count> lanes_;
  Time now_;
  Time free_;  // when the last operator has ended
  Time total_;
  BlockTime time_;
};

std::vector<TimedStep> timed(const std::vector<Step>& steps, const RankDevice& device,
                             const ExchangeTime& exchange) {
  std::vector<TimedStep> timed(steps.size());
  for (std::size_t i = 0; i < steps.size(); ++i) {
    const Exchange* sent = exchange_of(steps[i]);
    if (!sent) {
      timed[i].op = device.time(std::get<Operator>(steps[i].work));
      continue;
    }
    timed[i].exchange = exchange(*sent).rounded();
    if (!is_in_blocks(steps[i], CollectiveKind::reduce_scatter)) continue;
    for (const int wait : steps[i].waits)
      if (wait != block_input) {
        std::uint64_t& blocks = timed[static_cast<std::size_t>(wait)].blocks;
        blocks = std::max(blocks, sent->blocks);
      }
  }
  return timed;
}

}  // namespace

BlockTime& BlockTime::operator+=(const BlockTime& other) {
  total += other.total;
  compute += other.compute;
  contended += other.contended;
  without_communication += other.without_communication;
  for (std::size_t i = 0; i < exposed.size(); ++i) exposed[i] += other.exposed[i];
  product_flops += other.product_flops;
  operators += other.operators;
  exchanges += other.exchanges;
  beside += other.beside;
  lag += other.lag;
  return *this;
}

BlockTime operator*(BlockTime time, double times) {
  for (Seconds BlockTime::*part : {&BlockTime::total, &BlockTime::compute, &BlockTime::contended,
                                   &BlockTime::without_communication, &BlockTime::beside, &BlockTime::lag})
    time.*part = time.*part * times;
  for (Seconds& exposed : time.exposed) exposed = exposed * times;
  time.product_flops *= times;
  time.operators *= times;
  time.exchanges *= times;
  return time;
}

Contention contention_of(const BlockTime& time) {
  constexpr double million = 1e6;
  const double slows = time.beside > Seconds() ? time.lag.count() / time.beside.count() : 0;
  return {std::max(Time(), time.beside.rounded() - time.total.rounded()),
          static_cast<std::uint32_t>(std::lround(slows * million)), time.contended.rounded()};
}

OperatorTime RankDevice::time(const Operator& op) const {
  OperatorCost cost = model.cost(op);
  const Seconds alone = slowdown.time(op, cost);
  OperatorTime time{alone.rounded(), {}, cost.flops};
  if (!contended || cost.seconds <= 0) return time;
  const double factor = alone.count() / cost.seconds;
  time.contention.longer = Seconds(contended->more_seconds(op, cost) * factor).rounded();
  cost.seconds = alone.count();
  constexpr double million = 1e6;
  time.contention.slows_by_ppm = static_cast<std::uint32_t>(std::lround(contended->slows(cost) * million));
  return time;
}

BlockTime time_of_steps(const std::vector<Step>& steps, const RankDevice& device,
                        const ExchangeTime& exchange, StepTimes* times) {
  const std::vector<TimedStep> each = timed(steps, device, exchange);
  Timing by_itself(steps, each, times);
  by_itself.run();
  BlockTime time = by_itself.time();
  time.beside = time.total;
  if (!device.contended) return time;
  Timing beside(steps, each, nullptr);
  beside.run_beside_a_collective();
  time.beside = Seconds::of(std::max(by_itself.total(), beside.total()));
  time.lag = Seconds::of(beside.lag());
  return time;
}

BlockTime launched_by_host(BlockTime time, Time per_operator, Time per_exchange) {
  const Seconds host =
      Seconds::of(per_operator) * time.operators + Seconds::of(per_exchange) * time.exchanges;
  const Seconds more = std::max(Seconds(), host - time.total);
  // While the host is behind, nobody notices that operators take longer.
  time.contended = std::min(time.contended, std::max(Seconds(), time.total - host));
  time.total += more;
  time.compute += more;
  time.without_communication = std::max(time.without_communication, host);
  time.beside = std::max(time.beside, host);
  return time;
}

}  // namespace orrery::core
