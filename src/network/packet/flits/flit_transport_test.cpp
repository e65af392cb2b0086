#include "network/packet/flits/flit_transport.hpp"

#include <gtest/gtest.h>

#include <fmt/format.h>

#include <thread>

#include "support/flit_networks.hpp"

namespace orrery::core::flit_transport_test {
namespace {

using test::flit_flow;
using test::flit_network;
using test::flit_ring;
using test::run_flits;

constexpr const char* torus_of_pairs =
    "num-npus: 12 num-packages: 6 package-rows: 3 topology: Torus3D local-rings: 2 horizontal-rings: 1 "
    "vertical-rings: 1 flit-width: 2048 local-packet-size: 4096 package-packet-size: 4096 tile-link-width: "
    "256 "
    "package-link-width: 256 vcs-per-vnet: 50 routing-algorithm: Ring_XY local-link-latency: 90 "
    "package-link-latency: 200 buffers-per-vc: 5000 ";

double end_in_cycles(const Topology& topology, const std::vector<Flow>& flows) {
  return run_flits(topology, flows).end.ns();
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
    EXPECT_EQ(end_in_cycles(topology, {flit_flow(0, hops, bytes, 0)}), static_cast<double>(expected));
  }
}

// The formula for 256 packets of 16 flits, of which a ring's wire passes one in 8 cycles.
TEST(Flits, RingsDoNotMeet) {
  const Topology topology = flit_network(torus_of_pairs);
  std::vector<Flow> local, between;
  for (int npu = 0; npu < 12; ++npu) {
    local.push_back(flit_flow(npu, npu ^ 1, 1 << 20, 0));
    local.push_back(flit_flow(npu, npu ^ 1, 1 << 20, 1));
    between.push_back(flit_flow(npu, npu ^ 2, 1 << 20, 2));
    between.push_back(flit_flow(npu, npu ^ 2, 1 << 20, 3));
    between.push_back(flit_flow(npu, (npu + 4) % 12, 1 << 20, 4));
    between.push_back(flit_flow(npu, (npu + 8) % 12, 1 << 20, 5));
  }
  EXPECT_EQ(end_in_cycles(topology, local), 33'044);
  between.insert(between.end(), local.begin(), local.end());
  EXPECT_EQ(end_in_cycles(topology, between), 33'154);
}

// With efficiency e, a wire passes a flit in phits / e cycles.
TEST(Flits, EfficiencySlowsAWireDown) {
  const std::string ring = flit_ring(2, 50, 1000);
  const auto cycles = [&](const char* more) {
    return end_in_cycles(flit_network(ring + more), {flit_flow(0, 1, 128 * 100, 0)});
  };
  EXPECT_NEAR(cycles("package-link-efficiency: 0.8") - cycles(""), (400 - 1) * 1.0, 2);
}

TEST(Flits, LastPacketIsAsShortAsItIsWhereItIsNotPadded) {
  const std::string ring = flit_ring(2, 4, 32);
  const double padded = end_in_cycles(flit_network(ring), {flit_flow(0, 1, 1, 0)});
  EXPECT_EQ(padded - end_in_cycles(flit_network(ring + "pad-last-packet: 0"), {flit_flow(0, 1, 1, 0)}),
            3 * 4);
}

// Two messages of one NPU and vnet: one behind the other, or both at half the rate.
TEST(Flits, InterleavedPacketsOfTwoMessagesShareTheWire) {
  const std::string network = flit_ring(2, 50, 100);
  const std::vector<Flow> flows{flit_flow(0, 1, 128 * 20, 0), flit_flow(0, 1, 128 * 20, 0)};
  const FlowsResult fifo = run_flits(flit_network(network), flows);
  const FlowsResult mixed = run_flits(flit_network(network + "injection-order: interleave "), flows);
  // The wire passes the second message's 80 flits behind those of the first, one in four cycles.
  EXPECT_EQ((fifo.flows[1].end - fifo.flows[0].end).ns(), 80 * 4);
  EXPECT_EQ(mixed.end, fifo.end);
  EXPECT_GT(mixed.flows[0].end, fifo.flows[0].end);
}

TEST(Flits, CyclesAreAsShortAsTheClockIsFast) {
  const std::string network = flit_ring(4, 50, 100);
  const std::vector<Flow> flow{flit_flow(0, 1, 65536)};
  const double ns = run_flits(flit_network(network), flow).end.ns();
  EXPECT_EQ(run_flits(flit_network(network + "network-clock-ghz: 2 "), flow).end.ns(), ns / 2);
  EXPECT_EQ(run_flits(flit_network(network + "network-clock-ghz: 0.25 "), flow).end.ns(), ns * 4);
}

// A message of 100 flits over a wire that takes four cycles for each: those that the crossbar has passed on,
// one in a cycle, stand in line but for a quarter that has gone.
TEST(Flits, LinesAndBuffersAreMeasured) {
  // The wire is so long that no virtual channel is free again before all 25 packets are on it.
  const Topology topology = flit_network(flit_ring(2, 100, 4) + "package-link-latency: 100 ");
  const FlowsResult result = run_flits(topology, {flit_flow(0, 1, 128 * 25, 0)});
  ASSERT_EQ(result.links.size(), 1u);
  const FlitLinkUse& use = *result.links[0].of_flits;
  EXPECT_EQ(use.packets, 25u);
  EXPECT_EQ(use.flits, 100u);
  EXPECT_NEAR(static_cast<double>(use.longest_line), 75, 1);
  EXPECT_EQ(use.max_channels, 25u);
  EXPECT_EQ(use.fullest_channel, 1u);
  EXPECT_EQ(use.stalled_cycles, 0u);
  // The NPU makes a packet in each cycle, and the last one is received at the end. A cycle is a nanosecond.
  ASSERT_EQ(result.latencies.size(), 1u);
  EXPECT_EQ(result.latencies[0].histogram.count(), 25u);
  EXPECT_EQ(static_cast<double>(result.latencies[0].histogram.longest()), result.end.ns() - 24);
}

// The same with one virtual channel, which is free again when its credit has come back over the long wire:
// four flits, and then nothing for two latencies.
TEST(Flits, WaitingForBuffersIsMeasured) {
  const Topology topology = flit_network(flit_ring(2, 1, 4) + "package-link-latency: 100 ");
  const FlowsResult result = run_flits(topology, {flit_flow(0, 1, 128 * 25, 0)});
  const FlitLinkUse& use = *result.links[0].of_flits;
  EXPECT_GT(use.stalled_cycles, 24u * 200);
  EXPECT_LT(use.stalled_cycles, 24u * 250);
  // A message of one packet is received when that is.
  const FlowsResult one = run_flits(topology, {flit_flow(0, 1, 128, 0)});
  EXPECT_EQ(one.latencies[0].histogram.mean(), one.end.ns());
}

// Flits of two sources that come for the same NPU are in buffers for as long as one of both waits.
TEST(Flits, AverageQueuesFollowLittlesLaw) {
  Random random(3);
  for (int i = 0; i < 20; ++i) {
    const Topology topology = flit_network(flit_ring(4, 2, 8));
    const FlowsResult result = run_flits(topology, test::random_flit_flows(random, 4, 20));
    for (const LinkUse& link : result.links) {
      const FlitLinkUse& use = *link.of_flits;
      EXPECT_GE(use.mean_flits, 0);
      EXPECT_LE(use.mean_flits, static_cast<double>(use.max_channels * use.fullest_channel));
      // No flit is there for longer than the packet that was under way for longest.
      std::uint64_t longest = 0;
      for (const PacketLatencies& of : result.latencies) longest = std::max(longest, of.histogram.longest());
      EXPECT_LE(use.mean_flits * result.end.ns(), static_cast<double>(use.flits * longest));
    }
  }
}

// Sends when an instant begins, and again at its end.
class SendsTwice final : public EventHandler {
 public:
  SendsTwice(EventLoop& loop, Transport& transport)
      : loop_(loop), transport_(transport), handler_(loop.add_handler(*this)) {
    loop_.at(0, Event{handler_, begins, 0, 0, 0});
  }
  void handle(const Event& event) override {
    if (event.what == delivered) {
      ends.push_back(loop_.time().ns());
      return;
    }
    transport_.send(0, 1, Bytes(1), Event{handler_, delivered, 0, 0, 0});
    if (event.what == begins) loop_.at_end_of_instant(Event{handler_, closes, 0, 0, 0});
  }
  std::vector<double> ends;

 private:
  enum What : std::uint16_t { begins, closes, delivered };
  EventLoop& loop_;
  Transport& transport_;
  std::uint16_t handler_;
};

// The transport waited for the end of the instant twice, each time for the other.
TEST(Flits, AMessageThatIsSentAtTheEndOfAnInstantDoesNotHang) {
  const Topology topology = flit_network(flit_ring(2, 4, 4));
  EventLoop loop{Clock(Clock::Mode::picoseconds)};
  FlitTransport transport(topology.flits, loop);
  SendsTwice sender(loop, transport);
  loop.run({});
  EXPECT_EQ(sender.ends.size(), 2u);
}

TEST(Flits, RunsInSeveralThreadsAreEqualThread) {
  const Topology topology = flit_network(flit_ring(7, 2, 3));
  Random random(3);
  const std::vector<Flow> flows = test::random_flit_flows(random, 7, 300);
  std::vector<FlowsResult> runs(4);
  std::vector<std::thread> threads;
  for (FlowsResult& run : runs) threads.emplace_back([&] { run = run_flits(topology, flows); });
  for (std::thread& thread : threads) thread.join();
  for (const FlowsResult& run : runs) {
    for (std::size_t flow = 0; flow < flows.size(); ++flow)
      EXPECT_EQ(run.flows[flow].end, runs[0].flows[flow].end);
    ASSERT_EQ(run.links.size(), runs[0].links.size());
    for (std::size_t link = 0; link < run.links.size(); ++link) {
      EXPECT_EQ(run.links[link].to, runs[0].links[link].to);
      EXPECT_EQ(run.links[link].busy, runs[0].links[link].busy);
    }
  }
}

}  // namespace
}  // namespace orrery::core::flit_transport_test
