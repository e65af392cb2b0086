// Runs a phase on a group that has a machine of its own, where messages may meet others of the same phase but
// none of another phase. On any such group the phase then takes the same time (docs/models/network-fluid.md,
// "Folding").
#pragma once

#include <map>
#include <memory>
#include <vector>

#include "base/dialect.hpp"
#include "collective/plan/plan.hpp"
#include "collective/plan/system_config.hpp"
#include "network/folding/symmetric_routes.hpp"
#include "network/network_setup.hpp"

namespace orrery::core {

// By dimension: the routes of its group's messages, on a topology of nothing but this dimension. The members
// of the group are symmetric where no link is slow.
using RoutesOfGroups = std::map<LogicalDimension, std::shared_ptr<const SymmetricRoutes>>;

// Returns the topology of one group of a dimension of a topology.
Topology topology_of_group(const Topology& topology, const LogicalDimension& group);

class IsolatedPhaseSimulator {
 public:
  struct Machine {
    const Topology& topology;  // is its dimensions
    const SystemConfig& system;
    const Dialect& dialect;
    const NetworkSetup& network;
  };
  // Keeps references, except to the machine itself. Each phase is in one dimension of the topology for which
  // there are routes. The model makes transports of these.
  IsolatedPhaseSimulator(const Machine& machine, const RoutesOfGroups& routes)
      : machine_(machine), routes_(routes) {}

  // Stamps count picoseconds from the instant in which all members start.
  struct Outcome {
    std::vector<Stamp> ends;  // by position; a single one where all end together
    Time latency_sum;         // of what position 0 receives: arrival minus posting of the receive
  };
  // `base` is the group's lowest NPU. `alike` says that all members do the same on links that are equally
  // fast.
  Outcome run(const PhaseShape& shape, int base, bool alike) const;

 private:
  std::vector<SlowLinks> slow_links_of(const LogicalDimension& group, int base) const;

  Machine machine_;
  const RoutesOfGroups& routes_;
};

}  // namespace orrery::core
