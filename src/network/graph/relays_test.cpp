#include "network/graph/relays.hpp"

#include <gtest/gtest.h>

#include "network/flows/run_flows.hpp"

namespace orrery::relays_test {
namespace {

// NPUs in a line, which do not forward: a byte takes a nanosecond on each link, and 100 ns pass.
Topology line(int npus, Routing routing) {
  NetworkGraph graph;
  for (int npu = 0; npu < npus; ++npu) graph.add({NodeKind::npu, "npu" + std::to_string(npu)});
  for (NodeId npu = 0; npu + 1 < graph.npus(); ++npu)
    graph.join(npu, npu + 1, {Bandwidth::from_gb_per_s(1), Time::from_ns(100)});
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
  return run_flows(flows, {topology, native_dialect}, &fluid_model);
}

TEST(Relays, AnNpuBetweenReceivesAMessageAndSendsItOn) {
  EXPECT_THROW(run(line(3, &ecmp_routing), {{0, 2}}), InputError);
  const FlowsResult result = run(line(3, &relay_routing), {{0, 2}});
  EXPECT_EQ(result.flows[0].end, Time::from_ns(2200));
  ASSERT_EQ(result.links.size(), 2u);
  for (const LinkUse& link : result.links) EXPECT_EQ(link.load.bytes, Bytes(1000));
}

TEST(Relays, NeighboursNeedNobody) {
  EXPECT_EQ(run(line(3, &relay_routing), {{0, 1}}).flows[0].end, Time::from_ns(1100));
}

TEST(Relays, WhatTheyPassOnSharesTheirLinks) {
  // Both share the first link, and the second half has the other one to itself.
  const FlowsResult result = run(line(3, &relay_routing), {{0, 2}, {0, 1}});
  EXPECT_EQ(result.flows[1].end, Time::from_ns(2100));
  EXPECT_EQ(result.flows[0].end, Time::from_ns(3200));
}

TEST(Relays, TwoInARowAreTooMany) {
  EXPECT_THROW(run(line(4, &relay_routing), {{0, 3}}), InputError);
}

}  // namespace
}  // namespace orrery::relays_test
