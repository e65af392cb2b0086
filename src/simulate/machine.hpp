// Describes the machine that a program runs on.
#pragma once

#include <memory>
#include <vector>

#include "base/dialect.hpp"
#include "collective/library/collective_library.hpp"
#include "collective/system_config.hpp"
#include "network/host/host_stack.hpp"
#include "network/network_models.hpp"
#include "topology/slow_links.hpp"

namespace orrery {

struct Machine {
  Topology topology;
  SystemConfig system;
  Dialect dialect;
  std::vector<double> compute_slowdown;  // by rank, factor on its compute times; empty: 1 everywhere
  std::vector<SlowLinks> slow_links;
  NetworkModel network_model = &analytical_model;
  // Carries out collectives by closed forms; null: collectives are messages of algorithms.
  std::shared_ptr<const CollectiveLibrary> library = {};
  // Flows that share the network with all messages; null: none.
  std::shared_ptr<const std::vector<Flow>> background = {};
  std::shared_ptr<const PacketSettings> packets = {};  // of the network model `packet`; null: the usual ones
  bool link_history = false;                           // what links carry when is to be recorded
  bool message_times = false;                          // are to be recorded, of the model `packet`
  bool every_class = false;  // what each class of ranks does is to be recorded, not only each part's first
  // Messages pass it at their ends; null: they pass nothing.
  std::shared_ptr<const HostStack> host_stack = {};

  double slowdown_of(std::uint32_t rank) const {
    return compute_slowdown.empty() ? 1.0 : compute_slowdown[rank];
  }
};

}  // namespace orrery
