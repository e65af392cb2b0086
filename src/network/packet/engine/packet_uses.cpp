#include "network/packet/engine/packet_uses.hpp"

#include <algorithm>
#include <functional>

namespace orrery {
namespace {

PacketLinkUse use_of(const PacketPort& port, Time now) {
  PacketLinkUse use{.packets = port.packets, .drops = port.drops, .marks = port.marks};
  const std::uint64_t holds = port.holds.count();
  const Time held = Time::from_ps(port.holds.total(now.ps()));
  (port.has_lanes ? use.credit_waits : use.pauses) = holds;
  (port.has_lanes ? use.credit_waiting : use.paused) = held;
  use.longest_queue = Bytes(port.longest_queue.highest());
  use.mean_queue = port.mean_queue(now.ps());
  use.trims = port.trims;
  use.resent = Bytes(port.resent);
  return use;
}

}  // namespace

std::vector<LinkUse> link_uses(const PacketNetwork& network, Time now) {
  const NetworkGraph& graph = network.graph();
  std::vector<LinkUse> uses;
  for (const PacketPort& port : network.links().ports())
    if (port.packets > 0)
      uses.push_back({.from = graph.node(port.node).name,
                      .to = graph.node(port.peer).name,
                      .load = {Bytes(port.bytes), port.flows},
                      .busy = Time::from_ps(port.busy - std::max<Stamp>(port.free_at - now.ps(), 0)),
                      .of_packets = use_of(port, now)});
  std::ranges::stable_sort(uses, std::ranges::greater(), &LinkUse::busy);
  return uses;
}

std::vector<SwitchUse> switch_uses(const PacketNetwork& network) {
  const NetworkGraph& graph = network.graph();
  const FlowControl& flow_control = network.flow_control();
  const std::vector<PacketPort>& ports = network.links().ports();
  std::vector<SwitchUse> uses;
  for (const NodeId node : graph.all_nodes()) {
    const Bytes peak(flow_control.peak_of(node));
    if (!graph.node(node).forwards || peak == Bytes()) continue;
    SwitchUse& use = uses.emplace_back(SwitchUse{.name = graph.node(node).name, .peak = peak});
    if (const auto bytes = flow_control.shared_buffer()) use.buffer = Bytes(*bytes);
    for (const LinkId link : graph.links_from(node)) {
      use.drops += ports[link.index()].drops;
      use.marks += ports[link.index()].marks;
      if (!ports[link.index()].has_lanes)
        use.pauses += ports[ports[link.index()].reverse.index()].holds.count();
    }
  }
  std::ranges::stable_sort(uses, std::ranges::greater(), &SwitchUse::peak);
  return uses;
}

}  // namespace orrery
