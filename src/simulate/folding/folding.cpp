#include "simulate/folding/folding.hpp"

#include <algorithm>
#include <optional>
#include <utility>

#include "collective/timelines/isolated_phase_simulator.hpp"
#include "program/program.hpp"
#include "simulate/collectives/collective_policies.hpp"
#include "simulate/collectives/collective_survey.hpp"
#include "simulate/folding/symmetry.hpp"
#include "simulate/machine.hpp"

namespace orrery::core {

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

// Returns ways for every dimension that phases are in, if no two phases ever share a link: each phase is in a
// dimension with links of its own, chunks come one at a time, all members of a group start together, and they
// are symmetric where their links are. Otherwise returns none. The machine's network model carries the
// messages of collectives.
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

bool keeps_fractions_of_nanoseconds(const Machine& machine) {
  return machine.dialect.whole_nanoseconds &&
         std::any_of(machine.topology.dimensions.begin(), machine.topology.dimensions.end(),
                     [](const Dimension& dimension) { return dimension.hbm_scale > 0; });
}

// Returns why the machine cannot be folded; empty if it can.
std::string reason_against(const Program& program, const Machine& machine, const CollectiveSurvey& survey) {
  if (&collective_policy_of(program, machine) == &library_policy)
    return why_not(Shortcut::closed_forms, machine);
  if (const std::string reason = why_not(Shortcut::equal_ranks, machine); !reason.empty()) return reason;
  if (keeps_fractions_of_nanoseconds(machine)) {
    return "with a memory (HBM) term this dialect adds binary64 nanoseconds, so how long a phase takes "
           "depends on when it starts";
  }
  const DimensionOrder order = machine.system.dimension_order;
  const bool themis = order == DimensionOrder::themis || order == DimensionOrder::themis_flex;
  if (themis && machine.dialect.themis_resets_with_rank0 && survey.collectives > 1) {
    return "in this dialect Themis plans by which rank issues first within an instant";
  }
  return {};
}

// Messages meet, so ranks have to be in step, and nothing may tell them apart.
std::string reason_against_one_for_all(const Program& program, const Machine& machine,
                                       const CollectiveSurvey& survey) {
  if (!machine.network.model->make_folded) return "messages may meet on links";
  if (program.parts.size() > 1) return "ranks do different things, and their messages may meet on links";
  if (std::string reason = why_not(Shortcut::one_for_all, machine); !reason.empty()) return reason;
  if (std::ranges::any_of(survey.uses, [](const auto& use) { return use.trees || use.rooted; }))
    return "the members of a tree do different things, and messages may meet on links";
  return {};
}

Folding fold_one_for_all(const Program& program, const Machine& machine, const CollectiveSurvey& survey) {
  const std::string reason = reason_against_one_for_all(program, machine, survey);
  if (!reason.empty()) return unfolded(machine, reason);
  std::vector<PeerMessages> messages;
  for (const CollectiveSurvey::Use& use : survey.uses)
    messages.insert(messages.end(), use.peers.begin(), use.peers.end());
  std::optional<SymmetricRoutes> routes = find_symmetric_routes(machine.topology, machine.dialect, messages);
  if (!routes) return unfolded(machine, "messages may meet on links, and not all NPUs are symmetric there");
  return {RankClasses::all_equal(static_cast<std::uint32_t>(machine.topology.npus())),
          true,
          {},
          std::make_shared<const SymmetricRoutes>(std::move(*routes))};
}

}  // namespace

Folding unfolded(const Machine& machine, const std::string& reason) {
  return {RankClasses::all_distinct(static_cast<std::uint32_t>(machine.topology.npus())), false, reason};
}

Folding fold(const Program& program, const Machine& machine, const CollectiveSurvey& survey, bool wanted) {
  if (!wanted) return unfolded(machine, "it was turned off");
  if (machine.network.model->carries_collectives) {
    Folding folding = fold_one_for_all(program, machine, survey);
    if (folding.folded) return folding;
    std::optional<RoutesOfGroups> isolated = find_isolated_phases(program, machine, survey);
    if (!isolated) return folding;
    return {classes_of_equal_ranks(program, machine, survey),
            true,
            {},
            nullptr,
            std::make_shared<const RoutesOfGroups>(std::move(*isolated))};
  }
  std::string reason = reason_against(program, machine, survey);
  if (reason.empty() && machine.topology.graph && !program.is_uniform())
    reason = "messages between ranks may meet on the links of a graph";
  if (!reason.empty()) return unfolded(machine, reason);
  return {classes_of_equal_ranks(program, machine, survey), true, {}};
}

}  // namespace orrery::core
