// Links that wait for one another for ever, and the report of them.
#include <gtest/gtest.h>

#include "base/random.hpp"
#include "network/packet/model/packet_keys.hpp"
#include "network/packet/stalls/stuck_links.hpp"
#include "support/packet_runs.hpp"
#include "topology/files/any_network.hpp"
#include "topology/graph/changes/failures.hpp"

namespace orrery::core::test::packet_deadlocks_test {
namespace {

constexpr std::uint64_t flow_bytes = 4'096'000;

PacketSettings settings_of(const std::string& map) {
  return read_packets(parse_yaml(map, "packets"));
}

// Three switches, each with an NPU, that are joined with one another; NPUs 3 and 4 are behind a switch of
// their own, and far away.
Topology triangle(const std::string& routes) {
  return read_graph_network(parse_yaml(
      "nodes:\n"
      "  - { name: npu, kind: npu, count: 5 }\n"
      "  - { name: s, kind: switch, count: 4 }\n"
      "links:\n"
      "  - { from: 'npu[0-2]', to: 's[0-2]', pattern: one-to-one, bandwidth: 12.5 GB/s, latency: 1 us }\n"
      "  - { from: 's[0-2]', pattern: ring, bandwidth: 12.5 GB/s, latency: 1 us }\n"
      "  - { from: 'npu[3-4]', to: s3, bandwidth: 12.5 GB/s, latency: 1 us }\n"
      "  - { from: s2, to: s3, bandwidth: 12.5 GB/s, latency: 1 us }\n"
      "routes:\n" +
          routes,
      "triangle"));
}
const std::string clockwise =
    "  - [npu0, s0, s1, s2, npu2]\n  - [npu1, s1, s2, s0, npu0]\n  - [npu2, s2, s0, s1, npu1]\n";
// First towards s0, then away from it; s1 is nearer to it than s2.
const std::string up_down =
    "  - [npu0, s0, s1, s2, npu2]\n  - [npu1, s1, s0, npu0]\n  - [npu2, s2, s0, s1, npu1]\n";

std::vector<Flow> around() {
  return {packet_flow(0, 2, flow_bytes), packet_flow(1, 0, flow_bytes), packet_flow(2, 1, flow_bytes)};
}

std::string stall_of(const Topology& topology, const PacketSettings& settings,
                     const std::vector<Flow>& flows) {
  try {
    run_packets(topology, settings, flows);
  } catch (const StallError& error) {
    return error.what();
  }
  return "";
}

struct Case {
  const char* packets;
  const char* held;  // what is said of a link
};
const Case cases[] = {
    {"{ window: none, buffer: 1 MiB }", "priority 3 is paused"},
    {"{ window: none, buffer: 1 MiB, congestion-control: dcqcn }", "priority 3 is paused"},
    {"{ window: none, pause-above: 15, resume-below: 12 }", "priority 3 is paused"},
    {"{ profile: htsim }", "priority 3 is paused"},
    {"{ profile: infiniband, credits: { buffer: 16 KiB } }", "lane 3 lacks credits"},
    {"{ profile: infiniband, congestion-control: infiniband, credits: { buffer: 16 KiB } }",
     "lane 3 lacks credits"},
};

TEST(PacketDeadlocks, ClockwiseRoutesOfATriangleAreNamed) {
  const std::string circle[] = {"s0->s1", "s1->s2", "s2->s0"},
                    of[] = {"0 to NPU 2", "1 to NPU 0", "2 to NPU 1"};
  for (const Case& one : cases) {
    const std::string text = stall_of(triangle(clockwise), settings_of(one.packets), around());
    EXPECT_NE(text.find("3 links wait for one another in a circle"), std::string::npos) << text;
    for (int i = 0; i < 3; ++i) {
      EXPECT_NE(text.find("  " + circle[i] + ": " + one.held), std::string::npos) << text;
      EXPECT_NE(text.find("for " + circle[(i + 1) % 3] + ", of NPU " + of[i]), std::string::npos) << text;
    }
  }
}

// The link from s0 to s1 carries two of the three flows, one packet after the other, and is the slowest. With
// credits for three packets it sends so many in a loop of packet, latency there and back, and message.
TEST(PacketDeadlocks, RoutesUpAndThenDownHaveNone) {
  for (const Case& one : cases) {
    const PacketSettings settings = settings_of(one.packets);
    if (settings.congestion.kind) continue;  // slower
    const PacketRun run = run_packets(triangle(up_down), settings, around());
    const double packet_ns = (settings.sizes.payload + settings.sizes.data_header) * 8 / 100.0,
                 loop_ns = packet_ns + 2000 + 0.64;
    const bool credits = std::string(one.held).find("credits") != std::string::npos;
    const double shared_ns = 2.0 * flow_bytes / settings.sizes.payload * (credits ? loop_ns / 3 : packet_ns);
    double last = 0;
    for (const FlowTimes& flow : run.flows) last = std::max(last, flow.end.ns());
    EXPECT_NEAR(last / shared_ns, 1, 0.05) << one.packets;
    EXPECT_EQ(run.totals.drops, 0u);
  }
}

// Windows of two packets never fill a buffer.
TEST(PacketDeadlocks, SmallWindowsHaveNone) {
  for (const char* map : {"{ window: 8 KiB, buffer: 1 MiB }", "{ profile: infiniband, window: 8 KiB }"})
    EXPECT_EQ(stall_of(triangle(clockwise), settings_of(map), around()), "");
}

// Without timeouts, as in ns-3's back end, the run ends when nothing happens any more. A flow that has no
// part in the deadlock has ended by then. With timeouts the deadlock is found while that flow, of 40 ms, goes
// on.
TEST(PacketDeadlocks, OthersThatGoOnHideNothing) {
  std::vector<Flow> flows = around();
  flows.push_back(packet_flow(3, 4, 500'000'000));
  for (const Case& one : cases) {
    PacketSettings settings = settings_of(one.packets);
    settings.reliability.fixed_timeout_ps = 2'000'000'000;
    const std::string text = stall_of(triangle(clockwise), settings, flows);
    EXPECT_EQ(text.find("at 2"), 0u) << text;  // us, and some more
    EXPECT_LT(std::stod(text.substr(3)), 2500) << text;
    settings.reliability.timeouts = false;
    const std::string late = stall_of(triangle(clockwise), settings, flows);
    EXPECT_EQ(late.find("3 of 4 flows never end, such as flow 0 from NPU 0 to NPU 2"), 0u) << late;
    EXPECT_NE(late.find("3 links wait for one another in a circle"), std::string::npos) << late;
  }
}

// A link that breaks has all that waits for it be lost, so that the others go on, by other ways.
TEST(PacketDeadlocks, ALinkThatBreaksMayPutAnEndToIt) {
  Topology topology = triangle(clockwise);
  topology.link_changes = std::make_shared<LinkChanges>(
      read_failure_file("- { link: s0->s1, at: 30 ms }\n", "failures", *topology.graph));
  for (const Case& one : cases) EXPECT_EQ(stall_of(topology, settings_of(one.packets), around()), "");
}

std::vector<Flow> random_flows(std::uint64_t seed, int npus) {
  Random random(seed);
  std::vector<Flow> flows(static_cast<std::size_t>(random.between(10, 60)));
  for (Flow& flow : flows) {
    const int source = random.between(0, npus - 1);
    flow = packet_flow(source, (source + random.between(1, npus - 1)) % npus,
                       static_cast<std::uint64_t>(random.between(1, 1'000'000)),
                       Time::from_ns(random.between(0, 100'000)));
    flow.priority = random.between(1, 7);
  }
  return flows;
}

const char* const small_buffers[] = {
    "{ window: none, buffer: 500 KiB }",
    "{ window: none, pause-above: 3, resume-below: 2 }",
    "{ profile: infiniband, credits: { buffer: 4160 B } }",
    "{ profile: infiniband, credits: { buffer: 16 KiB, lanes: [1, 1, 1, 2, 2, 2, 3] } }",
};

// However full its buffers are, a tree always goes on. Where all priorities of a port count together, a
// pause never ended of whose priority nothing was left that could leave.
TEST(PacketDeadlocks, NothingIsEverStuckInATree) {
  const Topology tree =
      read_graph_network(parse_yaml("build: fat-tree\nlink: { bandwidth: 12.5 GB/s, latency: 1 us }\n"
                                    "levels: [ { size: 4 }, { size: 4 } ]\n",
                                    "tree"));
  for (const char* map : small_buffers)
    for (std::uint64_t seed = 1; seed <= 3; ++seed) {
      PacketSettings settings = settings_of(map);
      settings.nic_pauses.times = seed == 1 ? 5 : 0;
      bool any = false;
      run_packets(tree, settings, random_flows(seed, 16),
                  {Time::from_ns(2000), [&](PacketNetwork& it, Time) {
                     any = any || StuckLinks(it.links(), it.flow_control()).any();
                   }});
      EXPECT_FALSE(any) << map << " " << seed;
    }
}

// Two hosts send to each other and stop at the same time, so that their switch has both pause. What they ask
// of it when they go on must not wait for that pause to end, as it does in ns-3's back end.
TEST(PacketDeadlocks, SlowNicsDoNotWaitForEachOther) {
  const std::vector<Flow> both_ways{packet_flow(0, 1, flow_bytes), packet_flow(1, 0, flow_bytes)};
  PacketSettings settings = settings_of("{ window: none, pause-above: 10, resume-below: 5 }");
  settings.nic_pauses.times = 2;
  EXPECT_EQ(stall_of(ns3_topology(ns3_star(2)), settings, both_ways), "");
  settings.one_queue_of_answers = true;
  settings.reliability.timeouts = false;
  const std::string text = stall_of(ns3_topology(ns3_star(2)), settings, both_ways);
  EXPECT_NE(text.find("a packet of it waits for switch2->npu0, where priority 3 is paused"),
            std::string::npos)
      << text;
}

// On a ring of switches links may get stuck. The run ends with a report if some links have been stuck at any
// time, and only then.
TEST(PacketDeadlocks, WhatIsStuckOnARingStaysSo) {
  const Topology ring = read_graph_network(
      parse_yaml("nodes: [ { name: npu, kind: npu, count: 7 }, { name: s, kind: switch, count: 7 } ]\n"
                 "links:\n"
                 "  - { from: npu, to: s, pattern: one-to-one, bandwidth: 12.5 GB/s, latency: 1 us }\n"
                 "  - { from: s, pattern: ring, bandwidth: 12.5 GB/s, latency: 1 us }\n",
                 "ring"));
  int stuck_runs = 0, others = 0;
  for (const char* map : small_buffers)
    for (std::uint64_t seed = 1; seed <= 10; ++seed) {
      bool stuck = false;
      std::string text;
      try {
        PacketSettings settings = settings_of(map);
        settings.reliability.fixed_timeout_ps = 1'000'000'000;
        run_packets(ring, settings, random_flows(seed, 7),
                    {Time::from_ns(1000), [&](PacketNetwork& it, Time) {
                       stuck = stuck || StuckLinks(it.links(), it.flow_control()).any();
                     }});
      } catch (const StallError& error) {
        text = error.what();
      }
      EXPECT_EQ(stuck, text.find("wait for one another in a circle") != std::string::npos) << text;
      ++(stuck ? stuck_runs : others);
    }
  EXPECT_GT(stuck_runs, 3);
  EXPECT_GT(others, 3);
}

}  // namespace
}  // namespace orrery::core::test::packet_deadlocks_test
