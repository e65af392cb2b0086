// The smallest network in which a message has a choice.
#pragma once

#include "topology/graph/network_graph.hpp"
#include "topology/topology.hpp"

namespace orrery::core::test {

// Two hosts, and between them the switches a and b. A byte takes a nanosecond on a link, and each way 200 ns.
inline Topology two_ways() {
  NetworkGraph graph;
  for (const char* name : {"npu0", "npu1"}) graph.add({NodeKind::npu, name});
  const LinkProperties cable{Bandwidth::from_gb_per_s(1), Time::from_ns(100)};
  for (const char* name : {"a", "b"}) {
    const NodeId hub = graph.add({NodeKind::network_switch, name, true});
    graph.join(NodeId(0), hub, cable);
    graph.join(hub, NodeId(1), cable);
  }
  Topology topology;
  topology.dimensions.emplace_back().size = 2;
  topology.graph = std::make_shared<const NetworkGraph>(std::move(graph));
  return topology;
}

}  // namespace orrery::core::test
