// A text is refused with an InputError, or becomes flows that all end, on a network that has all their NPUs.
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "network/flows/flow_file.hpp"
#include "network/flows/run_flows.hpp"
#include "topology/graph/network_graph.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace orrery::core;
  constexpr int npus = 8;
  NetworkGraph graph;
  for (int npu = 0; npu < npus; ++npu) graph.add({NodeKind::npu, "npu"});
  const NodeId hub = graph.add({NodeKind::network_switch, "switch", true});
  for (const NodeId npu : first_ids<NodeId>(npus))
    graph.join(npu, hub, {Bandwidth::from_gb_per_s(50), Time::from_ns(500)});
  Topology topology;
  topology.dimensions.emplace_back().size = npus;
  topology.graph = std::make_shared<const NetworkGraph>(graph);
  try {
    std::vector<MatrixFailure> failures;
    const auto flows = read_flow_file({reinterpret_cast<const char*>(data), size}, "input", &failures);
    if (!failures.empty())
      topology.link_changes = std::make_shared<const LinkChanges>(changes_of(failures, *topology.graph));
    for (const FlowTimes& times : run_flows(flows, topology, {.model = &fluid_model}).flows)
      if (times.end < times.start) std::abort();
  } catch (const InputError&) {
  }
  return 0;
}
