// Follows flows from their start to their end while they share links fairly (fair_shares.hpp).
//
// Times are nanoseconds since the start, and fractional: the end of a flow is not rounded before it changes
// the rates of others.
#pragma once

#include <cstdint>
#include <limits>
#include <queue>
#include <span>
#include <vector>

#include "network/fluid/fair_shares.hpp"

namespace orrery {

// An observer is told what flows.
class FlowObserver {
 public:
  // All flows of a way together have had this rate from one time to another.
  virtual void flowed(std::uint32_t way, double from_ns, double to_ns, double bytes_per_ns) = 0;

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
  // Flows of a way share it, or go one behind the other.
  enum class Order : std::uint8_t { together, in_line };
  std::uint32_t add_way(std::span<const FairShares::Use> uses, Order order = Order::together);

  // Starts a flow. Every flow that ends before `now` must have been told by advance().
  void start(std::uint32_t way, std::uint32_t flow, double bytes, double now);
  // Stops all flows, way by way, and those of each way in the order of their starts, so that they can start
  // again elsewhere. Every flow that ends before `now` must have been told by advance().
  std::vector<Rest> stop_all(double now);
  // Shares links between all flows that have started. Has to follow the last start() of an instant.
  void settle(double now);
  // Returns when the next flow ends; `never` when there is none.
  double next_end();
  // Ends the flows that end up to that time, and appends them to `ends`, in the order of their ends and then
  // their starts.
  void advance(double until, std::vector<End>& ends);

  // Returns how many bytes one flow of the way still has to send at that time: the flow that ends first, or
  // all flows of a line together. The way has flows.
  double bytes_left(std::uint32_t way, double now) const;

  // Returns how many bytes all flows of the way together still have to send at that time.
  double bytes_left_of_all(std::uint32_t way, double now) const;
  // Tells the observer of everything until then.
  void tell_all(double now);

  FairShares& shares() { return shares_; }
  const FairShares& shares() const { return shares_; }

 private:
  // Flows of one way get the same bytes at the same times. So the bytes that each has got since the way began
  // to have flows are counted once, and a flow ends when that count reaches its goal. Where flows go in line,
  // the way itself is a flow, and the goal of each flow lies after that of the flow before it.
  struct Goal {
    double bytes;
    std::uint64_t number;  // number of the start
    std::uint32_t flow;
    bool operator<(const Goal& other) const {  // queues have the largest in front
      return bytes != other.bytes ? bytes > other.bytes : number > other.number;
    }
  };
  struct Way {
    Order order = Order::together;
    double served = 0;  // bytes that each flow has got, until `since`
    double last_goal = 0;
    double since = 0, rate = 0;
    std::uint32_t version = 0;  // version of its entry among the ends to come
    std::priority_queue<Goal> goals;
  };
  struct NextEnd {
    double at;
    std::uint32_t way, version;
    bool operator<(const NextEnd& other) const { return at != other.at ? at > other.at : way > other.way; }
  };

  void serve(std::uint32_t way, double now);
  void tell(std::uint32_t way, double until) const;
  void stop(std::uint32_t way, std::vector<Rest>& rests);
  void count_flows(std::uint32_t way);
  void foresee(std::uint32_t way);
  void end_flows(std::uint32_t way, double at, std::vector<End>& ends);
  // Returns whether an end is to come. It is then the first of next_ends_.
  bool drop_outdated();
  bool is_outdated(const NextEnd& end) const { return end.version != ways_[end.way].version; }
  void drop_all_outdated();

  FairShares shares_;
  FlowShares* rates_ = &shares_;
  FlowObserver* observer_ = nullptr;
  std::vector<Way> ways_;
  std::vector<NextEnd> next_ends_;  // a heap; some are outdated
  std::uint64_t started_ = 0, ended_ = 0;
};

}  // namespace orrery
