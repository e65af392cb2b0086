// Holds the planners of a program: one for each communicator of each part.
#pragma once

#include <map>
#include <utility>
#include <vector>

#include "collective/plan/planner.hpp"
#include "program/collective_request.hpp"

namespace orrery::core {

class PartPlanners {
 public:
  // Keeps references.
  PartPlanners(const SystemConfig& system, const Dialect& dialect, const Topology& topology,
               const std::vector<Communicator>& communicators, const ContentionFreeNetwork& network)
      : system_(system),
        dialect_(dialect),
        topology_(topology),
        communicators_(communicators),
        network_(network) {}

  // Plans the next collective of a part.
  CollectivePlan plan(std::uint32_t part, const CollectiveRequest& request) {
    return planners_
        .try_emplace({part, request.communicator}, system_, dialect_, topology_,
                     communicators_[request.communicator].dimensions, network_)
        .first->second.plan(request);
  }

  // Forgets Themis' loads, once in each instant.
  void reset_loads(Time now) {
    if (now == loads_reset_at_) return;
    for (auto& [key, planner] : planners_) planner.reset_loads();
    loads_reset_at_ = now;
  }

 private:
  const SystemConfig& system_;
  const Dialect& dialect_;
  const Topology& topology_;
  const std::vector<Communicator>& communicators_;
  const ContentionFreeNetwork& network_;
  std::map<std::pair<std::uint32_t, std::uint32_t>, Planner> planners_;  // by part and communicator
  Time loads_reset_at_;
};

}  // namespace orrery::core
