#include "network/fluid/flow_progress.hpp"

#include <algorithm>

namespace orrery::core {
namespace {

// Ends that are closer than this, a thousandth of a picosecond, are one: they differ by rounding.
constexpr double same_instant_ns = 1e-6;
// Flows whose goals differ by a smaller share end together.
constexpr double same_goal = 1e-14;

}  // namespace

std::uint32_t FlowProgress::add_route(std::span<const MaxMinRates::Use> uses, Order order) {
  routes_.emplace_back().order = order;
  return shares_.add_route(uses);
}

// Reports what has flowed up to `until`. The routes must still have the number of flows that they had until
// then.
void FlowProgress::tell(std::uint32_t number, double until) const {
  const Pace& pace = paces_[number];
  if (until <= pace.since || pace.rate <= 0) return;
  for (const std::uint32_t route : pace.routes)
    if (const std::uint32_t flows = rates_->flows(route))
      observer_->flowed(route, pace.since, until, pace.rate * flows);
}

void FlowProgress::serve(std::uint32_t number, double now) {
  if (observer_) tell(number, now);
  Pace& pace = paces_[number];
  if (now > pace.since) pace.served.add(pace.rate * (now - pace.since));
  pace.since = now;
}

// Returns the bytes that each flow of the route has got until then.
double FlowProgress::served(const Route& route, double now) const {
  if (route.pace == FlowShares::no_pace) return route.ahead;
  const Pace& pace = paces_[route.pace];
  return pace.served.value() + route.ahead + pace.rate * std::max(now - pace.since, 0.0);
}

void FlowProgress::start(std::uint32_t number, std::uint32_t flow, double bytes, double now) {
  Route& route = routes_[number];
  if (route.pace != FlowShares::no_pace) serve(route.pace, now);
  if (route.goals.empty()) {
    route.ahead -= served(route, now);
    route.last_goal = 0;
  }
  route.last_goal = (route.order == Order::in_line ? route.last_goal : served(route, now)) + bytes;
  route.goals.push({route.last_goal, started_++, flow});
  count_flows(number);
  list_goal(number);
}

void FlowProgress::count_flows(std::uint32_t number) {
  const std::size_t flows = routes_[number].goals.size();
  const std::size_t most = routes_[number].order == Order::in_line ? 1 : flows;
  rates_->set_flows(number, static_cast<std::uint32_t>(std::min(flows, most)));
}

// Flows that wait in a line begin one after the other, each where the one before it ends.
void FlowProgress::stop(std::uint32_t number, double now, std::vector<Rest>& rests) {
  Route& route = routes_[number];
  std::vector<Goal> goals;
  for (; !route.goals.empty(); route.goals.pop()) goals.push_back(route.goals.top());
  std::ranges::sort(goals, {}, &Goal::number);
  double begin = served(route, now);
  for (const Goal& goal : goals) {
    rests.push_back({goal.flow, std::max(goal.bytes - begin, 0.0)});
    if (route.order == Order::in_line) begin = std::max(begin, goal.bytes);
  }
  count_flows(number);
}

std::vector<FlowProgress::Rest> FlowProgress::stop_all(double now) {
  if (observer_) tell_all(now);
  std::vector<Rest> rests;
  for (std::uint32_t number = 0; number < routes_.size(); ++number)
    if (!routes_[number].goals.empty()) stop(number, now, rests);
  settle(now);
  return rests;
}

double FlowProgress::bytes_left(std::uint32_t number, double now) const {
  const Route& route = routes_[number];
  const double goal = route.order == Order::in_line ? route.last_goal : route.goals.top().bytes;
  return std::max(goal - served(route, now), 0.0);
}

double FlowProgress::bytes_left_of_all(std::uint32_t number, double now) const {
  const Route& route = routes_[number];
  if (route.goals.empty()) return 0;
  if (route.order == Order::in_line) return bytes_left(number, now);
  const double until_now = served(route, now);
  double left = 0;
  for (std::priority_queue<Goal> goals = route.goals; !goals.empty(); goals.pop())
    left += std::max(goals.top().bytes - until_now, 0.0);
  return left;
}

void FlowProgress::tell_all(double now) {
  for (std::uint32_t pace = 0; pace < paces_.size(); ++pace)
    if (!paces_[pace].routes.empty()) serve(pace, now);
}

void FlowProgress::settle(double now) {
  const FlowShares::Changes changes = rates_->settle(now);
  for (const std::uint32_t route : changes.routes) change_pace(route, now);
  for (const std::uint32_t pace : changes.paces) {
    if (pace >= paces_.size() || paces_[pace].routes.empty()) continue;
    serve(pace, now);
    paces_[pace].rate = rates_->rate_of_pace(pace);
    foresee(pace);
  }
}

void FlowProgress::change_pace(std::uint32_t number, double now) {
  Route& route = routes_[number];
  const std::uint32_t before = route.pace, after = rates_->pace(number);
  if (before == after) return;
  if (before != FlowShares::no_pace) {
    serve(before, now);
    route.ahead = served(route, now);
    leave_pace(number);
    foresee(before);
  }
  route.pace = after;
  if (after == FlowShares::no_pace) return;
  if (after >= paces_.size()) paces_.resize(after + 1);
  Pace& pace = paces_[after];
  if (!pace.routes.empty()) {
    serve(after, now);
  } else {
    pace.since = now;
    pace.rate = rates_->rate_of_pace(after);
  }
  route.ahead -= pace.served.value();
  route.place = static_cast<std::uint32_t>(pace.routes.size());
  pace.routes.push_back(number);
  list_goal(number);
}

void FlowProgress::leave_pace(std::uint32_t number) {
  Route& route = routes_[number];
  Pace& pace = paces_[route.pace];
  unlist_goal(number);
  routes_[pace.routes.back()].place = route.place;
  pace.routes[route.place] = pace.routes.back();
  pace.routes.pop_back();
  if (!pace.routes.empty()) return;
  pace.served = {};
}

// Lists the next goal of a route among those of its pace.
void FlowProgress::list_goal(std::uint32_t number) {
  Route& route = routes_[number];
  ++route.version;
  if (route.pace == FlowShares::no_pace) return;
  Pace& pace = paces_[route.pace];
  if (!route.goals.empty()) {
    constexpr std::size_t few = 16;
    if (pace.goals.size() > few + 2 * pace.routes.size()) {
      std::erase_if(pace.goals, [this](const NextGoal& goal) { return is_outdated(goal); });
      std::make_heap(pace.goals.begin(), pace.goals.end());
    }
    pace.goals.push_back({route.goals.top().bytes - route.ahead, number, route.version});
    std::push_heap(pace.goals.begin(), pace.goals.end());
  }
  drop_outdated(pace);
  foresee(route.pace);
}

void FlowProgress::unlist_goal(std::uint32_t number) {
  Route& route = routes_[number];
  ++route.version;
  drop_outdated(paces_[route.pace]);
}

void FlowProgress::drop_outdated(Pace& pace) const {
  while (!pace.goals.empty() && is_outdated(pace.goals.front())) {
    std::pop_heap(pace.goals.begin(), pace.goals.end());
    pace.goals.pop_back();
  }
  pace.next_goal = pace.goals.empty() ? never : pace.goals.front().bytes;
}

// Works out when the pace's next flow ends.
void FlowProgress::foresee(std::uint32_t number) {
  const Pace& pace = paces_[number];
  if (pace.next_goal == never || pace.rate <= 0) return next_ends_.remove(number);
  const double left = std::max(pace.next_goal - pace.served.value(), 0.0);
  next_ends_.set(number, pace.since + left / pace.rate);
}

void FlowProgress::end_flows(std::uint32_t number, double at, std::vector<End>& ends) {
  Route& route = routes_[number];
  const double served = route.goals.top().bytes;
  route.ahead = served - paces_[route.pace].served.value();
  while (!route.goals.empty() && route.goals.top().bytes <= served * (1 + same_goal)) {
    ends.push_back({route.goals.top().flow, at});
    route.goals.pop();
  }
  count_flows(number);
  list_goal(number);
}

void FlowProgress::advance(double until, std::vector<End>& ends) {
  while (next_end() <= until) {
    const double at = next_end();
    while (next_end() <= at + same_instant_ns) {
      const std::uint32_t pace = next_ends_.first();
      serve(pace, at);
      const std::uint32_t route = paces_[pace].goals.front().route;
      ending_.push_back(route);
      unlist_goal(route);
      foresee(pace);
    }
    std::ranges::sort(ending_);
    for (const std::uint32_t route : ending_) end_flows(route, at, ends);
    ending_.clear();
    settle(at);
  }
}

}  // namespace orrery::core
