#include "network/fluid/flow_progress.hpp"

#include <algorithm>

namespace orrery {
namespace {

// Ends that are closer than this, a thousandth of a picosecond, are one: they differ by rounding.
constexpr double same_instant_ns = 1e-6;
// Flows whose goals differ by a smaller share end together.
constexpr double same_goal = 1e-14;

}  // namespace

std::uint32_t FlowProgress::add_way(std::span<const FairShares::Use> uses, Order order) {
  ways_.emplace_back().order = order;
  return shares_.add_way(uses);
}

// Reports what has flowed up to `until`. The way must still have the number of flows that it had until then.
void FlowProgress::tell(std::uint32_t number, double until) const {
  const Way& way = ways_[number];
  if (until > way.since && way.rate > 0)
    observer_->flowed(number, way.since, until, way.rate * rates_->flows(number));
}

void FlowProgress::serve(std::uint32_t number, double now) {
  if (observer_) tell(number, now);
  Way& way = ways_[number];
  if (now > way.since) way.served += way.rate * (now - way.since);
  way.since = now;
}

void FlowProgress::start(std::uint32_t number, std::uint32_t flow, double bytes, double now) {
  Way& way = ways_[number];
  if (way.goals.empty()) {
    way.served = way.rate = way.last_goal = 0;
    way.since = now;
  } else {
    serve(number, now);
  }
  way.last_goal = (way.order == Order::in_line ? way.last_goal : way.served) + bytes;
  way.goals.push({way.last_goal, started_++, flow});
  count_flows(number);
  foresee(number);  // also where its rate will stay the same
}

void FlowProgress::count_flows(std::uint32_t number) {
  const std::size_t flows = ways_[number].goals.size();
  const std::size_t most = ways_[number].order == Order::in_line ? 1 : flows;
  rates_->set_flows(number, static_cast<std::uint32_t>(std::min(flows, most)));
}

// Flows that wait in a line begin one after the other, each where the one before it ends.
void FlowProgress::stop(std::uint32_t number, std::vector<Rest>& rests) {
  Way& way = ways_[number];
  std::vector<Goal> goals;
  for (; !way.goals.empty(); way.goals.pop()) goals.push_back(way.goals.top());
  std::ranges::sort(goals, {}, &Goal::number);
  double begin = way.served;
  for (const Goal& goal : goals) {
    rests.push_back({goal.flow, std::max(goal.bytes - begin, 0.0)});
    if (way.order == Order::in_line) begin = std::max(begin, goal.bytes);
  }
  ended_ += goals.size();
  count_flows(number);
  foresee(number);
}

std::vector<FlowProgress::Rest> FlowProgress::stop_all(double now) {
  std::vector<Rest> rests;
  for (std::uint32_t number = 0; number < ways_.size(); ++number) {
    if (ways_[number].goals.empty()) continue;
    serve(number, now);
    stop(number, rests);
  }
  settle(now);  // a rate that is the same afterwards counts as a new one
  return rests;
}

double FlowProgress::bytes_left(std::uint32_t number, double now) const {
  const Way& way = ways_[number];
  const double goal = way.order == Order::in_line ? way.last_goal : way.goals.top().bytes;
  return std::max(goal - way.served - way.rate * std::max(now - way.since, 0.0), 0.0);
}

double FlowProgress::bytes_left_of_all(std::uint32_t number, double now) const {
  const Way& way = ways_[number];
  if (way.goals.empty()) return 0;
  if (way.order == Order::in_line) return bytes_left(number, now);
  const double served = way.served + way.rate * std::max(now - way.since, 0.0);
  double left = 0;
  for (std::priority_queue<Goal> goals = way.goals; !goals.empty(); goals.pop())
    left += std::max(goals.top().bytes - served, 0.0);
  return left;
}

void FlowProgress::tell_all(double now) {
  for (std::uint32_t number = 0; number < ways_.size(); ++number)
    if (!ways_[number].goals.empty()) serve(number, now);
}

void FlowProgress::settle(double now) {
  for (const std::uint32_t number : rates_->settle(now)) {
    Way& way = ways_[number];
    serve(number, now);
    way.rate = rates_->rate(number);
    foresee(number);
  }
}

// Works out when the way's next flow ends.
void FlowProgress::foresee(std::uint32_t number) {
  Way& way = ways_[number];
  ++way.version;
  if (way.goals.empty() || way.rate <= 0) return;
  const double left = std::max(way.goals.top().bytes - way.served, 0.0);
  constexpr std::uint64_t few = 1000;
  if (next_ends_.size() > few + 4 * (started_ - ended_)) drop_all_outdated();
  next_ends_.push_back({way.since + left / way.rate, number, way.version});
  std::push_heap(next_ends_.begin(), next_ends_.end());
}

// At most one entry of a way is not outdated, so few remain when the others are dropped.
void FlowProgress::drop_all_outdated() {
  std::erase_if(next_ends_, [this](const NextEnd& end) { return is_outdated(end); });
  std::make_heap(next_ends_.begin(), next_ends_.end());
}

bool FlowProgress::drop_outdated() {
  while (!next_ends_.empty() && is_outdated(next_ends_.front())) {
    std::pop_heap(next_ends_.begin(), next_ends_.end());
    next_ends_.pop_back();
  }
  return !next_ends_.empty();
}

double FlowProgress::next_end() {
  return drop_outdated() ? next_ends_.front().at : never;
}

void FlowProgress::end_flows(std::uint32_t number, double at, std::vector<End>& ends) {
  Way& way = ways_[number];
  if (observer_) tell(number, at);
  way.served = way.goals.top().bytes;
  way.since = at;
  while (!way.goals.empty() && way.goals.top().bytes <= way.served * (1 + same_goal)) {
    ends.push_back({way.goals.top().flow, at});
    way.goals.pop();
    ++ended_;
  }
  count_flows(number);
  foresee(number);
}

void FlowProgress::advance(double until, std::vector<End>& ends) {
  while (drop_outdated() && next_ends_.front().at <= until) {
    const double at = next_ends_.front().at;
    while (drop_outdated() && next_ends_.front().at <= at + same_instant_ns)
      end_flows(next_ends_.front().way, at, ends);
    settle(at);
  }
}

}  // namespace orrery
