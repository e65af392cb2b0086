// Follows flows from their start to their end while they share links fairly (rates/max_min_rates.hpp).
//
// All flows of a pace get the same bytes in the same time, so bytes are counted once for each pace. A route
// that moves to another pace keeps the difference between what its flows have got and the count of the pace.
// So another rate is one number for all ways of a pace, and only those that move are looked at.
//
// Times are nanoseconds since the start, and fractional: the end of a flow is not rounded before it changes
// the rates of others.
#pragma once

#include <cstdint>
#include <limits>
#include <queue>
#include <span>
#include <vector>

#include "base/containers/numbered_heap.hpp"
#include "base/exact_sum.hpp"
#include "network/fluid/rates/max_min_rates.hpp"

namespace orrery::core {

// An observer is told what flows.
class FlowObserver {
 public:
  // All flows of a route together have had this rate from one time to another.
  virtual void flowed(std::uint32_t route, double from_ns, double to_ns, double bytes_per_ns) = 0;

 protected:
  ~FlowObserver() = default;
};

class FlowProgress {
 public:
  FlowProgress() = default;
  FlowProgress(const FlowProgress&) = delete;  // it may point to its own shares
  FlowProgress& operator=(const FlowProgress&) = delete;

  // Keeps a pointer.
  void set_observer(FlowObserver& observer) { observer_ = &observer; }
  // Makes `rates` say at which rates flows send, instead of their fair shares. Keeps a pointer. No flow may
  // have started.
  void set_rates(FlowShares& rates) { rates_ = &rates; }
  // Has the function called now and then while settle() works, as FlowShares does.
  void call_while_settling(std::function<void()> works) { rates_->call_while_settling(std::move(works)); }

  struct End {
    std::uint32_t flow;  // number that whoever started it gave it
    double at;
  };
  struct Rest {  // the rest of a flow that was stopped
    std::uint32_t flow;
    double bytes;
  };
  static constexpr double never = std::numeric_limits<double>::infinity();

  // Capacities are in bytes per ns.
  std::uint32_t add_resource(double capacity) { return shares_.add_resource(capacity); }
  void set_capacity(std::uint32_t resource, double capacity) { shares_.set_capacity(resource, capacity); }
  std::uint32_t split(std::uint32_t resource) { return shares_.split(resource); }
  // Flows of a route share it, or go one behind the other.
  enum class Order : std::uint8_t { together, in_line };
  std::uint32_t add_route(std::span<const MaxMinRates::Use> uses, Order order = Order::together);

  // Starts a flow. Every flow that ends before `now` must have been told by advance().
  void start(std::uint32_t route, std::uint32_t flow, double bytes, double now);
  // Stops all flows, route by route, and those of each route in the order of their starts, so that they can
  // start again elsewhere. Every flow that ends before `now` must have been told by advance().
  std::vector<Rest> stop_all(double now);
  // Shares links between all flows that have started. Has to follow the last start() of an instant.
  void settle(double now);
  // Returns when the next flow ends; `never` when there is none.
  double next_end() const { return next_ends_.empty() ? never : next_ends_.least(); }
  // Ends the flows that end up to that time, and appends them to `ends`, in the order of their ends, then
  // their routes, and then their starts.
  void advance(double until, std::vector<End>& ends);

  // Returns how many bytes one flow of the route still has to send at that time: the flow that ends first, or
  // all flows of a line together. The route has flows.
  double bytes_left(std::uint32_t route, double now) const;

  // Returns how many bytes all flows of the route together still have to send at that time.
  double bytes_left_of_all(std::uint32_t route, double now) const;
  // Tells the observer of everything until then.
  void tell_all(double now);

  MaxMinRates& shares() { return shares_; }
  const MaxMinRates& shares() const { return shares_; }

 private:
  // Flows of one route get the same bytes at the same times. So the bytes that each has got since the route
  // began to have flows are counted once, and a flow ends when that count reaches its goal. Where flows go in
  // line, the route itself is a flow, and the goal of each flow lies after that of the flow before it.
  struct Goal {
    double bytes;
    std::uint64_t number;  // number of the start
    std::uint32_t flow;
    bool operator<(const Goal& other) const {  // queues have the largest in front
      return bytes != other.bytes ? bytes > other.bytes : number > other.number;
    }
  };
  struct Route {
    Order order = Order::together;
    std::uint32_t pace = FlowShares::no_pace;
    std::uint32_t place = 0;  // among the routes of the pace
    double ahead = 0;         // bytes that each flow has got, less those of the pace
    double last_goal = 0;
    std::uint32_t version = 0;  // version of its entry among the next goals of the pace
    std::priority_queue<Goal> goals;
  };
  struct NextGoal {
    double bytes;  // in those of the pace
    std::uint32_t route, version;
    bool operator<(const NextGoal& other) const {  // heaps have the largest in front
      return bytes != other.bytes ? bytes > other.bytes : route > other.route;
    }
  };
  struct Pace {
    ExactSum served;  // bytes that each flow has got until `since` while the pace had any
    double since = 0, rate = 0;
    std::vector<std::uint32_t> routes;
    std::vector<NextGoal> goals;  // a heap; some are outdated, but not the first
    double next_goal = never;     // that of the first
  };

  double served(const Route& route, double now) const;
  void serve(std::uint32_t pace, double now);
  void tell(std::uint32_t pace, double until) const;
  void stop(std::uint32_t route, double now, std::vector<Rest>& rests);
  void count_flows(std::uint32_t route);
  void change_pace(std::uint32_t route, double now);
  void leave_pace(std::uint32_t route);
  void list_goal(std::uint32_t route);
  void unlist_goal(std::uint32_t route);
  void drop_outdated(Pace& pace) const;
  bool is_outdated(const NextGoal& goal) const { return goal.version != routes_[goal.route].version; }
  void foresee(std::uint32_t pace);
  void end_flows(std::uint32_t route, double at, std::vector<End>& ends);

  MaxMinRates shares_;
  FlowShares* rates_ = &shares_;
  FlowObserver* observer_ = nullptr;
  std::vector<Route> routes_;
  std::vector<Pace> paces_;
  NumberedHeap<double> next_ends_;     // of paces
  std::vector<std::uint32_t> ending_;  // routes of which flows end in this instant
  std::uint64_t started_ = 0;
};

}  // namespace orrery::core
