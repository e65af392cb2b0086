// Whatever the network, the transport and what breaks, flows of packets end, and every byte is delivered
// once; or the run ends with a word about why they cannot.
#include <gtest/gtest.h>

#include "base/diagnostics/diagnostics.hpp"
#include "base/random.hpp"
#include "network/packet/congestion/congestion_kinds.hpp"
#include "network/packet/flow_control/flow_control_kinds.hpp"
#include "network/packet/reliability/reliability_kinds.hpp"
#include "support/packet_runs.hpp"
#include "topology/files/any_network.hpp"
#include "topology/graph/changes/failures.hpp"
#include "topology/graph/routing/routing_kinds.hpp"

namespace orrery::core::test::packet_delivery_test {
namespace {

template <class Table>
auto any_of(const Table& table, Random& random) {
  return table[random.next() % table.size()].value;
}

struct Case {
  Topology topology;
  PacketSettings settings;
  std::vector<Flow> flows;
  std::string text;
  bool breaks = false;
};

Case make_case(std::uint64_t seed) {
  Random random(seed);
  Case made;
  const int leaves = random.between(1, 4), hosts = random.between(2, 4);
  const std::string tree = "build: fat-tree\nlink: { bandwidth: " + std::to_string(random.between(1, 40)) +
                           "0 Gbit/s, latency: " + std::to_string(random.between(10, 2000)) +
                           " ns }\nlevels: [ { size: " + std::to_string(hosts) +
                           " }, { size: " + std::to_string(leaves + 1) +
                           ", oversubscription: " + std::to_string(random.chance(50) ? 1 : hosts) + " } ]\n";
  Warnings warnings;
  made.topology = read_any_network(tree, "tree", warnings);
  do made.topology.routing = any_of(routing_words, random);
  while (made.topology.routing->why_not || made.topology.routing->relays || made.topology.routing->by_table);
  PacketSettings& settings = made.settings;
  settings.congestion.kind = any_of(congestion_words, random);
  settings.reliability.kind = any_of(reliability_words, random);
  if (settings.congestion.kind && settings.congestion.kind->own_window)
    settings.reliability.kind = &selective_repeat_reliability;
  if (settings.congestion.kind && settings.congestion.kind->marks.rate > 0)
    settings.ecn = {.on = true, .thresholds = {settings.congestion.kind->marks}, .scaled = true};
  settings.window.limited =
      (settings.congestion.kind && settings.congestion.kind->needs_window) || random.chance(60);
  settings.flow_control = any_of(flow_control_words, random);
  settings.buffer.bytes = static_cast<std::uint64_t>(random.between(200, 2000)) << 10;
  if (settings.flow_control == &pause_flow_control) *settings.buffer.bytes += 2600 << 10;  // headroom
  if (settings.flow_control->trims || (settings.congestion.kind && settings.congestion.kind->grants))
    settings.reliability.kind = &selective_repeat_reliability;
  if (random.chance(settings.flow_control->trims ? 100 : 30))
    settings.buffer.queue = static_cast<std::uint64_t>(random.between(5, 100)) * 4178;
  settings.loss = random.chance(50) ? 0 : 0.1 * random.fraction() * random.fraction();
  settings.seed = seed;
  if (random.chance(40)) {
    made.breaks = true;
    const int at = random.between(1, 200);
    made.topology.link_changes = std::make_shared<LinkChanges>(
        read_failure_file("- { node: spine0, at: " + std::to_string(at) +
                              " us, until: " + std::to_string(at + random.between(1, 3000)) + " us }\n",
                          "failures", *made.topology.graph));
  }
  const int npus = static_cast<int>(made.topology.graph->npus());
  made.flows.resize(static_cast<std::size_t>(random.between(1, 25)));
  for (Flow& flow : made.flows) {
    const int source = random.between(0, npus - 1);
    flow = packet_flow(source, (source + random.between(1, npus - 1)) % npus,
                       static_cast<std::uint64_t>(random.between(1, 300'000)),
                       Time::from_ns(random.between(0, 200'000)));
    if (random.chance(30)) flow.channel = 0;
  }
  made.text = tree + std::string(made.topology.routing->name) + " " +
              (settings.congestion.kind ? std::string(settings.congestion.kind->name) : "none") + " " +
              std::string(settings.reliability.kind->name) + " " + std::string(settings.flow_control->name);
  return made;
}

TEST(PacketDelivery, EveryByteArrivesOnceOrTheRunSaysWhyNot) {
  int ended = 0, cut_off = 0, gave_up = 0;
  for (std::uint64_t seed = 1; seed <= 300; ++seed) {
    const Case made = make_case(seed);
    SCOPED_TRACE(std::to_string(seed) + ": " + made.text);
    try {
      const PacketRun run = run_packets(made.topology, made.settings, made.flows);
      ASSERT_EQ(run.flows.size(), made.flows.size());
      std::uint64_t bytes = 0;
      for (const Flow& flow : made.flows) bytes += flow.bytes.count();
      EXPECT_EQ(run.totals.delivered_bytes, bytes);
      for (std::size_t i = 0; i < made.flows.size(); ++i) {
        EXPECT_LT(made.flows[i].start, run.flows[i].end);
        EXPECT_LE(run.flows[i].end, *run.flows[i].acknowledged);
      }
      ++ended;
    } catch (const StallError& error) {
      ++gave_up;
      EXPECT_NE(std::string(error.what()).find("gives up a message after 16 retries"), std::string::npos)
          << error.what();
      EXPECT_TRUE(made.breaks || made.settings.loss > 0 || made.settings.flow_control->loses ||
                  made.settings.buffer.queue > 0)
          << error.what();
    } catch (const InputError& error) {
      ++cut_off;
      EXPECT_TRUE(made.breaks) << error.what();
      EXPECT_NE(std::string(error.what()).find("no way leads"), std::string::npos) << error.what();
    }
  }
  EXPECT_EQ(ended + cut_off + gave_up, 300);
  EXPECT_LT(gave_up, 10);
  EXPECT_GT(ended, 200);
}

}  // namespace
}  // namespace orrery::core::test::packet_delivery_test
