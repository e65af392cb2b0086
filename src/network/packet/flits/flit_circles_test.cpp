// Packets on rings never wait for one another for ever (docs/models/network-flits.md).
#include <gtest/gtest.h>

#include <fmt/format.h>

#include <array>
#include <cstdlib>

#include "support/flit_networks.hpp"

namespace orrery::core::flit_circles_test {
namespace {

using test::flit_flow;
using test::flit_network;
using test::flit_ring;
using test::random_flit_flows;
using test::run_flits;

void expect_that_all_arrive(const std::string& network, int npus, int seeds) {
  const Topology topology = flit_network(network);
  for (int seed = 0; seed < seeds; ++seed) {
    Random random(static_cast<std::uint64_t>(seed));
    const std::vector<Flow> flows = random_flit_flows(random, npus, 60 * npus / 4);
    const FlowsResult result = run_flits(topology, flows);
    for (const FlowTimes& times : result.flows) ASSERT_GT(times.end, times.start);
    ASSERT_EQ(result.end, run_flits(topology, flows).end);
  }
}

TEST(FlitCircles, NothingWaitsForeverOnRings) {
  for (const int npus : {3, 4, 7})
    for (const int vcs : {1, 2, 3, 5})
      expect_that_all_arrive(flit_ring(npus, vcs, vcs == 1 ? 4 : 2), npus, 10);
}

TEST(FlitCircles, NothingWaitsForeverOnToriAndMeshes) {
  for (const char* form :
       {"topology: Torus routing-algorithm: Ring_XY ", "topology: Mesh routing-algorithm: Mesh_XY "})
    for (const int vcs : {1, 2, 4})
      expect_that_all_arrive(
          fmt::format("num-npus: 24 sizes: 4,3,2 {} flit-width: 128 package-packet-size: 64 vcs-per-vnet: {} "
                      "buffers-per-vc: 4 ",
                      form, vcs),
          24, 5);
}

// All NPUs send equally far around one ring, which closes a circle of packets.
std::vector<Flow> around(int npus, int hops, std::uint64_t bytes) {
  std::vector<Flow> flows;
  for (int npu = 0; npu < npus; ++npu) flows.push_back(flit_flow(npu, (npu + hops) % npus, bytes, 0));
  return flows;
}

TEST(FlitCircles, NothingWaitsForeverWhereAllSendAroundARing) {
  for (const int npus : {4, 8})
    for (const int vcs : {1, 2, 4})
      for (int hops = 2; hops < npus; ++hops) {
        const Topology topology = flit_network(flit_ring(npus, vcs, 4));
        EXPECT_EQ(run_flits(topology, around(npus, hops, 128 * 100)).flows.size(),
                  static_cast<std::size_t>(npus));
      }
}

TEST(FlitCircles, WithStrictReferencePacketsMayWaitForOneAnother) {
  const Topology topology = flit_network(flit_ring(4, 1, 4) + "strict-reference: 1");
  EXPECT_THROW(run_flits(topology, around(4, 2, 65536)), StallError);
}

TEST(FlitCircles, PacketsTooLongForTheOnlyBufferAreRefusedWhereTheyCloseARing) {
  const Topology topology = flit_network(flit_ring(4, 1, 2));
  EXPECT_THROW(run_flits(topology, {flit_flow(3, 1, 1, 0)}), InputError);
  EXPECT_EQ(run_flits(topology, {flit_flow(0, 2, 1, 0)}).flows.size(), 1u);
}

// A packet from NPU 30 to 39 had taken the virtual channel for which one from 29 to 3 waited, behind which
// its own end stood in a buffer.
TEST(FlitCircles, APacketsEndDoesNotWaitBehindOneThatWaitsForItsHead) {
  const Topology topology = flit_network(
      "num-npus: 48 topology: Torus routing-algorithm: Ring_XY sizes: 4,3,4 flit-width: 128 "
      "package-packet-size: 48 "
      "package-link-width: 64 package-link-latency: 6 vcs-per-vnet: 2 buffers-per-vc: 1 injection-order: "
      "interleave "
      "router-latency: 2 ");
  std::vector<Flow> flows{flit_flow(29, 3, 2487), flit_flow(30, 39, 2145), flit_flow(29, 5, 1878),
                          flit_flow(29, 14, 1064)};
  const std::array starts{1260, 1353, 209, 1094};
  for (std::size_t flow = 0; flow < flows.size(); ++flow) flows[flow].start = Time::from_ns(starts[flow]);
  EXPECT_EQ(run_flits(topology, flows).flows.size(), flows.size());
}

// A ring, torus or mesh of random sizes with narrow buffers.
std::string random_rings(Random& random, int& npus) {
  const int dimensions = random.between(1, 3);
  std::string sizes;
  npus = 1;
  for (int d = 0; d < dimensions; ++d) {
    const int size = random.between(2, dimensions == 1 ? 9 : 4);
    sizes += fmt::format("{}{}", d == 0 ? "" : ",", size);
    npus *= size;
  }
  const int flits = random.between(1, 6), vcs = random.between(1, 4);
  const bool mesh = random.chance(20);
  return fmt::format(
      "num-npus: {} topology: {} routing-algorithm: {} sizes: {} flit-width: 128 package-packet-size: {} "
      "package-link-width: {} package-link-latency: {} vcs-per-vnet: {} buffers-per-vc: {} "
      "injection-order: {} router-latency: {} ",
      npus, mesh ? "Mesh" : "Torus", mesh ? "Mesh_XY" : "Ring_XY", sizes, 16 * flits,
      16 << random.between(0, 3), random.between(1, 8), vcs, vcs == 1 ? flits : random.between(1, flits),
      random.chance(50) ? "fifo" : "interleave", random.between(1, 3));
}

// A million cycles, or a hundred million with ORRERY_TEST_LONG.
TEST(FlitCircles, NothingWaitsForeverUnderRandomTrafficSlow) {
  const double most = std::getenv("ORRERY_TEST_LONG") ? 1e8 : 1e6;
  double cycles = 0;
  for (std::uint64_t seed = 0; cycles < most; ++seed) {
    Random random(seed);
    int npus = 0;
    const std::string network = random_rings(random, npus);
    const std::vector<Flow> flows = random_flit_flows(random, npus, 40 * npus);
    ASSERT_NO_THROW(cycles += run_flits(flit_network(network), flows).end.ns())
        << "seed " << seed << ": " << network;
  }
}

}  // namespace
}  // namespace orrery::core::flit_circles_test
