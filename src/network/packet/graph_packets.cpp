#include <fmt/format.h>

#include "base/diagnostics.hpp"
#include "network/graph/relays.hpp"
#include "network/packet/packet_family.hpp"
#include "network/packet/packet_transport.hpp"

namespace orrery {

const PacketFamily graph_packets{
    .carries = [](const Topology& topology) { return static_cast<bool>(topology.graph); },
    .make = [](const TransportMachine& machine, EventLoop& loop) -> std::unique_ptr<Transport> {
      const Topology& topology = machine.topology;
      const auto settings = machine.packets ? machine.packets : std::make_shared<const PacketSettings>();
      if (settings->choice_interval_ps && !packet_routing(topology, *settings).remembers_flows)
        throw InputError(
            {},
            "`choice-interval` is for the routings `flowlets` and `adaptive-packets`: choose one of "
            "them, or leave it out");
      std::unique_ptr<Transport> direct = std::make_unique<PacketTransport>(topology, settings, loop);
      if (!topology.routing || !topology.routing->relays) return direct;
      return std::make_unique<Relays>(topology, std::move(direct), loop);
    },
    .has_settings = true,
    .check =
        [](const Topology& topology, const Dialect&) {
          const NetworkGraph& graph = *topology.graph;
          for (LinkId id = 0; id < graph.links(); ++id) {
            if (graph.reverse(id) != NetworkGraph::no_link) continue;
            const NetworkLink& link = graph.link(id);
            throw InputError({},
                             fmt::format("the link from {} to {} goes one way, and packets are acknowledged "
                                         "and senders paused on the way back: make it go both ways",
                                         graph.node(link.from).name, graph.node(link.to).name));
          }
        }};

}  // namespace orrery
