// Collectives are messages on the channels that NCCL would make of a graph (docs/models/channels.md).
#include <algorithm>

#include "collective/channels/channel_collectives.hpp"
#include "simulate/collectives/collective_policies.hpp"
#include "topology/graph/changes/link_changes.hpp"

namespace orrery::core {

namespace {

// NCCL finds its channels when it starts, among the links that work then.
std::shared_ptr<const NetworkGraph> graph_at_start(const Topology& topology) {
  const NetworkGraph& graph = *topology.graph;
  const auto breaks = [](const LinkChange& change) { return change.at == Time() && change.share == 0; };
  if (topology.link_changes && std::ranges::any_of(topology.link_changes->list, breaks))
    return std::make_shared<const NetworkGraph>(left_at(graph, *topology.link_changes, Time()));
  return {std::shared_ptr<const NetworkGraph>(), &graph};  // which the topology owns
}

// Groups find their channels when they begin, and nobody has added up yet what is on them.
class ChannelExplainer final : public CollectiveExplainer {
 public:
  using CollectiveExplainer::CollectiveExplainer;

  ExchangeCost of(std::uint32_t, const CollectiveRequest&, int) override { return {}; }
};

}  // namespace

const CollectivePolicy channels_policy{
    .name = "channels",
    .as_a_whole = true,
    .applies = [](const Program&, const Machine& machine) { return machine.system.channels; },
    .make = [](const CollectiveRun& run) -> std::unique_ptr<RecordedCollectives> {
      const Machine& machine = run.machine;
      return std::make_unique<ChannelCollectives>(run.loop, *run.transport, graph_at_start(machine.topology),
                                                  run.ranks, run.listener, machine.system.channels_where);
    },
    .survey = [](const Program& program, const Machine&) { return survey_of_groups(program); },
    .explain = [](const Program&, const Machine& machine) -> std::unique_ptr<CollectiveExplainer> {
      return std::make_unique<ChannelExplainer>(machine);
    }};

}  // namespace orrery::core
