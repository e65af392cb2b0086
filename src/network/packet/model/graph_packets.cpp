#include <fmt/format.h>

#include "base/diagnostics/diagnostics.hpp"
#include "network/graph/forwarding_transport.hpp"
#include "network/network_setup.hpp"
#include "network/packet/engine/packet_transport.hpp"
#include "network/packet/flow_control/flow_control_kinds.hpp"
#include "network/packet/model/packet_keys.hpp"
#include "network/packet/packet_family.hpp"
#include "network/packet/reliability/reliability_kinds.hpp"
#include "network/packet/steady/steady_state_transport.hpp"
#include "topology/graph/relays/relaying.hpp"
#include "topology/graph/routing/routing_kinds.hpp"

namespace orrery::core {

namespace {

std::unique_ptr<Transport> every_packet(const TransportMachine& machine,
                                        std::shared_ptr<const PacketSettings> settings, EventLoop& loop) {
  const Topology& topology = machine.topology;
  auto packets = std::make_unique<PacketTransport>(topology, std::move(settings), loop);
  if (machine.network.link_history) packets->keep_history();
  if (machine.network.message_times) packets->keep_message_times();
  for (const auto& log : machine.network.packet_logs) packets->add_log(log);
  if (relaying_of(topology) == Relaying::never) return packets;
  PacketTransport& carrier = *packets;
  auto passed_on = std::make_unique<ForwardingTransport>(topology, std::move(packets), loop);
  carrier.give_cut_messages_to(*passed_on);
  return passed_on;
}

std::unique_ptr<Transport> make_packets(const TransportMachine& machine,
                                        std::shared_ptr<const PacketSettings> settings, EventLoop& loop) {
  if (settings->every_packet) return every_packet(machine, std::move(settings), loop);
  const Topology& topology = machine.topology;
  check_what_is_kept(*settings, machine.network.message_times, machine.network.link_history);
  auto steady = std::make_unique<SteadyStateTransport>(topology, std::move(settings), loop);
  if (relaying_of(topology) == Relaying::never) return steady;
  return std::make_unique<ForwardingTransport>(topology, std::move(steady), loop);
}

void check_npus(const NicPauseSettings& pauses, const NetworkGraph& graph, const PacketSettings& settings) {
  for (const int npu : pauses.npus)
    if (static_cast<std::size_t>(npu) >= graph.npus())
      throw InputError(settings.place_or_none("nic-pauses.npus"),
                       fmt::format("`nic-pauses` names NPU {}, and the last of the network is NPU {}: name "
                                   "another one",
                                   npu, graph.npus() - 1));
}

}  // namespace

void check_packet_keys(const Topology& topology, const PacketSettings& settings, Warnings& warnings) {
  const PacketRouting& routing = packet_routing(topology, settings);
  const auto refuse = [&](std::string_view key, bool is_useless, std::string_view why) {
    if (const SourceLocation* where = settings.place_of(key); where && is_useless)
      throw InputError(*where, std::string(why));
  };
  refuse("profile", settings.ns3_routes && topology.routing,
         "the back end that the profile `ns-3` stands for has its own hash, by which every switch chooses a "
         "way: leave the routing out, or take another profile");
  refuse(
      "every-packet", !settings.every_packet && topology.link_changes && !topology.link_changes->list.empty(),
      "`every-packet: false` needs rates that last, and links change during this run: leave it out, or the "
      "failures");
  refuse("every-packet", !settings.every_packet && routing.choose,
         "`every-packet: false` needs flows that keep their ways, and this routing chooses one for every "
         "packet: leave it out, or take another routing");
  refuse("choice-interval", !routing.remembers_flows,
         "`choice-interval` is for the routings `flowlets` and `adaptive-packets`: choose one of them, or "
         "leave it out");
  refuse("choice-grade", topology.routing != &packet_adaptive_routing,
         "`choice-grade` is for the routing `adaptive-packets`: choose it, or leave the key out");
  refuse("labels", !routing.labels,
         "`labels` are for the routing `spray-labels`: choose it, or leave the key out");
  refuse("reordering", &reliability_of(settings, routing.choose != nullptr) == &go_back_n_reliability,
         "with `go-back-n` no packet may overtake another: leave `reordering` out, or take another "
         "`reliability`");
  check_npus(settings.nic_pauses, *topology.graph, settings);
  if (settings.flow_control->check) settings.flow_control->check(topology, settings, warnings);
}

void check_what_is_kept(const PacketSettings& settings, bool message_times, bool link_history) {
  if (settings.every_packet) return;
  const SourceLocation where = settings.place_or_none("every-packet");
  if (message_times)
    throw InputError(where,
                     "with `every-packet: false` packets are not followed, so that nothing is known of what "
                     "is sent again: leave it or `message-times` out");
  if (link_history)
    throw InputError(where,
                     "with `every-packet: false` packets are not followed, so that nothing is known of what "
                     "links carry when: leave it or the history of links out");
}

const PacketFamily graph_packets{
    .carries = [](const Topology& topology) { return static_cast<bool>(topology.graph); },
    .make = [](const TransportMachine& machine, EventLoop& loop) -> std::unique_ptr<Transport> {
      const Topology& topology = machine.topology;
      const auto settings =
          machine.network.packets ? machine.network.packets : std::make_shared<const PacketSettings>();
      if (settings->ns3_routes && topology.routing)
        throw InputError({},
                         "ns-3's back end has its own hash, by which every switch chooses a way: leave the "
                         "routing out");
      Warnings told_before;
      check_packet_keys(topology, *settings, told_before);
      return make_packets(machine, settings, loop);
    },
    .has_settings = true,
    .check =
        [](const Topology& topology, const Dialect&) {
          const NetworkGraph& graph = *topology.graph;
          for (const LinkId id : graph.all_links()) {
            if (graph.reverse(id) != LinkId::none) continue;
            const NetworkLink& link = graph.link(id);
            throw InputError({},
                             fmt::format("the link from {} to {} goes one way, and packets are acknowledged "
                                         "and senders paused on the way back: make it go both ways",
                                         graph.node(link.from).name, graph.node(link.to).name));
          }
        }};

}  // namespace orrery::core
