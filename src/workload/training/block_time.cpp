#include "workload/training/block_time.hpp"

#include <algorithm>

namespace orrery {

namespace {

// Times one rank's operators one after another and, beside them, the collectives of each axis one after
// another.
class Timing {
 public:
  Timing(const std::vector<Step>& steps, const ComputeModel& device, const ExchangeTime& exchange,
         const Slowdown& slowdown, std::vector<Seconds>* of_steps)
      : steps_(steps),
        device_(device),
        exchange_(exchange),
        slowdown_(slowdown),
        of_steps_(of_steps),
        spans_(steps.size()) {
    if (of_steps_) of_steps_->assign(steps.size(), Seconds());
  }

  BlockTime run() {
    for (std::size_t i = 0; i < steps_.size(); ++i) {
      if (const auto* op = std::get_if<Operator>(&steps_[i].work))
        compute(i, *op);
      else
        send(i, std::get<Exchange>(steps_[i].work));
      if (latest_ < 0 || spans_[i].end > spans_[static_cast<std::size_t>(latest_)].end)
        latest_ = static_cast<int>(i);
    }
    if (latest_ < 0) return time_;
    time_.total = std::max(free_, spans_[static_cast<std::size_t>(latest_)].end);
    expose(time_.total - free_, latest_);
    return time_;
  }

 private:
  struct Span {
    Seconds begin, end;  // of a collective in blocks: from when its own block was there
  };

  const Exchange* in_blocks(int step, CollectiveKind kind) const {
    const auto* exchange = std::get_if<Exchange>(&steps_[static_cast<std::size_t>(step)].work);
    return exchange && exchange->blocks > 1 && exchange->kind == kind ? exchange : nullptr;
  }

  void expose(Seconds time, int step) {
    if (step < 0 || time <= Seconds()) return;
    if (const auto* exchange = std::get_if<Exchange>(&steps_[static_cast<std::size_t>(step)].work))
      time_.exposed[static_cast<std::size_t>(exchange->axis)] += time;
    if (of_steps_) (*of_steps_)[static_cast<std::size_t>(step)] += time;
  }

  void compute(std::size_t i, const Operator& op) {
    const OperatorCost cost = device_.cost(op);
    const Seconds time = slowdown_.time(op, cost);
    Seconds ready, last_block;
    int awaited = -1, awaited_block = -1;
    for (const int wait : steps_[i].waits) {
      if (wait == block_input) continue;
      const Span& span = spans_[static_cast<std::size_t>(wait)];
      const Exchange* ring = in_blocks(wait, CollectiveKind::all_gather);
      const Seconds there = ring ? span.begin : span.end;
      if (there > ready) {
        ready = there;
        awaited = wait;
      }
      // When the last block has come, it still has to be worked on.
      const Seconds worked = ring ? span.end + time / static_cast<double>(ring->blocks) : Seconds();
      if (worked > last_block) {
        last_block = worked;
        awaited_block = wait;
      }
    }
    expose(ready - free_, awaited);
    const Seconds begin = std::max(free_, ready);
    expose(last_block - (begin + time), awaited_block);
    free_ = std::max(begin + time, last_block);
    spans_[i] = {begin, free_};
    time_.compute += time;
    if (of_steps_) (*of_steps_)[i] += time;
    if (!std::holds_alternative<Elementwise>(op.work)) time_.product_flops += cost.flops;
    time_.operators += 1;
  }

  void send(std::size_t i, const Exchange& exchange) {
    const Seconds time = exchange_(exchange);
    const auto blocks = static_cast<double>(exchange.blocks);
    const bool as_made = in_blocks(static_cast<int>(i), CollectiveKind::reduce_scatter) != nullptr;
    Seconds ready, last_block;
    for (const int wait : steps_[i].waits) {
      if (wait == block_input) continue;
      const Span& span = spans_[static_cast<std::size_t>(wait)];
      const bool of_operator = std::holds_alternative<Operator>(steps_[static_cast<std::size_t>(wait)].work);
      const bool streams = as_made && of_operator;
      ready = std::max(ready, streams ? span.begin + (span.end - span.begin) / blocks : span.end);
      if (streams) last_block = std::max(last_block, span.end + time / blocks);
    }
    Seconds& lane = lane_free_[static_cast<std::size_t>(exchange.axis)];
    lane = std::max(std::max(lane, ready) + time, last_block);
    spans_[i] = {ready, lane};
    time_.exchanges += 1;
  }

  const std::vector<Step>& steps_;
  const ComputeModel& device_;
  const ExchangeTime& exchange_;
  const Slowdown& slowdown_;
  std::vector<Seconds>* const of_steps_;
  std::vector<Span> spans_;
  BlockTime time_;
  Seconds free_;  // when the last operator has ended
  std::array<Seconds, axis_count> lane_free_{};
  int latest_ = -1;  // the step that ends last
};

}  // namespace

BlockTime& BlockTime::operator+=(const BlockTime& other) {
  total += other.total;
  compute += other.compute;
  for (std::size_t i = 0; i < exposed.size(); ++i) exposed[i] += other.exposed[i];
  product_flops += other.product_flops;
  operators += other.operators;
  exchanges += other.exchanges;
  return *this;
}

BlockTime operator*(BlockTime time, double times) {
  time.total = time.total * times;
  time.compute = time.compute * times;
  for (Seconds& exposed : time.exposed) exposed = exposed * times;
  time.product_flops *= times;
  time.operators *= times;
  time.exchanges *= times;
  return time;
}

BlockTime time_of_steps(const std::vector<Step>& steps, const ComputeModel& device,
                        const ExchangeTime& exchange, const Slowdown& slowdown,
                        std::vector<Seconds>* of_steps) {
  return Timing(steps, device, exchange, slowdown, of_steps).run();
}

BlockTime launched_by_host(BlockTime time, Time per_operator, Time per_exchange) {
  const Seconds host =
      Seconds::of(per_operator) * time.operators + Seconds::of(per_exchange) * time.exchanges;
  const Seconds more = std::max(Seconds(), host - time.total);
  time.total += more;
  time.compute += more;
  return time;
}

}  // namespace orrery
