#include "topology/graph/network_graph.hpp"

#include <gtest/gtest.h>

namespace orrery::core::network_graph_test {
namespace {

TEST(NetworkGraph, ACableIsTwoLinksAndParallelOnesAreApart) {
  NetworkGraph graph;
  const NodeId a = graph.add({NodeKind::npu, "a"}), b = graph.add({NodeKind::npu, "b"});
  const NodeId hub = graph.add({NodeKind::network_switch, "hub", true});
  const LinkProperties fast{Bandwidth::from_gb_per_s(50), Time::from_ns(100)};
  const LinkId first = graph.join(a, hub, fast), second = graph.join(a, hub, fast);
  const LinkId one_way = graph.connect(hub, b, {Bandwidth::from_gb_per_s(25), Time::from_ns(5)});

  EXPECT_EQ(graph.npus(), 2u);
  EXPECT_EQ(graph.nodes(), 3u);
  EXPECT_EQ(graph.links(), 5u);
  EXPECT_EQ(graph.link(first).to, hub);
  EXPECT_EQ(graph.link(graph.reverse(first)).to, a);
  EXPECT_EQ(graph.reverse(graph.reverse(second)), second);
  EXPECT_EQ(graph.reverse(one_way), LinkId::none);
  EXPECT_EQ(graph.links_from(hub).size(), 3u);
  EXPECT_EQ(graph.links_to(b).size(), 1u);
  EXPECT_EQ(graph.link(graph.links_to(b)[0]).bandwidth.bytes_per_ns(), 25);
}

}  // namespace
}  // namespace orrery::core::network_graph_test
