#include "workload/training/block_time.hpp"

#include <algorithm>
#include <optional>
#include <utility>

namespace orrery::core {

namespace {

// Times one rank's operators one after another and, beside them, the collectives of each axis one after
// another. Each takes whole picoseconds, as operations of a graph do, so that a pass as one node takes what
// its operators and collectives take one by one.
class Timing {
 public:
  Timing(const std::vector<Step>& steps, const ComputeModel& device, const ExchangeTime& exchange,
         const Slowdown& slowdown, std::vector<Seconds>* of_steps, std::vector<Seconds>* begins)
      : steps_(steps),
        device_(device),
        exchange_(exchange),
        slowdown_(slowdown),
        of_steps_(of_steps),
        begins_(begins),
        spans_(steps.size()) {
    if (of_steps_) of_steps_->assign(steps.size(), Seconds());
    if (begins_) begins_->assign(steps.size(), Seconds());
  }

  BlockTime run() {
    for (std::size_t i = 0; i < steps_.size(); ++i)
      if (const auto* op = std::get_if<Operator>(&steps_[i].work))
        compute(i, *op);
      else
        send(i, std::get<Exchange>(steps_[i].work));
    time_.without_communication = time_.compute;
    std::vector<Wait> waits;
    for (const std::optional<std::size_t>& last : last_of_lane_)
      if (last) waits.push_back({spans_[*last].end, *last});
    time_.total = wait(free_, std::move(waits));
    return time_;
  }

 private:
  struct Span {
    Seconds begin, end;  // of a collective in blocks: from when its own block was there
  };

  struct Wait {
    Seconds until;
    std::size_t step;  // an exchange
  };

  const Exchange* in_blocks(int step, CollectiveKind kind) const {
    const auto* exchange = std::get_if<Exchange>(&steps_[static_cast<std::size_t>(step)].work);
    return exchange && exchange->blocks > 1 && exchange->kind == kind ? exchange : nullptr;
  }

  // Waits from a time on until all are over, each of which is charged with what it lasts longer than those
  // before. Returns the time at which that is.
  Seconds wait(Seconds since, std::vector<Wait> waits) {
    std::ranges::stable_sort(waits, {}, &Wait::until);
    for (const auto& [until, step] : waits) {
      if (until <= since) continue;
      time_.exposed[static_cast<std::size_t>(std::get<Exchange>(steps_[step].work).axis)] += until - since;
      if (of_steps_) (*of_steps_)[step] += until - since;
      since = until;
    }
    return since;
  }
  bool is_exchange(int step) const {
    return step != block_input &&
           std::holds_alternative<Exchange>(steps_[static_cast<std::size_t>(step)].work);
  }

  void compute(std::size_t i, const Operator& op) {
    const OperatorCost cost = device_.cost(op);
    const Seconds time = Seconds::of(slowdown_.time(op, cost).rounded());
    std::vector<Wait> waits, last_blocks;
    for (const int wait : steps_[i].waits) {
      if (!is_exchange(wait)) continue;
      const auto step = static_cast<std::size_t>(wait);
      const Exchange* ring = in_blocks(wait, CollectiveKind::all_gather);
      if (!ring) {
        waits.push_back({spans_[step].end, step});
        continue;
      }
      // The rank's own block is there when the ring could begin. When the last block has come, it still has
      // to be worked on.
      for (const int before : steps_[step].waits)
        if (is_exchange(before))
          waits.push_back({spans_[static_cast<std::size_t>(before)].end, static_cast<std::size_t>(before)});
      last_blocks.push_back({spans_[step].end + time / static_cast<double>(ring->blocks), step});
    }
    const Seconds begin = wait(free_, std::move(waits));
    free_ = wait(begin + time, std::move(last_blocks));
    spans_[i] = {begin, free_};
    if (begins_) (*begins_)[i] = begin;
    time_.compute += time;
    if (of_steps_) (*of_steps_)[i] += time;
    if (!std::holds_alternative<Elementwise>(op.work)) time_.product_flops += cost.flops;
    time_.operators += 1;
  }

  void send(std::size_t i, const Exchange& exchange) {
    const Seconds time = Seconds::of(exchange_(exchange).rounded());
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
    if (begins_) (*begins_)[i] = std::max(lane, ready);
    lane = std::max(std::max(lane, ready) + time, last_block);
    last_of_lane_[static_cast<std::size_t>(exchange.axis)] = i;
    spans_[i] = {ready, lane};
    time_.exchanges += 1;
  }

  const std::vector<Step>& steps_;
  const ComputeModel& device_;
  const ExchangeTime& exchange_;
  const Slowdown& slowdown_;
  std::vector<Seconds>* const of_steps_;
  std::vector<Seconds>* const begins_;
  std::vector<Span> spans_;
  BlockTime time_;
  Seconds free_;  // when the last operator has ended
  std::array<Seconds, axis_count> lane_free_{};
  std::array<std::optional<std::size_t>, axis_count> last_of_lane_;  // the last collective of each axis
};

}  // namespace

BlockTime& BlockTime::operator+=(const BlockTime& other) {
  total += other.total;
  compute += other.compute;
  without_communication += other.without_communication;
  for (std::size_t i = 0; i < exposed.size(); ++i) exposed[i] += other.exposed[i];
  product_flops += other.product_flops;
  operators += other.operators;
  exchanges += other.exchanges;
  return *this;
}

BlockTime operator*(BlockTime time, double times) {
  time.total = time.total * times;
  time.compute = time.compute * times;
  time.without_communication = time.without_communication * times;
  for (Seconds& exposed : time.exposed) exposed = exposed * times;
  time.product_flops *= times;
  time.operators *= times;
  time.exchanges *= times;
  return time;
}

BlockTime time_of_steps(const std::vector<Step>& steps, const ComputeModel& device,
                        const ExchangeTime& exchange, const Slowdown& slowdown,
                        std::vector<Seconds>* of_steps, std::vector<Seconds>* begins) {
  return Timing(steps, device, exchange, slowdown, of_steps, begins).run();
}

BlockTime launched_by_host(BlockTime time, Time per_operator, Time per_exchange) {
  const Seconds host =
      Seconds::of(per_operator) * time.operators + Seconds::of(per_exchange) * time.exchanges;
  const Seconds more = std::max(Seconds(), host - time.total);
  time.total += more;
  time.compute += more;
  time.without_communication = std::max(time.without_communication, host);
  return time;
}

}  // namespace orrery::core
