#include "network/packet/flits/fabric_graph.hpp"

#include "network/packet/flits/fabric.hpp"

namespace orrery::core {
namespace {

LinkProperties properties_of(const Wire& wire, const FlitNetwork& network) {
  LinkProperties properties;
  const double bits_per_cycle = network.flit_bits / wire.period;
  properties.bandwidth = Bandwidth::from_gb_per_s(bits_per_cycle / 8 * network.clock_ghz);
  const double cycles = static_cast<double>(network.router_latency + wire.latency + wire.conversion);
  properties.latency = Time::from_ns_rounded(cycles / network.clock_ghz);
  return properties;
}

std::vector<int> groups_of(const FlitNetwork& network) {
  std::vector<int> groups;
  for (const FlitRings& rings : network.rings) groups.push_back(rings.size);
  if (network.packages != PackageLinks::none) groups.push_back(network.package_count);
  return groups;
}

}  // namespace

BuiltNetwork graph_of(const FlitNetwork& network) {
  const Fabric fabric(network);
  BuiltNetwork built{{}, groups_of(network)};
  for (std::uint32_t router = 0; router < fabric.routers(); ++router)
    built.graph.add(
        {router < fabric.npus() ? NodeKind::npu : NodeKind::network_switch, fabric.name_of(router), true});
  for (const Wire& wire : fabric.wires())
    if (!wire.joins_npu())
      built.graph.connect(NodeId(wire.from), NodeId(wire.to), properties_of(wire, network));
  return built;
}

}  // namespace orrery::core
