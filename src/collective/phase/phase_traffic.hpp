// Computes the load that phases put on the links of a machine: a sum over their schedules, so it needs no
// simulation.
#pragma once

#include <cstdint>
#include <map>
#include <tuple>
#include <unordered_map>
#include <utility>
#include <vector>

#include "base/dialect.hpp"
#include "collective/plan/plan.hpp"
#include "network/link/link_map.hpp"
#include "network/link/link_speeds.hpp"
#include "network/link_use.hpp"
#include "network/network_setup.hpp"
#include "topology/group_kinds.hpp"

namespace orrery::core {

// The number of times that each phase has been run. Each time it runs on all groups of its dimension that
// take part.
using PhaseCounts = std::unordered_map<const PhaseShape*, std::uint64_t>;

struct TrafficMachine {
  const Topology& topology;
  const Dialect& dialect;
  const NetworkSetup& network;
  bool rendezvous;
};

// Computes how long single phases keep links busy.
class PhaseLoads {
 public:
  // Keeps references.
  explicit PhaseLoads(const TrafficMachine& machine);

  // Returns how long a phase's bytes keep the busiest link that the group of `npu` uses, or the switch that
  // adds them up, if all groups of the dimension run the phase.
  Time busiest(const PhaseShape& shape, int npu);

 private:
  using DimensionKey = std::tuple<int, int, int>;  // stride, size, dimension of the topology

  const GroupKinds& kinds_of(const LogicalDimension& group);
  bool any_slow_links() const;
  Time busiest_of_tree(const LogicalDimension& group, const TreeSchedule& tree);

  const TrafficMachine machine_;
  LinkMap map_;
  LinkSpeeds speeds_;
  std::map<DimensionKey, GroupKinds> kinds_;
  std::map<std::pair<const PhaseShape*, std::uint32_t>, Time> busiest_;  // by kind of group
  // Number of messages on the busiest link, by tree and dimension of the topology.
  std::map<std::pair<DimensionKey, bool>, std::vector<std::uint64_t>> tree_messages_;
};

// Returns the links that are used, the busiest first. Groups of a dimension do the same, so the work is that
// for one group of each dimension, unless an algorithm spans the machine or links are slow.
std::vector<LinkUse> links_used(const PhaseCounts& phases, const TrafficMachine& machine);

}  // namespace orrery::core
