// What a profile brings yields to what the user asks for, or the message says whose profile is in the way.
#include <gtest/gtest.h>

#include <fmt/format.h>

#include "network/packet/congestion/congestion_kinds.hpp"
#include "network/packet/flow_control/flow_control_kinds.hpp"
#include "network/packet/model/packet_keys.hpp"
#include "network/packet/model/packet_profiles.hpp"
#include "network/packet/reliability/reliability_kinds.hpp"
#include "support/packet_runs.hpp"

namespace orrery::core::test::packet_profiles_test {
namespace {

PacketSettings settings_of(const std::string& map) {
  return read_packets(parse_yaml(map, "packets.yaml"));
}

template <class Table>
void add_words(const std::string& key, const Table& table, std::vector<std::string>& requests) {
  for (const auto& [word, value] : table) requests.push_back(fmt::format("{}: {}", key, word));
}

// Returns a line for each thing that a user may ask for beside a profile.
std::vector<std::string> requests() {
  std::vector<std::string> requests;
  add_words("congestion-control", congestion_words, requests);
  add_words("flow-control", flow_control_words, requests);
  add_words("reliability", reliability_words, requests);
  for (const char* const other :
       {"window: none", "window: round-trip", "window: longest-round-trip", "window: 64 KiB", "timeout: 2 ms",
        "local-ack-timeout: 10", "retries: 3", "buffer: 4 MiB", "headroom: 100 KB", "pause-above: 20",
        "queue: 200 KB", "credits: { buffer: 64 KiB }", "payload: 2000", "payload: 9000",
        "every-packet: false", "marks: { rate: 10 GB/s, least: 20 KB, most: 90 KB }",
        "nic-pauses: { times: 2 }", "completion: sender"})
    requests.push_back(other);
  for (const char* const control : {"dcqcn", "dctcp", "hpcc", "timely", "tcp-cubic"})
    requests.push_back(fmt::format("every-packet: false, congestion-control: {}", control));
  return requests;
}

// Two hosts send to a third.
bool ends(const PacketSettings& settings) {
  const PacketRun run = run_packets(ns3_topology(ns3_star(3)), settings,
                                    {packet_flow(0, 2, 300'000), packet_flow(1, 2, 300'000)});
  return run.totals.delivered_bytes == 600'000;
}

TEST(PacketProfiles, RunWithWhatIsAskedForOrAreNamed) {
  int refused = 0, ran = 0;
  for (const auto& [profile, settings] : packet_profile_words)
    for (const std::string& request : requests()) {
      const std::string map = fmt::format("{{ profile: {}, {} }}", profile, request);
      try {
        EXPECT_TRUE(ends(settings_of(map))) << map;
        ++ran;
      } catch (const InputError& error) {
        EXPECT_NE(std::string(error.what()).find(fmt::format("`{}`", profile)), std::string::npos)
            << map << "\n"
            << error.what();
        ++refused;
      }
    }
  EXPECT_GT(ran, 100);
  EXPECT_GT(refused, 5);
}

// Names no key that the file does not have.
TEST(PacketProfiles, GiveAControlTheWindowThatItNeeds) {
  for (const auto& [profile, settings] : packet_profile_words)
    for (const char* const control : {"hpcc", "ndp", "eqds"}) {
      if (profile == "ns-3") continue;
      const PacketSettings read =
          settings_of(fmt::format("{{ profile: {}, congestion-control: {} }}", profile, control));
      EXPECT_TRUE(read.window.limited) << profile << " " << control;
    }
}

// htsim has a program for each transport: with windows of 64 packets, queues of 35, and for EQDS packets of
// 4000 bytes in all.
TEST(PacketProfiles, HtsimHasTheValuesOfItsPrograms) {
  const PacketSettings eqds = settings_of("{ profile: htsim, congestion-control: eqds }");
  EXPECT_EQ(eqds.sizes.data(eqds.sizes.payload, 0), 4000u);
  EXPECT_EQ(eqds.window.bytes, 64u * 3936);
  EXPECT_EQ(eqds.buffer.queue, 35u * 4000);
  EXPECT_EQ(eqds.reliability.min_timeout_ps, 150'000'000);
  EXPECT_EQ(eqds.reliability.queues_of_timeout, 6u);
  const PacketSettings ndp = settings_of("{ profile: htsim, congestion-control: ndp, queue: 40 KB }");
  EXPECT_EQ(ndp.sizes.data(ndp.sizes.payload, 0), 4064u);
  EXPECT_EQ(ndp.buffer.queue, 40'000u);
  const PacketSettings hpcc = settings_of("{ profile: htsim, congestion-control: hpcc }");
  EXPECT_TRUE(hpcc.window.largest_of_all);
  EXPECT_EQ(hpcc.sizes.data(4000, hpcc_control.header_bytes), 4064u);
}

TEST(PacketProfiles, InfinibandTakesATimeoutThatIsGiven) {
  const PacketSettings given = settings_of("{ profile: infiniband, timeout: 2 ms }");
  EXPECT_EQ(given.reliability.fixed_timeout_ps, 0);
  EXPECT_EQ(given.reliability.min_timeout_ps, 2'000'000'000);
  EXPECT_EQ(settings_of("profile: infiniband").reliability.fixed_timeout_ps, local_ack_timeout_ps(14));
}

}  // namespace
}  // namespace orrery::core::test::packet_profiles_test
