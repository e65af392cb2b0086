#include "network/packet/flits/fabric_graph.hpp"

#include <gtest/gtest.h>

#include "support/flit_networks.hpp"

namespace orrery::core::fabric_graph_test {
namespace {

using test::flit_network;

TEST(FlitGraphs, EveryWireIsALink) {
  const Topology torus = flit_network(
      "num-npus: 8 num-packages: 4 package-rows: 1 topology: Torus3D local-rings: 2 flit-width: 256 "
      "tile-link-width: 64 package-link-width: 100 package-link-latency: 20 router-latency: 3 "
      "routing-algorithm: Ring_XY network-clock-ghz: 2 ");
  const BuiltNetwork built = graph_of(*torus.flits);
  EXPECT_EQ(built.groups, (std::vector<int>{2, 4, 1}));
  EXPECT_EQ(built.graph.nodes(), 8u);
  EXPECT_EQ(built.graph.links(), 8u * 2 + 8u * 2);
  const NetworkLink& local = built.graph.link(LinkId(0));
  EXPECT_DOUBLE_EQ(local.bandwidth.bytes_per_ns(), 64.0 / 8 * 2);
  // A flit of 256 bits has three phits of 100, which take three cycles more to be cut and put together.
  const NetworkLink& between = built.graph.link(LinkId(16));
  EXPECT_DOUBLE_EQ(between.bandwidth.bytes_per_ns(), 256.0 / 3 / 8 * 2);
  EXPECT_EQ(between.latency, Time::from_ps(14'500));
  const BuiltNetwork star = graph_of(
      *flit_network("num-npus: 6 num-packages: 6 topology: NV_Switch links-per-tile: 3 flit-width: 256 ")
           .flits);
  EXPECT_EQ(star.graph.nodes(), 9u);
  EXPECT_EQ(star.graph.links(), 2u * 6 * 3);
}

}  // namespace
}  // namespace orrery::core::fabric_graph_test
