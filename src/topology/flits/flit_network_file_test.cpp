#include "topology/flits/flit_network_file.hpp"

#include <gtest/gtest.h>

namespace orrery::core::flit_network_file_test {
namespace {

TEST(FlitNetworkFile, IsKnownByTheKeysThatItHasToHave) {
  EXPECT_TRUE(is_flit_network_file("num-npus: 4\ntopology: Torus\nsizes: 4\n"));
  EXPECT_TRUE(is_flit_network_file("flit-width: 128 vcs-per-vnet: 4"));
  EXPECT_FALSE(is_flit_network_file("topology: [ Ring ]\nnpus_count: [ 4 ]\n"));
  EXPECT_FALSE(is_flit_network_file("network: [ { topology: ring, size: 4 } ]\nflit-width: 3\n"));
}

// Each ring goes both ways, and what other network models see of it are links that share its bandwidth.
TEST(FlitNetworkFile, HasALinkForEachWayOfEachRing) {
  Warnings warnings;
  const Topology topology = read_flit_network_file(
      "num-npus: 64\ntopology: Torus\nsizes: 4,4,4\nrings: 1,2,3\nflit-width: 128\n"
      "routing-algorithm: Ring_XY\n",
      "torus.txt", warnings);
  ASSERT_EQ(topology.dimensions.size(), 3u);
  for (int d = 0; d < 3; ++d)
    EXPECT_EQ(topology.dimensions[static_cast<std::size_t>(d)].links, 2 * (d + 1)) << d;
}

}  // namespace
}  // namespace orrery::core::flit_network_file_test
