#include "workload/training/block_time.hpp"

#include <algorithm>

namespace orrery {

namespace {

// One rank's operators one after another, and beside them the collectives of each axis likewise.
class Timing {
 public:
  Timing(const std::vector<Step>& steps, const ComputeModel& device, const ExchangeSeconds& exchange,
         const Slowdown& slowdown)
      : steps_(steps), device_(device), exchange_(exchange), slowdown_(slowdown), spans_(steps.size()) {}

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
    time_.seconds = std::max(free_, spans_[static_cast<std::size_t>(latest_)].end);
    expose(time_.seconds - free_, latest_);
    return time_;
  }

 private:
  struct Span {
    double begin = 0, end = 0;  // of a collective in blocks: from when its own block was there
  };

  const Exchange* in_blocks(int step, CollectiveKind kind) const {
    const auto* exchange = std::get_if<Exchange>(&steps_[static_cast<std::size_t>(step)].work);
    return exchange && exchange->blocks > 1 && exchange->kind == kind ? exchange : nullptr;
  }

  void expose(double seconds, int step) {
    if (step < 0 || seconds <= 0) return;
    if (const auto* exchange = std::get_if<Exchange>(&steps_[static_cast<std::size_t>(step)].work))
      time_.exposed[static_cast<std::size_t>(exchange->axis)] += seconds;
  }

  void compute(std::size_t i, const Operator& op) {
    const OperatorCost cost = device_.cost(op);
    const double seconds = slowdown_.seconds(op, cost);
    double ready = 0, last_block = 0;
    int awaited = -1, awaited_block = -1;
    for (const int wait : steps_[i].waits) {
      if (wait == block_input) continue;
      const Span& span = spans_[static_cast<std::size_t>(wait)];
      const Exchange* ring = in_blocks(wait, CollectiveKind::all_gather);
      const double there = ring ? span.begin : span.end;
      if (there > ready) {
        ready = there;
        awaited = wait;
      }
      // When the last block has come it is still to be worked on.
      const double worked = ring ? span.end + seconds / static_cast<double>(ring->blocks) : 0;
      if (worked > last_block) {
        last_block = worked;
        awaited_block = wait;
      }
    }
    expose(ready - free_, awaited);
    const double begin = std::max(free_, ready);
    expose(last_block - (begin + seconds), awaited_block);
    free_ = std::max(begin + seconds, last_block);
    spans_[i] = {begin, free_};
    time_.compute += seconds;
    if (!std::holds_alternative<Elementwise>(op.work)) time_.product_flops += cost.flops;
    time_.operators += 1;
  }

  void send(std::size_t i, const Exchange& exchange) {
    const double seconds = exchange_(exchange);
    const auto blocks = static_cast<double>(exchange.blocks);
    const bool as_made = in_blocks(static_cast<int>(i), CollectiveKind::reduce_scatter) != nullptr;
    double ready = 0, last_block = 0;
    for (const int wait : steps_[i].waits) {
      if (wait == block_input) continue;
      const Span& span = spans_[static_cast<std::size_t>(wait)];
      const bool of_operator = std::holds_alternative<Operator>(steps_[static_cast<std::size_t>(wait)].work);
      const bool streams = as_made && of_operator;
      ready = std::max(ready, streams ? span.begin + (span.end - span.begin) / blocks : span.end);
      if (streams) last_block = std::max(last_block, span.end + seconds / blocks);
    }
    double& lane = lane_free_[static_cast<std::size_t>(exchange.axis)];
    lane = std::max(std::max(lane, ready) + seconds, last_block);
    spans_[i] = {ready, lane};
    time_.exchanges += 1;
  }

  const std::vector<Step>& steps_;
  const ComputeModel& device_;
  const ExchangeSeconds& exchange_;
  const Slowdown& slowdown_;
  std::vector<Span> spans_;
  BlockTime time_;
  double free_ = 0;  // when the last operator has ended
  std::array<double, axis_count> lane_free_{};
  int latest_ = -1;  // the step that ends last
};

}  // namespace

BlockTime& BlockTime::operator+=(const BlockTime& other) {
  seconds += other.seconds;
  compute += other.compute;
  for (std::size_t i = 0; i < exposed.size(); ++i) exposed[i] += other.exposed[i];
  product_flops += other.product_flops;
  operators += other.operators;
  exchanges += other.exchanges;
  return *this;
}

BlockTime operator*(BlockTime time, double times) {
  time.seconds *= times;
  time.compute *= times;
  for (double& seconds : time.exposed) seconds *= times;
  time.product_flops *= times;
  time.operators *= times;
  time.exchanges *= times;
  return time;
}

BlockTime time_of_steps(const std::vector<Step>& steps, const ComputeModel& device,
                        const ExchangeSeconds& exchange, const Slowdown& slowdown) {
  return Timing(steps, device, exchange, slowdown).run();
}

BlockTime launched_by_host(BlockTime time, double host_seconds_per_operator,
                           double host_seconds_per_exchange) {
  const double host = time.operators * host_seconds_per_operator + time.exchanges * host_seconds_per_exchange;
  const double more = std::max(0.0, host - time.seconds);
  time.seconds += more;
  time.compute += more;
  return time;
}

}  // namespace orrery
