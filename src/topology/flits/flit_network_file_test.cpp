#include "topology/flits/flit_network_file.hpp"

#include <gtest/gtest.h>

namespace orrery::flit_network_file_test {
namespace {

TEST(FlitNetworkFile, IsKnownByTheKeysThatItHasToHave) {
  EXPECT_TRUE(is_flit_network_file("num-npus: 4\ntopology: Torus\nsizes: 4\n"));
  EXPECT_TRUE(is_flit_network_file("flit-width: 128 vcs-per-vnet: 4"));
  EXPECT_FALSE(is_flit_network_file("topology: [ Ring ]\nnpus_count: [ 4 ]\n"));
  EXPECT_FALSE(is_flit_network_file("network: [ { topology: ring, size: 4 } ]\nflit-width: 3\n"));
}

}  // namespace
}  // namespace orrery::flit_network_file_test
