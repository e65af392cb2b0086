// Keeps the max-min fair rates of flows while flows come and go.
//
// Flows that use the same resources in the same manner are one *way* with a number of flows. No resource
// carries more than its capacity, and no flow could be faster except by slowing one that is not faster itself
// (progressive filling: Bertsekas and Gallager, Data Networks, 1992, section 6.5.2).
//
// A change is worked out only where it is felt. Rates are fair exactly where every flow has a bottleneck: a
// full resource on which no other flow is faster. So flows whose bottleneck was touched are filled up anew
// beside all others. The others keep their rates unless that has taken their own bottleneck away.
#pragma once

#include <cstdint>
#include <queue>
#include <span>
#include <vector>

#include "network/fluid/flow_shares.hpp"

namespace orrery {

class FairShares final : public FlowShares {
 public:
  // Each flow of a way puts `weight` times its own rate on a resource.
  struct Use {
    std::uint32_t resource;
    double weight = 1;
  };

  // Capacities and rates are in one unit; capacities are above 0.
  std::uint32_t add_resource(double capacity);
  // Adds a way without flows. `uses` names at least one resource, and each resource once.
  std::uint32_t add_way(std::span<const Use> uses);

  // Adds a resource like this one. Every way that uses this one uses the new one as much.
  std::uint32_t split(std::uint32_t resource);

  // Sets the capacity of a resource. Rates follow with the next settle().
  void set_capacity(std::uint32_t resource, double capacity);
  // Sets the number of flows of a way. Rates follow with the next settle().
  void set_flows(std::uint32_t way, std::uint32_t flows) override;
  std::uint32_t flows(std::uint32_t way) const override { return ways_[way].flows; }

  // Works out the rates. Returns the ways with flows whose rate has changed. The span is valid until the next
  // call.
  std::span<const std::uint32_t> settle();
  std::span<const std::uint32_t> settle(double /*now*/) override { return settle(); }
  double rate(std::uint32_t way) const override { return ways_[way].rate; }
  // Returns how much flows over a resource, as settled last.
  double load(std::uint32_t resource) const;

 private:
  static constexpr std::uint32_t nowhere = 0xffffffff;
  struct PlacedUse : Use {
    std::uint32_t place = nowhere;  // in the resource's list, while the way has flows
  };
  struct Way {
    std::uint32_t first_use, uses;
    std::uint32_t flows = 0;
    std::uint32_t bottleneck = nowhere;
    double rate = 0;
    bool changed = false;  // since the last settle()
    bool renewed = false;  // its rate is worked out in this settle()
    bool grows = false;    // its rate is not known yet
  };
  struct User {  // a way with flows, as a resource sees it
    std::uint32_t way, use;
  };
  struct Resource {
    double capacity;
    std::vector<User> users;
    bool visited = false;
    // While rates are worked out:
    double left = 0, growing = 0;  // capacity for flows that grow, and their weight
    std::uint32_t growing_users = 0;
  };
  struct Level {  // level at which a resource is full
    double rate;
    std::uint32_t resource;
    bool operator<(const Level& other) const {
      return rate > other.rate;
    }  // queues have the largest in front
  };

  std::span<PlacedUse> uses_of(const Way& way) { return {&uses_[way.first_use], way.uses}; }
  std::span<const PlacedUse> uses_of(const Way& way) const { return {&uses_[way.first_use], way.uses}; }
  void mark_changed(std::uint32_t way);
  void enlist(std::uint32_t way);
  void strike(Way& way);
  void begin();
  void visit(std::uint32_t resource);
  void renew(std::uint32_t way);
  void fill();
  double level_of(const Resource& resource) const;
  void stop_users(std::uint32_t resource, double rate);
  bool renew_unfair();

  std::vector<Resource> resources_;
  std::vector<Way> ways_;
  std::vector<PlacedUse> uses_;
  std::vector<std::uint32_t> changed_;  // ways that have changed since the last settle()
  std::vector<std::uint32_t> visited_;  // resources of changed and renewed ways
  std::vector<std::uint32_t> renewed_;  // ways whose rates are worked out
  std::vector<double> rates_before_;    // by renewed_
  std::priority_queue<Level> levels_;   // the level of a resource may have risen since it was put in here
};

}  // namespace orrery
