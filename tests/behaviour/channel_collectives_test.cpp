// Tests what collectives on channels take on two HGX boxes, against the bytes that a NIC or an NVLink
// carries.
#include "collective/channels/channel_collectives.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "base/files/file.hpp"
#include "study/experiment/experiment.hpp"
#include "study/run/run.hpp"
#include "support/cases.hpp"
#include "support/whole_group.hpp"

namespace orrery::core::test::channel_collectives_test {
namespace {

constexpr double gib = 1 << 30;

Experiment experiment_of(const std::string& collective, int boxes, const std::string& system) {
  const std::string text =
      "network:\n"
      "  build: rail-optimized\n"
      "  inside:\n"
      "    build: nvlink\n"
      "    size: 8\n"
      "    switches: 4\n"
      "    links: 18\n"
      "    link: { bandwidth: 25 GB/s, latency: 0 ns }\n"
      "    nics: { count: 8, link: { bandwidth: 64 GB/s, latency: 0 ns } }\n"
      "  link: { bandwidth: 50 GB/s, latency: 0 ns }\n"
      "  levels: [ { size: " +
      std::to_string(boxes) + " } ]\n" + system +
      "workload:\n"
      "  layers:\n"
      "    - { name: a, weight-gradient: { compute: 1 us, collective: " +
      collective + ", size: 1 GiB } }\n";
  Warnings warnings;
  return read_experiment(text, "e.yaml", {}, warnings, InputLog());
}

// Returns how long a collective of 1 GiB takes, in nanoseconds.
double nanoseconds(const std::string& collective, int boxes, const std::string& system) {
  Warnings warnings;
  constexpr double compute = 1000;
  return carry_out(experiment_of(collective, boxes, system).runs.at(0), warnings).recording.end().ns() -
         compute;
}

const std::string on_channels = "system: { channels: true }\n";

// What follows on the bytes of 1 GiB.
double protocol_ns(const std::string& collective, int boxes) {
  const Experiment experiment = experiment_of(collective, boxes, on_channels);
  WholeGroup group(*experiment.runs.at(0).topology->graph);
  const double n = 8 * boxes;
  if (collective == "all-to-all") return rest_ns(group.costs().pairs(gib * (n - 1) / n));
  if (collective == "reduce-scatter") return rest_ns(group.costs().ring(gib * (n - 1) / n, 1));
  return rest_ns(group.all_reduce(gib));
}
double bytes_ns(const std::string& collective, int boxes) {
  return nanoseconds(collective, boxes, on_channels) - protocol_ns(collective, boxes);
}

// All eight NICs of a box send what a ring of all members has to send.
TEST(ChannelCollectives, UseEveryNic) {
  constexpr double nics = 8 * 50;
  EXPECT_NEAR(bytes_ns("all-reduce", 2), 2 * gib * 15 / 16 / nics, 2e3);
  EXPECT_NEAR(bytes_ns("reduce-scatter", 2), gib * 15 / 16 / nics, 2e3);
  EXPECT_NEAR(bytes_ns("all-reduce", 4), 2 * gib * 31 / 32 / nics, 2e3);
}

// Each NPU of a box sends to eight NPUs of the other box, by the rails of the receivers.
TEST(ChannelCollectives, AllToAllStaysOnRails) {
  EXPECT_NEAR(bytes_ns("all-to-all", 2), gib / 2 / 50, 2e3);
}

// A ring inside a box is as fast as the NVLinks of a GPU.
TEST(ChannelCollectives, OnOneMachineTakeNvlinks) {
  EXPECT_NEAR(bytes_ns("all-reduce", 1), 2 * gib * 7 / 8 / 450, 2e3);
}

// The usual algorithms take one dimension after the other, and so leave NICs idle.
TEST(ChannelCollectives, AreFasterThanDimensionByDimension) {
  EXPECT_GT(nanoseconds("all-reduce", 2, ""), 1.3 * nanoseconds("all-reduce", 2, on_channels));
}

// Traces that were recorded of a run send what the run sends, though each of their ranks issues by itself.
TEST(ChannelCollectives, ExecutionTracesRunOnThemToo) {
  TemporaryFolder folder;
  const std::string at = folder.path().string() + "/";
  const std::string machine =
      "network: { build: nvlink, size: 8, switches: 4, links: 16, link: { bandwidth: 25 GB/s, latency: 100 "
      "ns } }\n" +
      on_channels;
  write_file_atomically(at + "layers.yaml",
                        machine +
                            "workload:\n"
                            "  layers:\n"
                            "    - { name: a, weight-gradient: { compute: 1 us, collective: "
                            "all-reduce, size: 1 MiB } }\n"
                            "    - { name: b, weight-gradient: { compute: 3 us, collective: "
                            "all-to-all, size: 4 MiB } }\n");
  write_file_atomically(at + "recorded.yaml", machine + "workload: { traces: traces }\n");
  EXPECT_EQ(call_orrery({"convert", at + "layers.yaml", "--output=" + at + "traces"}).exit_code, 0);
  const auto summary = [&](const std::string& name) {
    const Outcome outcome = run_orrery({at + name, "--json", "--output=" + at + "results"});
    EXPECT_EQ(outcome.exit_code, 0) << outcome.error;
    return nlohmann::json::parse(outcome.output)["runs"][0];
  };
  const nlohmann::json layers = summary("layers.yaml"), recorded = summary("recorded.yaml");
  EXPECT_EQ(recorded["total_us"], layers["total_us"]);
  EXPECT_GT(layers["messages"], 0);
  EXPECT_EQ(recorded["messages"], layers["messages"]);
}

// Switches that add up, and the NICs in front of them, send by packets as they do by flows, whatever the
// transport. A packet adds its header, and its time at each hop.
TEST(ChannelCollectives, SwitchesThatAddUpSendPackets) {
  const std::string
      one_switch =
          "network:\n"
          "  nodes: [ { name: gpu, kind: npu, count: 3 }, { name: s, kind: switch, reduces: true } ]\n"
          "  links: [ { from: gpu, to: s, bandwidth: 50 GB/s, latency: 1 us } ]\n",
      boxes =
          "network:\n"
          "  build: rail-optimized\n"
          "  inside: { build: nvlink, size: 4, switches: 2, links: 2, reduction: true, link: { "
          "bandwidth: 25 GB/s, latency: 100 ns }, nics: { count: 4, link: { bandwidth: 64 GB/s, "
          "latency: 500 ns } } }\n"
          "  link: { bandwidth: 50 GB/s, latency: 500 ns }\n"
          "  levels: [ { size: 2 } ]\n  reduction: true\n";
  for (const std::string& network : {one_switch, boxes})
    for (const char* const packets :
         {"{}", "{ every-packet: false }", "{ profile: infiniband }", "{ profile: tcp }", "{ profile: ns-3 }",
          "{ profile: htsim }", "{ congestion-control: hpcc }", "{ congestion-control: eqds }",
          "{ flow-control: none }"}) {
      const auto takes = [&](const std::string& model) {
        Warnings warnings;
        const Experiment experiment = read_experiment(network + on_channels + model +
                                                          "workload: { layers: [ { name: l, weight-gradient: "
                                                          "{ collective: all-reduce, size: 2 MB } } ] "
                                                          "}\n",
                                                      "e.yaml", {}, warnings, InputLog());
        return carry_out(experiment.runs.at(0), warnings).recording.end().ns();
      };
      const double by_flows = takes("network-model: fluid\n"),
                   by_packets = takes(fmt::format("network-model: packet\npackets: {}\n", packets));
      // ns-3's back end uses one of several links between two nodes.
      const double links = network == boxes && std::string_view(packets) == "{ profile: ns-3 }" ? 2 : 1;
      EXPECT_GT(by_packets, by_flows) << packets;
      EXPECT_LT(by_packets, 1.3 * links * by_flows) << packets;
    }
}

}  // namespace
}  // namespace orrery::core::test::channel_collectives_test
