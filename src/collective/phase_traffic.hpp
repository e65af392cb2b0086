// What phases put on the links of a machine: a sum over their schedules, so it needs no simulation.
#pragma once

#include <cstdint>
#include <unordered_map>
#include <vector>

#include "base/dialect.hpp"
#include "collective/plan.hpp"
#include "network/link_use.hpp"
#include "topology/slow_links.hpp"

namespace orrery {

// How often each has been run, every time on all groups of its dimension.
using PhaseCounts = std::unordered_map<const PhaseShape*, std::uint64_t>;

struct TrafficMachine {
  const Topology& topology;
  const Dialect& dialect;
  const std::vector<SlowLinks>& slow_links;
  bool rendezvous;
};

// The busiest first. Groups of a dimension do the same, so the work is that for one of each, unless an
// algorithm spans the machine or links are slow.
std::vector<LinkUse> links_used(const PhaseCounts& phases, const TrafficMachine& machine);

}  // namespace orrery
