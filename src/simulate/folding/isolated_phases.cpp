#include "simulate/folding/isolated_phases.hpp"

#include <algorithm>
#include <utility>

#include "simulate/folding/symmetry.hpp"

namespace orrery {

namespace {

// Returns whether anything but the phases of one communicator's collectives goes over the links, or is asked
// of them, or whether phases meet elsewhere.
bool others_use_links(const Program& program, const Machine& machine) {
  return !program.is_uniform() || program.communicators.size() > 1 ||
         !why_not(Shortcut::isolated_phases, machine).empty();
}

bool is_its_dimensions(const Topology& topology) {
  return !topology.graph && !topology.flits;
}

bool runs_one_chunk_at_a_time(const Machine& machine) {
  return machine.dialect.phase_barrier == PhaseBarrier::next_group && machine.system.active_chunks == 1 &&
         machine.system.queues_per_dimension == 1;
}

// Returns whether a group consists of all NPUs along a dimension of the topology.
bool is_whole_dimension(const LogicalDimension& group, const Topology& topology) {
  return group.physical >= 0 &&
         group.size == topology.dimensions[static_cast<std::size_t>(group.physical)].size;
}

std::vector<PeerMessages> within_group(std::vector<PeerMessages> messages) {
  for (PeerMessages& one : messages) one.group = {1, one.group.size, 0};
  return messages;
}

}  // namespace

std::optional<RoutesOfGroups> find_isolated_phases(const Program& program, const Machine& machine,
                                                   const CollectiveSurvey& survey) {
  if (others_use_links(program, machine) || !is_its_dimensions(machine.topology) ||
      !runs_one_chunk_at_a_time(machine) || !machine.network.model->make_folded)
    return {};
  RoutesOfGroups routes;
  for (const CollectiveSurvey::Use& use : survey.uses) {
    if (use.trees || use.rooted || !is_whole_dimension(use.dimension, machine.topology)) return {};
    std::optional<SymmetricRoutes> found = find_symmetric_routes(
        topology_of_group(machine.topology, use.dimension), machine.dialect, within_group(use.peers));
    if (!found) return {};
    routes[use.dimension] = std::make_shared<const SymmetricRoutes>(std::move(*found));
  }
  return routes;
}

}  // namespace orrery
