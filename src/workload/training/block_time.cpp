#include "workload/training/block_time.hpp"

#include <algorithm>

namespace orrery {

namespace {

// What the clock waits for while no operator runs.
class Waits {
 public:
  explicit Waits(const std::vector<Step>& steps) : steps_(steps), ends_(steps.size(), 0) {}

  double& end(std::size_t step) { return ends_[step]; }

  // When `step` may begin; `last` becomes the step that is waited for longest.
  double ready(std::size_t step, int& last) const {
    double ready = 0;
    for (const int wait : steps_[step].waits) {
      if (wait == block_input || ends_[static_cast<std::size_t>(wait)] <= ready) continue;
      ready = ends_[static_cast<std::size_t>(wait)];
      last = wait;
    }
    return ready;
  }

  void expose(BlockTime& time, double seconds, int step) const {
    if (step < 0 || seconds <= 0) return;
    if (const auto* exchange = std::get_if<Exchange>(&steps_[static_cast<std::size_t>(step)].work))
      time.exposed[static_cast<std::size_t>(exchange->axis)] += seconds;
  }

 private:
  const std::vector<Step>& steps_;
  std::vector<double> ends_;
};

}  // namespace

BlockTime& BlockTime::operator+=(const BlockTime& other) {
  seconds += other.seconds;
  compute += other.compute;
  for (std::size_t i = 0; i < exposed.size(); ++i) exposed[i] += other.exposed[i];
  flops += other.flops;
  operators += other.operators;
  exchanges += other.exchanges;
  return *this;
}

BlockTime operator*(BlockTime time, double times) {
  time.seconds *= times;
  time.compute *= times;
  for (double& seconds : time.exposed) seconds *= times;
  time.flops *= times;
  time.operators *= times;
  time.exchanges *= times;
  return time;
}

BlockTime time_of_steps(const std::vector<Step>& steps, const ComputeModel& device,
                        const ExchangeSeconds& exchange, const Slowdown& slowdown) {
  BlockTime time;
  Waits waits(steps);
  double free = 0;  // when the last operator has ended
  std::array<double, axis_count> lane_free{};
  int latest = -1;  // the step that ends last
  for (std::size_t i = 0; i < steps.size(); ++i) {
    int awaited = -1;
    const double ready = waits.ready(i, awaited);
    if (const auto* op = std::get_if<Operator>(&steps[i].work)) {
      const OperatorCost cost = device.cost(*op);
      const bool elementwise = std::holds_alternative<Elementwise>(op->work);
      const double seconds = cost.seconds * (elementwise ? slowdown.elementwise : slowdown.products);
      waits.expose(time, ready - free, awaited);
      free = std::max(free, ready) + seconds;
      waits.end(i) = free;
      time.compute += seconds;
      time.flops += cost.flops;
      time.operators += 1;
    } else {
      const auto& one = std::get<Exchange>(steps[i].work);
      double& lane = lane_free[static_cast<std::size_t>(one.axis)];
      lane = std::max(lane, ready) + exchange(one);
      waits.end(i) = lane;
      time.exchanges += 1;
    }
    if (latest < 0 || waits.end(i) > waits.end(static_cast<std::size_t>(latest)))
      latest = static_cast<int>(i);
  }
  if (latest >= 0) {
    time.seconds = std::max(free, waits.end(static_cast<std::size_t>(latest)));
    waits.expose(time, time.seconds - free, latest);
  }
  return time;
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
