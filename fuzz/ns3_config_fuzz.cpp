// A config.txt of ns-3's back end is refused with an InputError, or flows over a network with its settings
// end or are said never to end.
#include <cstdint>
#include <memory>
#include <string_view>

#include "network/flows/run_flows.hpp"
#include "network/packet/ns3/ns3_config.hpp"
#include "topology/graph/network_graph.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace orrery::core;
  NetworkGraph graph;
  for (int npu = 0; npu < 3; ++npu) graph.add({NodeKind::npu, "npu"});
  const NodeId hub = graph.add({NodeKind::network_switch, "switch", true});
  for (const NodeId npu : first_ids<NodeId>(3))
    graph.join(npu, hub, {Bandwidth::from_gb_per_s(12.5), Time::from_ns(1000)});
  Topology topology;
  topology.dimensions.emplace_back().size = 3;
  topology.graph = std::make_shared<const NetworkGraph>(graph);
  std::vector<Flow> flows(2);
  flows[0].source = 1;
  flows[1].source = 2;
  for (Flow& flow : flows) flow.bytes = Bytes(20'000);
  Warnings warnings;
  try {
    const Ns3Config config = read_ns3_config({reinterpret_cast<const char*>(data), size}, "input", warnings);
    cut_links(config, topology);
    run_flows(flows, topology,
              {.model = &packet_model, .packets = std::make_shared<const PacketSettings>(config.packets)});
  } catch (const InputError&) {
  } catch (const StallError&) {
  }
  return 0;
}
