#include "network/graph/forwarding_transport.hpp"

#include <gtest/gtest.h>

#include "network/flows/run_flows.hpp"
#include "topology/graph/changes/link_changes.hpp"

namespace orrery::core::forwarding_transport_test {
namespace {

// NPUs in a line, which do not forward: a byte takes a nanosecond on each link, and 100 ns pass.
Topology line(int npus, Routing routing) {
  NetworkGraph graph;
  for (int npu = 0; npu < npus; ++npu) graph.add({NodeKind::npu, "npu" + std::to_string(npu)});
  for (int npu = 0; npu + 1 < npus; ++npu)
    graph.join(NodeId(npu), NodeId(npu + 1), {Bandwidth::from_gb_per_s(1), Time::from_ns(100)});
  Topology topology;
  topology.dimensions.emplace_back().size = npus;
  topology.graph = std::make_shared<const NetworkGraph>(std::move(graph));
  topology.routing = routing;
  return topology;
}

FlowsResult run(const Topology& topology, const std::vector<std::pair<int, int>>& ends) {
  std::vector<Flow> flows;
  for (const auto& [source, destination] : ends) {
    Flow& flow = flows.emplace_back();
    flow.source = source;
    flow.destination = destination;
    flow.bytes = Bytes(1000);
  }
  return run_flows(flows, topology, {.model = &fluid_model});
}

TEST(ForwardingTransport, AnNpuBetweenReceivesAMessageAndSendsItOn) {
  EXPECT_THROW(run(line(3, &ecmp_routing), {{0, 2}}), InputError);
  const FlowsResult result = run(line(3, &relay_routing), {{0, 2}});
  EXPECT_EQ(result.flows[0].end, Time::from_ns(2200));
  ASSERT_EQ(result.links.size(), 2u);
  for (const LinkUse& link : result.links) EXPECT_EQ(link.load.bytes, Bytes(1000));
}

TEST(ForwardingTransport, NeighboursNeedNobody) {
  EXPECT_EQ(run(line(3, &relay_routing), {{0, 1}}).flows[0].end, Time::from_ns(1100));
}

TEST(ForwardingTransport, WhatTheyPassOnSharesTheirLinks) {
  // Both share the first link, and the second half has the other one to itself.
  const FlowsResult result = run(line(3, &relay_routing), {{0, 2}, {0, 1}});
  EXPECT_EQ(result.flows[1].end, Time::from_ns(2100));
  EXPECT_EQ(result.flows[0].end, Time::from_ns(3200));
}

TEST(ForwardingTransport, SeveralPassAMessageOnOneAfterTheOther) {
  EXPECT_EQ(run(line(4, &relay_routing), {{0, 3}}).flows[0].end, Time::from_ns(3300));
}

// Three NPUs are joined in a triangle, and the link between the first and the last one breaks.
Topology broken_triangle(Time at, Relaying relaying) {
  NetworkGraph graph;
  for (int npu = 0; npu < 3; ++npu) graph.add({NodeKind::npu, "npu" + std::to_string(npu)});
  const LinkProperties link{Bandwidth::from_gb_per_s(1), Time::from_ns(100)};
  graph.join(NodeId(0), NodeId(1), link);
  graph.join(NodeId(1), NodeId(2), link);
  const LinkId breaks = graph.join(NodeId(0), NodeId(2), link);
  Topology topology;
  topology.dimensions.emplace_back().size = 3;
  topology.graph = std::make_shared<const NetworkGraph>(std::move(graph));
  LinkChanges changes{{{at, breaks, 0, {}}}, relaying};
  topology.link_changes = std::make_shared<const LinkChanges>(std::move(changes));
  return topology;
}

TEST(ForwardingTransport, PassOnWhatIsLeftWhenALinkBreaks) {
  EXPECT_THROW(run(broken_triangle(Time::from_ns(400), Relaying::never), {{0, 2}}), InputError);
  // 600 bytes are left after 400 ns, and go over two links one after the other.
  const FlowsResult result = run(broken_triangle(Time::from_ns(400), Relaying::where_cut), {{0, 2}});
  EXPECT_EQ(result.flows[0].end, Time::from_ns(400 + 2 * 700));
  std::uint64_t bytes = 0;
  for (const LinkUse& link : result.links) bytes += link.load.bytes.count() * link.links;
  EXPECT_EQ(bytes, 400u + 2 * 600);
}

TEST(ForwardingTransport, PassOnMessagesThatWaitBehindACutOne) {
  std::vector<std::pair<int, int>> ends(3, {0, 2});
  FlowsResult result = run(broken_triangle(Time(), Relaying::where_cut), ends);
  // The flows have channels of their own, so they share the first link, and then the second one.
  for (const FlowTimes& flow : result.flows) EXPECT_EQ(flow.end, Time::from_ns(2 * 3100));
}

TEST(ForwardingTransport, AreAlwaysUsedIfOneAsksForThat) {
  // From npu0 to npu2, four links lead over switches, and two over npu1.
  NetworkGraph graph;
  for (int npu = 0; npu < 3; ++npu) graph.add({NodeKind::npu, "npu" + std::to_string(npu)});
  const LinkProperties link{Bandwidth::from_gb_per_s(1), Time::from_ns(100)};
  graph.join(NodeId(0), NodeId(1), link);
  graph.join(NodeId(1), NodeId(2), link);
  NodeId before;
  for (int number = 0; number < 3; ++number) {
    const NodeId node = graph.add({NodeKind::cpu, "cpu" + std::to_string(number), true});
    graph.join(before, node, link);
    before = node;
  }
  graph.join(before, NodeId(2), link);
  Topology topology;
  topology.dimensions.emplace_back().size = 3;
  topology.graph = std::make_shared<const NetworkGraph>(std::move(graph));
  topology.routing = &relay_routing;
  EXPECT_EQ(run(topology, {{0, 2}}).flows[0].end, Time::from_ns(1400));
  topology.link_changes = std::make_shared<const LinkChanges>(LinkChanges{{}, Relaying::always});
  EXPECT_EQ(run(topology, {{0, 2}}).flows[0].end, Time::from_ns(2200));
  EXPECT_EQ(run(topology, {{0, 1}}).flows[0].end, Time::from_ns(1100));
}

}  // namespace
}  // namespace orrery::core::forwarding_transport_test
