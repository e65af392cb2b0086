#include "topology/received_bandwidth.hpp"

#include <gtest/gtest.h>

#include "topology/files/any_network.hpp"
#include "topology/graph/formats/graph_file.hpp"

namespace orrery::core::received_bandwidth_test {
namespace {

double received(const std::string& text) {
  Warnings warnings;
  return received_per_second(topology_of(read_graph_file(text, "net.yaml", warnings)));
}

TEST(ReceivedBandwidth, OfAGraphIsThatOfAllLinksIntoAnNpu) {
  EXPECT_EQ(received("build: torus\nlink: { bandwidth: 10 GB/s, latency: 1 us }\ndimensions: [ { size: 4 }, "
                     "{ size: 2 } ]"),
            30e9);
  EXPECT_EQ(
      received("build: fully-connected\nsize: 5\nlink: { bandwidth: 10 GB/s, latency: 1 us, count: 2 }"),
      80e9);
  EXPECT_EQ(received("build: fat-tree\nlink: { bandwidth: 10 GB/s, latency: 1 us }\nlevels: [ { size: 4 }, { "
                     "size: 2 } ]"),
            10e9);
}

TEST(ReceivedBandwidth, OfDimensionsIsThatOfTheFastest) {
  Topology topology;
  topology.dimensions.resize(3);
  topology.dimensions[0].size = 4;
  topology.dimensions[0].links = 2;
  topology.dimensions[0].link_bandwidth = Bandwidth::from_gb_per_s(10);
  topology.dimensions[1] = topology.dimensions[0];
  topology.dimensions[1].links = 6;
  topology.dimensions[2] = topology.dimensions[1];
  topology.dimensions[2].size = 1;
  topology.dimensions[2].links = 100;
  EXPECT_EQ(received_per_second(topology), 60e9);
}

}  // namespace
}  // namespace orrery::core::received_bandwidth_test
