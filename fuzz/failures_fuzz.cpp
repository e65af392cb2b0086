// A text is refused with an InputError, or says what breaks in a small network, over which flows then end or
// are cut off.
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "network/flows/run_flows.hpp"
#include "topology/graph/changes/failures.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace orrery::core;
  NetworkGraph graph;
  for (const char* name : {"npu0", "npu1"}) graph.add({NodeKind::npu, name});
  for (const char* name : {"a", "b"}) {
    const NodeId hub = graph.add({NodeKind::network_switch, name, true});
    for (const NodeId npu : first_ids<NodeId>(2))
      graph.join(npu, hub, {Bandwidth::from_gb_per_s(1), Time::from_ns(500)});
  }
  Topology topology;
  topology.dimensions.emplace_back().size = 2;
  topology.graph = std::make_shared<const NetworkGraph>(graph);
  Flow flow;
  flow.destination = 1;
  flow.bytes = Bytes(10'000'000);
  try {
    topology.link_changes = std::make_shared<LinkChanges>(
        read_failure_file({reinterpret_cast<const char*>(data), size}, "input", graph));
    const FlowsResult result = run_flows({flow, flow}, topology, {.model = &fluid_model});
    for (const FlowTimes& times : result.flows)
      if (times.end < Time::from_ns(10'000'999)) std::abort();
  } catch (const InputError&) {
  }
  return 0;
}
