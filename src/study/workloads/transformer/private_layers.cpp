#include "study/workloads/transformer/private_layers.hpp"

#include <algorithm>
#include <array>
#include <functional>
#include <optional>
#include <set>
#include <utility>
#include <variant>

#include "topology/graph/changes/link_changes.hpp"
#include "topology/graph/measures/private_links.hpp"
#include "topology/graph/measures/relayed_parts.hpp"
#include "topology/graph/network_graph.hpp"
#include "workload/training/stages/block_costs.hpp"
#include "workload/training/training_communicators.hpp"

namespace orrery::core {
namespace {

// Returns the axes along which layers communicate; none if they do so in blocks, which begin while others are
// still made, so that no collective takes its time in one go.
std::optional<std::set<Axis>> axes_within_layers(const TrainingSetup& setup) {
  std::set<BlockKind> kinds;
  for (std::uint64_t stage = 0; stage < setup.plan.pipeline; ++stage)
    for (const std::vector<BlockKind>& chunk : blocks_of_stage(setup.model, setup.plan, stage))
      kinds.insert(chunk.begin(), chunk.end());
  std::set<Axis> axes;
  for (const BlockKind kind : kinds) {
    const RankBlock block = block_of(kind, setup);
    for (const std::vector<Step>* steps : {&block.forward, &block.backward})
      for (const Step& step : *steps)
        if (const auto* exchange = std::get_if<Exchange>(&step.work)) {
          if (exchange->blocks > 1) return std::nullopt;
          axes.insert(exchange->axis);
        }
  }
  return axes;
}

struct PrivateLayers {
  std::set<std::uint32_t> communicators;  // of layers
  std::vector<GroupDimensions> groups;    // of these communicators
  std::vector<bool> planes;               // that these use, by plane
};

// Returns the groups of all ranks that communicate, but for those of some communicators.
std::vector<GroupDimensions> all_groups_but(const TrainingSetup& setup,
                                            const TrainingCommunicators& communicators,
                                            const std::set<std::uint32_t>& without) {
  std::vector<GroupDimensions> groups{
      setup.mesh().communicator({}, std::array{MeshAxis::pipeline}).dimensions};
  for (std::uint32_t number = 0; number < communicators.all().size(); ++number)
    if (!without.contains(number)) groups.push_back(communicators[number].dimensions);
  return groups;
}

// Returns none where layers have no links for themselves.
std::optional<PrivateLayers> private_layers(const TrainingSetup& setup, const Topology& topology,
                                            const TrainingCommunicators& communicators,
                                            const NetworkPlanes& planes) {
  const std::optional<std::set<Axis>> axes = axes_within_layers(setup);
  if (!axes) return std::nullopt;
  std::vector<LinkId> changing;
  if (topology.link_changes)
    for (const LinkChange& change : topology.link_changes->list) changing.push_back(change.link);
  PrivateLayers layers{{}, {}, std::vector<bool>(planes.size())};
  for (const Axis axis : *axes) {
    const std::uint32_t own = communicators.along(axis);
    const std::optional<std::vector<bool>> used =
        private_planes(*topology.graph, planes, communicators[own].dimensions,
                       all_groups_but(setup, communicators, {own}), changing);
    if (!used) return std::nullopt;
    layers.communicators.insert(own);
    layers.groups.push_back(communicators[own].dimensions);
    for (std::size_t plane = 0; plane < used->size(); ++plane)
      if ((*used)[plane]) layers.planes[plane] = true;
  }
  return layers;
}

// Returns who may send messages to whom. Messages within layers stay on links that never change, so nobody
// passes them on. Returns nothing if that would be more than `most`.
std::vector<NpuPair> messages_beside_layers(const TrainingSetup& setup, int npus,
                                            const TrainingCommunicators& communicators,
                                            const PrivateLayers& layers, std::size_t most) {
  std::vector<NpuPair> messages;
  for (const GroupDimensions& group : all_groups_but(setup, communicators, layers.communicators)) {
    for (int npu = 0; npu < npus; ++npu) {
      if (first_of_group(group, npu) != npu) continue;
      const std::vector<NodeId> members = group_of(group, npu);
      if (messages.size() + members.size() * members.size() > most) return {};
      for (const NodeId from : members)
        for (const NodeId to : members)
          if (from != to) messages.emplace_back(from, to);
    }
  }
  return messages;
}

// Says of all ranks whose groups have a rank that does not count that they do not count, either.
void leave_out_groups(const std::vector<GroupDimensions>& groups, std::vector<bool>& counts) {
  for (bool changed = true; std::exchange(changed, false);)
    for (const GroupDimensions& group : groups)
      for (std::size_t rank = 0; rank < counts.size(); ++rank) {
        if (counts[rank]) continue;
        for (const NodeId member : group_of(group, first_of_group(group, static_cast<int>(rank)))) {
          changed = changed || counts[member.index()];
          counts[member.index()] = false;
        }
      }
}

}  // namespace

bool layers_have_private_links(const TrainingSetup& setup, const Topology& topology) {
  return topology.graph &&
         private_layers(setup, topology, TrainingCommunicators(setup), NetworkPlanes(*topology.graph))
             .has_value();
}

std::vector<bool> ranks_with_private_layers(const TrainingSetup& setup, const Topology& topology,
                                            const std::vector<RankId>& except) {
  constexpr std::size_t max_pairs = 20'000'000;  // of all states of the links, which take a second
  const NetworkGraph& graph = *topology.graph;
  const TrainingCommunicators communicators(setup);
  const NetworkPlanes planes(graph);
  const std::optional<PrivateLayers> layers = private_layers(setup, topology, communicators, planes);
  if (!layers || layers->groups.empty()) return {};
  std::vector<NpuPair> messages =
      messages_beside_layers(setup, topology.npus(), communicators, *layers,
                             max_pairs / (1 + times_of_changes(*topology.link_changes)));
  if (messages.empty()) return {};

  std::vector<std::vector<std::uint32_t>> planes_of(graph.npus());
  for (std::uint32_t plane = 0; plane < planes.size(); ++plane)
    if (layers->planes[plane])
      for (const NodeId npu : planes[plane].npus) planes_of[npu.index()].push_back(plane);
  std::vector<bool> counts(graph.npus(), true);
  for (const RankId rank : except) counts[rank.index()] = false;
  for (const auto& [from, to] :
       relayed_parts(graph, *topology.link_changes, topology.route_seed, std::move(messages)))
    for (const std::uint32_t plane : planes_of[from.index()])
      if (std::ranges::binary_search(planes_of[to.index()], plane))
        for (const NodeId npu : planes[plane].npus) counts[npu.index()] = false;
  leave_out_groups(layers->groups, counts);
  if (std::ranges::none_of(counts, std::identity{})) return {};
  return counts;
}

}  // namespace orrery::core
