#include "workload/training/own_network.hpp"

#include "collective/library/network_library.hpp"

namespace orrery {

TrainingSetup on_own_network(const TrainingSetup& setup, const Topology& topology,
                             const SystemConfig& system) {
  TrainingSetup moved = setup;
  if (!system.library.empty()) {
    moved.library = library_on(topology, system.library, system.library_where);
    return moved;
  }
  moved.collectives_are_messages = true;
  ClusterLinks links;
  links.gpus_per_node = topology.npus();
  links.inside = "1000 GB/s";
  moved.library = find_collective_library("ideal", links, system.where);
  return moved;
}

}  // namespace orrery
