// The rates at which flows send according to packets, where these are known, and their fair shares elsewhere.
// Each route has a pace of its own.
#pragma once

#include <vector>

#include "network/fluid/flow_progress.hpp"
#include "network/packet/steady/contention_cache.hpp"

namespace orrery::core {

class PacketShares final : public FlowShares {
 public:
  // Keeps references. `flows` has the fair shares.
  PacketShares(const Topology& topology, const PacketSettings& settings, FlowProgress& flows);

  // Adds the route that has the next number among the flows'. Keeps a reference.
  void add(const SteadyRoute& route);

  void set_flows(std::uint32_t route, std::uint32_t flows) override;
  std::uint32_t flows(std::uint32_t route) const override { return progress_.shares().flows(route); }
  Changes settle(double now) override;
  std::uint32_t pace(std::uint32_t route) const override { return flows(route) > 0 ? route : no_pace; }
  double rate_of_pace(std::uint32_t pace) const override { return routes_[pace].rate; }

  std::size_t trials() const { return patterns_.trials(); }

 private:
  struct Route {
    const SteadyRoute* route;
    double rate = 0;
    bool touched = false;    // since the last settle()
    std::uint32_t seen = 0;  // number of the search that has seen it last
  };

  template <class Visit>
  void visit_links(std::uint32_t route, const Visit& visit) const;
  void enlist(std::uint32_t route);
  void strike(std::uint32_t route);
  void collect(std::uint32_t first, std::vector<std::uint32_t>& group);
  void settle_group(const std::vector<std::uint32_t>& group, double now);

  FlowProgress& progress_;
  ContentionCache patterns_;
  std::vector<Route> routes_;
  std::vector<std::vector<std::uint32_t>> users_;  // routes with flows, by link
  std::vector<std::uint32_t> seen_links_;          // searches that have seen them last, by link
  std::vector<std::uint32_t> touched_, settled_, changed_;
  std::uint32_t searches_ = 0;
};

}  // namespace orrery::core
