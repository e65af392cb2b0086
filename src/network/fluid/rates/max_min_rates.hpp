// Keeps the max-min fair rates of flows while flows come and go.
//
// Flows that use the same resources in the same manner are one *route* with a number of flows. No resource
// carries more than its capacity, and no flow could be faster except by slowing one that is not faster itself
// (progressive filling: Bertsekas and Gallager, Data Networks, 1992, section 6.5.2).
//
// Rates are fair exactly where every flow has a *bottleneck*: a full resource on which no other flow is
// faster. So the flows of one bottleneck, its *members*, have one rate, the resource's *level*, and levels
// are all that is kept. A level follows from those of other resources: it divides among the members what the
// others' members leave them. When a level changes, this is added to what every other resource on the
// members' routes carries, once for all members that use it (crossings.hpp), and the levels of these are
// worked out in turn, from the lowest up, because a level depends on lower ones only. A resource that would
// carry too much, or whose level falls below the rate of others' members, takes these over. It ends where no
// level changes, so that every member's bottleneck is one; and rates of which this is true are unique.
#pragma once

#include <bit>
#include <cstdint>
#include <span>
#include <vector>

#include "base/containers/wide_heap.hpp"
#include "network/fluid/rates/crossings.hpp"
#include "network/fluid/rates/flow_shares.hpp"
#include "network/fluid/rates/shared_resource.hpp"
#include "network/fluid/rates/takeover.hpp"

namespace orrery::core {

// The number of a pace is that of its flows' bottleneck.
class MaxMinRates final : public FlowShares {
 public:
  // Each flow of a route puts `weight` times its own rate on a resource.
  struct Use {
    std::uint32_t resource;
    double weight = 1;
  };

  // Capacities and rates are in one unit; capacities are above 0.
  std::uint32_t add_resource(double capacity);
  // Adds a route without flows. `uses` names at least one resource, and each resource once.
  std::uint32_t add_route(std::span<const Use> uses);

  // Adds a resource like this one. Every route that uses this one uses the new one as much.
  std::uint32_t split(std::uint32_t resource);

  // Sets the capacity of a resource. Rates follow with the next settle().
  void set_capacity(std::uint32_t resource, double capacity);
  void set_flows(std::uint32_t route, std::uint32_t flows) override;
  std::uint32_t flows(std::uint32_t route) const override { return routes_[route].flows; }

  Changes settle();
  Changes settle(double /*now*/) override { return settle(); }
  std::uint32_t pace(std::uint32_t route) const override { return routes_[route].bottleneck; }
  double rate_of_pace(std::uint32_t pace) const override { return resources_[pace].level; }
  // Returns the rate of each flow of a route, as settled last; 0 where it has no flows.
  double rate(std::uint32_t route) const;
  // Returns how much flows over a resource, as settled last.
  double load(std::uint32_t resource) const;
  // Returns how often a level has been worked out until now: the work that changes have made.
  std::uint64_t levels_found() const { return levels_found_; }

 private:
  static constexpr std::uint32_t nowhere = no_pace;
  struct PlacedUse : Use {
    std::uint32_t place = nowhere;  // in the resource's list, while the route has flows
  };
  struct Route {
    std::uint32_t first_use, uses;
    std::uint32_t flows = 0;
    std::uint32_t sharing = 0;            // flows that have been told to the resources
    std::uint32_t bottleneck = nowhere;   // of the flows that are sharing; none while they are *free*
    bool changed = false, moved = false;  // since the last settle()
  };
  // A resource to be looked at, and about which level it will have. Positive numbers are ordered as their
  // bits are, so that the first half of these and the resource make one number to compare.
  struct Look {
    std::uint64_t level_and_resource;
    Look(double level, std::uint32_t resource)
        : level_and_resource((std::bit_cast<std::uint64_t>(level) >> 32 << 32) | resource) {}
    std::uint64_t key() const { return level_and_resource; }
    std::uint32_t resource() const { return static_cast<std::uint32_t>(level_and_resource); }
  };

  std::span<PlacedUse> uses_of(const Route& route) { return {&uses_[route.first_use], route.uses}; }
  void mark_changed(std::uint32_t route);
  void note_move(std::uint32_t route);
  void enlist(std::uint32_t route, std::uint32_t use);
  void strike(const PlacedUse& use);
  void take_changes();
  void introduce(std::uint32_t route, std::uint32_t flows);
  void withdraw(std::uint32_t route);
  void reweigh(std::uint32_t route, std::uint32_t flows);
  void set_free(std::uint32_t route);
  void cross(const Route& route, const Use& use);
  double known_rate(std::uint32_t bottleneck, std::uint32_t resource) const;
  void set_watched(std::uint32_t resource, bool watched);
  void join(std::uint32_t route, std::uint32_t bottleneck);
  void take_free(std::uint32_t resource);
  double alert_of(std::uint32_t resource) const;
  void touch(std::uint32_t resource);
  void touch_all();
  void look_later(std::uint32_t resource);
  void look(Look look);
  double level_of(std::uint32_t resource) const;
  double plan_takeover(std::uint32_t resource);
  void set_level(std::uint32_t resource, double level);
  void tell(std::span<const Crossings::Crossing> crossings, double rate, double change);

  std::vector<SharedResource> resources_;
  std::vector<ResourceLoad> loads_;  // by resource
  Crossings crossings_;
  std::vector<Route> routes_;
  std::vector<PlacedUse> uses_;
  std::vector<std::uint32_t> changed_;        // routes that have changed since the last settle()
  std::vector<std::uint32_t> touched_;        // resources for touch_all()
  std::vector<std::uint32_t> moved_, paces_;  // what settle() returns
  WideHeap<Look> looks_;
  std::vector<std::uint32_t> looked_at_;  // resources in this settle()
  Takeover takeover_;                     // what plan_takeover() has found
  std::uint64_t levels_found_ = 0;
};

}  // namespace orrery::core
