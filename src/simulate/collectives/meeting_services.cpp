#include "simulate/collectives/meeting_services.hpp"

#include <algorithm>

#include "collective/channels/channel_collectives.hpp"
#include "collective/library/library_collectives.hpp"
#include "topology/graph/changes/link_changes.hpp"

namespace orrery {
namespace {

// NCCL finds its channels when it starts, among the links that work then.
std::shared_ptr<const NetworkGraph> graph_at_start(const Topology& topology) {
  const NetworkGraph& graph = *topology.graph;
  const auto breaks = [](const LinkChange& change) { return change.at == Time() && change.share == 0; };
  if (topology.link_changes && std::ranges::any_of(topology.link_changes->list, breaks))
    return std::make_shared<const NetworkGraph>(left_at(graph, *topology.link_changes, Time()));
  return {std::shared_ptr<const NetworkGraph>(), &graph};  // which the topology owns
}

}  // namespace

std::unique_ptr<CollectiveService> make_meeting_service(const Machine& machine, EventLoop& loop,
                                                        Transport* transport, const CollectiveRanks& ranks,
                                                        CollectiveListener& listener) {
  if (machine.library) return std::make_unique<LibraryCollectives>(loop, *machine.library, ranks, listener);
  if (!machine.system.channels) return nullptr;
  return std::make_unique<ChannelCollectives>(loop, *transport, graph_at_start(machine.topology), ranks,
                                              listener, machine.system.channels_where);
}

}  // namespace orrery
