#include <gtest/gtest.h>

#include <fmt/format.h>

#include "base/random.hpp"
#include "network/flows/run_flows.hpp"
#include "topology/any_network.hpp"

namespace orrery {
namespace {

Topology flit_network(const std::string& text) {
  Warnings warnings;
  return read_any_network(text, "network.txt", warnings);
}

std::string ring_of(int npus, int vcs, int buffer) {
  return fmt::format(
      "num-npus: {} topology: Torus sizes: {} routing-algorithm: Ring_XY flit-width: 256 package-link-width: "
      "64 "
      "package-packet-size: 128 vcs-per-vnet: {} buffers-per-vc: {} ",
      npus, npus, vcs, buffer);
}

constexpr const char* seed_torus =
    "num-npus: 12 num-packages: 6 package-rows: 3 topology: Torus3D local-rings: 2 horizontal-rings: 1 "
    "vertical-rings: 1 flit-width: 2048 local-packet-size: 4096 package-packet-size: 4096 tile-link-width: "
    "256 "
    "package-link-width: 256 vcs-per-vnet: 50 routing-algorithm: Ring_XY local-link-latency: 90 "
    "package-link-latency: 200 buffers-per-vc: 5000 ";

double end_in_cycles(const Topology& topology, std::vector<Flow> flows) {
  return run_flows(flows, {topology, native_dialect}, &packet_model).end.ns();
}

Flow flow(int source, int destination, std::uint64_t bytes, std::optional<std::uint32_t> channel = {}) {
  Flow flow;
  flow.source = source;
  flow.destination = destination;
  flow.bytes = Bytes(bytes);
  flow.channel = channel;
  return flow;
}

// docs/models/network-flits.md, A single message.
TEST(Flits, ASingleMessageTakesWhatTheFormulaSays) {
  Random random(7);
  for (int i = 0; i < 200; ++i) {
    const int npus = random.between(2, 9), router = random.between(1, 4), at_npu = random.between(1, 90);
    const int latency = random.between(1, 200), flit = 64 << random.between(0, 4);
    const int width = random.between(1, 2) == 1 ? flit : random.between(8, flit);
    const int packet = random.between(1, 4000), hops = random.between(1, npus - 1);
    const int packets = random.between(1, 8);
    const std::int64_t flits = (packet * 8 + flit - 1) / flit * packets, phits = (flit + width - 1) / width;
    const Topology topology = flit_network(fmt::format(
        "num-npus: {} num-packages: {} package-rows: 1 topology: Torus3D local-rings: 0 flit-width: {} "
        "package-packet-size: {} package-link-width: {} vcs-per-vnet: 1000 buffers-per-vc: 1000000 "
        "router-latency: {} local-link-latency: {} package-link-latency: {} routing-algorithm: Ring_XY ",
        npus, npus, flit, packet, width, router, at_npu, latency));
    const std::int64_t expected = 1 + 2 * at_npu + router * (hops + 1) +
                                  hops * (latency + (phits > 1 ? phits + 3 : 0)) + (flits - 1) * phits;
    const auto bytes = static_cast<std::uint64_t>(packet) * static_cast<std::uint64_t>(packets);
    EXPECT_EQ(end_in_cycles(topology, {flow(0, hops, bytes, 0)}), static_cast<double>(expected));
  }
}

// The formula for 256 packets of 16 flits, of which a ring's wire passes one in 8 cycles.
TEST(Flits, RingsDoNotMeet) {
  const Topology topology = flit_network(seed_torus);
  std::vector<Flow> local, between;
  for (int npu = 0; npu < 12; ++npu) {
    local.push_back(flow(npu, npu ^ 1, 1 << 20, 0));
    local.push_back(flow(npu, npu ^ 1, 1 << 20, 1));
    between.push_back(flow(npu, npu ^ 2, 1 << 20, 2));
    between.push_back(flow(npu, npu ^ 2, 1 << 20, 3));
    between.push_back(flow(npu, (npu + 4) % 12, 1 << 20, 4));
    between.push_back(flow(npu, (npu + 8) % 12, 1 << 20, 5));
  }
  EXPECT_EQ(end_in_cycles(topology, local), 33'044);
  between.insert(between.end(), local.begin(), local.end());
  EXPECT_EQ(end_in_cycles(topology, between), 33'154);
}

std::vector<Flow> random_flows(Random& random, int npus, int count) {
  std::vector<Flow> flows;
  for (int i = 0; i < count; ++i) {
    const int source = random.between(0, npus - 1);
    flows.push_back(flow(source, (source + random.between(1, npus - 1)) % npus,
                         static_cast<std::uint64_t>(random.between(1, 3000))));
    flows.back().start = Time::from_ns(random.between(0, 2000));
  }
  return flows;
}

void expect_that_all_arrive(const std::string& network, int npus, int seeds) {
  const Topology topology = flit_network(network);
  for (int seed = 0; seed < seeds; ++seed) {
    Random random(static_cast<std::uint64_t>(seed));
    const std::vector<Flow> flows = random_flows(random, npus, 60 * npus / 4);
    const FlowsResult result = run_flows(flows, {topology, native_dialect}, &packet_model);
    for (const FlowTimes& times : result.flows) ASSERT_GT(times.end, times.start);
    const FlowsResult again = run_flows(flows, {topology, native_dialect}, &packet_model);
    ASSERT_EQ(result.end, again.end);
  }
}

TEST(Flits, NothingWaitsForeverOnRings) {
  for (const int npus : {3, 4, 7})
    for (const int vcs : {1, 2, 3, 5}) expect_that_all_arrive(ring_of(npus, vcs, vcs == 1 ? 4 : 2), npus, 10);
}

TEST(Flits, NothingWaitsForeverOnToriAndMeshes) {
  for (const char* form :
       {"topology: Torus routing-algorithm: Ring_XY ", "topology: Mesh routing-algorithm: Mesh_XY "})
    for (const int vcs : {1, 2, 4})
      expect_that_all_arrive(
          fmt::format("num-npus: 24 sizes: 4,3,2 {} flit-width: 128 package-packet-size: 64 vcs-per-vnet: {} "
                      "buffers-per-vc: 4 ",
                      form, vcs),
          24, 5);
}

TEST(Flits, WithStrictReferencePacketsMayWaitForOneAnother) {
  const Topology topology = flit_network(ring_of(4, 1, 4) + "strict-reference: 1");
  std::vector<Flow> flows;
  for (int npu = 0; npu < 4; ++npu) flows.push_back(flow(npu, (npu + 2) % 4, 65536, 0));
  EXPECT_THROW(run_flows(flows, {topology, native_dialect}, &packet_model), StallError);
}

TEST(Flits, PacketsTooLongForTheOnlyBufferAreRefusedWhereTheyCloseARing) {
  const Topology topology = flit_network(ring_of(4, 1, 2));
  EXPECT_THROW(end_in_cycles(topology, {flow(3, 1, 1, 0)}), InputError);
  EXPECT_GT(end_in_cycles(topology, {flow(0, 2, 1, 0)}), 0);
}

// With efficiency e, a wire passes a flit in phits / e cycles.
TEST(Flits, EfficiencySlowsAWireDown) {
  const std::string ring = ring_of(2, 50, 1000);
  const auto cycles = [&](const char* more) {
    return end_in_cycles(flit_network(ring + more), {flow(0, 1, 128 * 100, 0)});
  };
  EXPECT_NEAR(cycles("package-link-efficiency: 0.8") - cycles(""), (400 - 1) * 1.0, 2);
}

TEST(Flits, LastPacketIsAsShortAsItIsWhereItIsNotPadded) {
  const std::string ring = ring_of(2, 4, 32);
  const double padded = end_in_cycles(flit_network(ring), {flow(0, 1, 1, 0)});
  EXPECT_EQ(padded - end_in_cycles(flit_network(ring + "pad-last-packet: 0"), {flow(0, 1, 1, 0)}), 3 * 4);
}

}  // namespace
}  // namespace orrery
