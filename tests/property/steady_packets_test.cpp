// Messages that flow at the rates that packets settle at, against every packet. The bounds are those that
// docs/models/network-packet.md promises.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <thread>

#include "base/random.hpp"
#include "network/packet/congestion/congestion_kinds.hpp"
#include "network/packet/steady/steady_state_transport.hpp"
#include "support/packet_runs.hpp"
#include "topology/files/any_network.hpp"

namespace orrery::core::test::steady_packets_test {
namespace {

struct SteadyRun {
  std::vector<FlowTimes> flows;
  std::size_t trials;
};

SteadyRun run_steadily(const Topology& topology, const PacketSettings& settings,
                       const std::vector<Flow>& flows) {
  EventLoop loop{Clock(Clock::Mode::picoseconds)};
  SteadyStateTransport transport(topology, std::make_shared<const PacketSettings>(settings), loop);
  FlowSource source(flows, loop, transport);
  loop.run({}, {});
  source.require_end();
  return {source.take_times(), transport.trials()};
}

Topology network(const std::string& text) {
  Warnings warnings;
  return read_any_network(text, "net.yaml", warnings);
}

Topology fat_tree() {
  return network(
      "build: fat-tree\nlink: { bandwidth: 100 Gbit/s, latency: 500 ns }\n"
      "levels: [ { size: 4 }, { size: 4 } ]\n");
}

PacketSettings controlled(const CongestionKind* kind) {
  PacketSettings settings;
  settings.congestion.kind = kind;
  if (kind && kind->marks.rate > 0) settings.ecn = {.on = true, .thresholds = {kind->marks}, .scaled = true};
  return settings;
}

double last_us(const std::vector<FlowTimes>& flows) {
  Time last;
  for (const FlowTimes& flow : flows) last = std::max(last, flow.end);
  return last.us();
}

TEST(SteadyStateTransport, AFlowAloneTakesWhatItsPacketsTake) {
  const Topology net = fat_tree();
  for (const std::uint64_t bytes : {1u, 4096u, 4097u, 100'000u, 1'000'000u, 30'000'000u})
    for (const int destination : {1, 5}) {
      const std::vector<Flow> flows{packet_flow(0, destination, bytes)};
      const double exact = last_us(run_packets(net, {}, flows).flows);
      const double a_packet = 0.35;  // us on a link
      EXPECT_NEAR(last_us(run_steadily(net, {}, flows).flows), exact, a_packet) << bytes;
    }
}

// The acknowledgements of a ring share the links with data: a packet takes (4178 + 84) bytes of time.
TEST(SteadyStateTransport, AContentionIsTriedOnce) {
  const Topology net = network("build: switch\nsize: 8\nlink: { bandwidth: 100 Gbit/s, latency: 1 us }\n");
  std::vector<Flow> flows;
  for (int step = 0; step < 50; ++step)
    for (int i = 0; i < 8; ++i)
      flows.push_back(packet_flow(i, (i + 1) % 8, 4'096'000, Time::from_ns(1'000'000 * step)));
  const SteadyRun run = run_steadily(net, {}, flows);
  EXPECT_EQ(run.trials, 1u);
  const double bytes_per_us = 12'500;
  const double sending = 1000 * (4178 + 84) / bytes_per_us;
  for (std::size_t i = 0; i < flows.size(); ++i)
    EXPECT_NEAR((run.flows[i].end - flows[i].start).us(), sending + 2, 0.01 * sending);
}

struct Bound {
  const CongestionKind* kind;
  double last, each;  // share by which the last end, and the time of a flow on average, may be off
};

class RandomFlows : public ::testing::TestWithParam<Bound> {};

TEST_P(RandomFlows, EndAsWithEveryPacket) {
  const Topology net = fat_tree();
  const PacketSettings settings = controlled(GetParam().kind);
  double off = 0, count = 0;
  for (std::uint64_t seed = 0; seed < 12; ++seed) {
    Random random(seed);
    std::vector<Flow> flows;
    for (int left = random.between(1, 8); left > 0; --left) {
      const int source = random.between(0, 15), destination = (source + random.between(1, 15)) % 16;
      flows.push_back(packet_flow(source, destination,
                                  1'000'000 * static_cast<std::uint64_t>(random.between(1, 20)),
                                  Time::from_ns(1000 * random.between(0, 100))));
    }
    const PacketRun exact = run_packets(net, settings, flows);
    const SteadyRun steady = run_steadily(net, settings, flows);
    EXPECT_NEAR(last_us(steady.flows) / last_us(exact.flows), 1, GetParam().last) << seed;
    for (std::size_t i = 0; i < flows.size(); ++i) {
      off += std::abs(
          (steady.flows[i].end - flows[i].start).us() / (exact.flows[i].end - flows[i].start).us() - 1);
      ++count;
    }
  }
  EXPECT_LT(off / count, GetParam().each);
}

INSTANTIATE_TEST_SUITE_P(Controls, RandomFlows,
                         ::testing::Values(Bound{nullptr, 0.02, 0.01}, Bound{&dcqcn_control, 0.02, 0.01},
                                           Bound{&dctcp_control, 0.02, 0.01},
                                           Bound{&swift_control, 0.02, 0.02},
                                           Bound{&timely_control, 0.02, 0.01},
                                           Bound{&hpcc_control, 0.04, 0.05}));

TEST(SteadyStateTransport, ThreadsDoNotMatter) {
  const Topology net = fat_tree();
  std::vector<Flow> flows;
  for (int i = 0; i < 16; ++i) flows.push_back(packet_flow(i, (i + 5) % 16, 5'000'000));
  const PacketSettings settings = controlled(&dcqcn_control);
  std::vector<double> ends(2);
  std::vector<std::thread> threads;
  for (double& end : ends)
    threads.emplace_back([&] { end = last_us(run_steadily(net, settings, flows).flows); });
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(ends[0], ends[1]);
}

}  // namespace
}  // namespace orrery::core::test::steady_packets_test
