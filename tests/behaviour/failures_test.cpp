// Failures, background traffic and the routing of messages count in runs of every kind.
#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>

#include "base/files/file.hpp"
#include "base/files/file_writer.hpp"
#include "study/experiment/experiment.hpp"
#include "study/run/run.hpp"
#include "support/cases.hpp"
#include "support/trace_text.hpp"

namespace orrery::core::test::failures_behaviour_test {
namespace {

namespace fs = std::filesystem;

const std::string network =
    "network: { build: fat-tree, link: { bandwidth: 50 GB/s, latency: 500 ns },\n"
    "           levels: [ { size: 4 }, { size: 4 } ] }\n";

struct Kind {
  std::string name, workload;
};

// Four layers, of which all but the last send their output on in a pipeline.
std::string layers(const std::string& output) {
  std::string text = "  layers:\n";
  for (const char* name : {"a", "b", "c", "d"})
    text += std::string("    - { name: ") + name +
            ", forward: { compute: 5 us }, input-gradient: { compute: 5 us }, " +
            (name[0] == 'd' ? "" : output) +
            "weight-gradient: { compute: 5 us, collective: all-reduce, size: 5 MiB } }\n";
  return text;
}

std::vector<Kind> kinds() {
  return {{"layers", "workload:\n" + layers("")},
          {"pipeline", "workload:\n  pipeline: { micro-batches: 4 }\n" + layers("output: 1 MiB, ")},
          {"transformer",
           "platform: dgx-a100\nworkload: { model: gpt3-125m, batch: { global: 32, micro: 1 }, "
           "parallelism: { tensor: 4, pipeline: 2, data: 2 } }\n"}};
}

// The file of background traffic is the only one there is.
Time time_of(const Kind& kind, const std::string& keys) {
  Warnings warnings;
  const Experiment experiment = read_experiment(
      network + keys + kind.workload, "experiment.yaml", {}, warnings, [](const std::string&) {
        return std::string("source,destination,bytes\n0,15,900000000\n1,14,900000000\n");
      });
  return carry_out(experiment.runs.at(0), warnings).recording.end();
}

TEST(Failures, SlowEveryKindOfWorkload) {
  for (const Kind& kind : kinds()) {
    const Time whole = time_of(kind, "");
    EXPECT_LT(whole, time_of(kind, "failures: { link: npu0-leaf0, bandwidth: 20% }\n")) << kind.name;
    EXPECT_LT(whole, time_of(kind, "stragglers: { ranks: [0], slowdown: 3 }\n")) << kind.name;
    // The times are equal except for rounding.
    EXPECT_NEAR(whole.ns(), time_of(kind, "failures: { node: leaf0, at: 30 min }\n").ns(), 0.1) << kind.name;
    EXPECT_GE(time_of(kind, "failures: [ { node: spine0 }, { node: spine1 }, { node: spine2 } ]\n"),
              time_of(kind, "routing: spray\n"))
        << kind.name;
    EXPECT_THROW(time_of(kind, "failures: { node: leaf0, at: 1 us }\n"), InputError) << kind.name;
  }
}

// Boxes of four GPUs, each of which has a NIC and a rail of its own.
const std::string rails =
    "network:\n"
    "  build: rail-optimized\n"
    "  inside: { build: nvlink, size: 4, switches: 2, links: 18, link: { bandwidth: 25 GB/s, latency: 100 ns "
    "},\n"
    "            nics: { count: 4, link: { bandwidth: 64 GB/s, latency: 500 ns } } }\n"
    "  link: { bandwidth: 50 GB/s, latency: 500 ns }\n"
    "  levels: [ { size: 2 }, { size: 2 } ]\n";
const std::string training =
    "platform: dgx-h100\n"
    "workload: { model: gpt3-125m, batch: { global: 32, micro: 1 }, parallelism: { tensor: 4, data: 4 } }\n";

RunResult on_rails(const std::string& keys, Warnings& warnings) {
  const Experiment experiment =
      read_experiment(rails + training + keys, "rails.yaml", {}, warnings, InputLog());
  return carry_out(experiment.runs.at(0), warnings);
}

Time time_on_rails(const std::string& keys) {
  Warnings warnings;
  return on_rails(keys, warnings).recording.end();
}

// Two boxes have lost the NICs of their first GPUs, which then send over NVLinks and the NICs of others.
TEST(Failures, ARailThatBreaksLeavesTheOtherRails) {
  const Time whole = time_on_rails("");
  for (const char* routing : {"", "routing: relay\n", "relay: always\n", "routing: spray\n"}) {
    const Time at_start = time_on_rails(std::string(routing) + "failures: { node: leaf0 }\n");
    const Time midway = time_on_rails(std::string(routing) + "failures: { node: leaf0, at: 2 ms }\n");
    EXPECT_LT(whole, at_start) << routing;
    EXPECT_LT(at_start.ns(), 3 * whole.ns()) << routing;
    EXPECT_LE(whole, midway) << routing;
    EXPECT_LE(midway.ns(), 1.02 * at_start.ns()) << routing;
  }
  EXPECT_THROW(time_on_rails("relay: never\nfailures: { node: leaf0 }\n"), InputError);
  EXPECT_THROW(time_on_rails("relay: never\nfailures: { node: leaf0, at: 2 ms }\n"), InputError);
}

// One of four NICs is left out, so that the bytes of an all-reduce take four thirds of the time. What the
// protocol adds stays as it is.
TEST(Failures, ChannelsLeaveOutWhatIsBrokenWhenTheyAreFound) {
  const auto time_with = [](const std::string& failure) {
    Warnings warnings;
    const std::string text =
        rails +
        "system: { channels: true }\nworkload: { layers: [ { name: g, weight-gradient: { "
        "collective: all-reduce, size: 256 MB } } ] }\n" +
        failure;
    return carry_out(read_experiment(text, "rails.yaml", {}, warnings, InputLog()).runs.at(0), warnings)
        .recording.end();
  };
  const double whole = time_with("").ns();
  EXPECT_NEAR(time_with("failures: { node: leaf0 }\n").ns(), whole * 4 / 3, 0.03 * whole);
  try {
    time_with("failures: { node: leaf0, at: 1 ms }\n");
    FAIL() << "NCCL would stop";
  } catch (const InputError& error) {
    EXPECT_NE(std::string(error.what()).find("NCCL would stop"), std::string::npos) << error.what();
  }
}

TEST(Failures, ThatNeverHappenGiveAWarning) {
  Warnings late, in_time;
  on_rails("failures: { node: spine0, at: 10 s }\n", late);
  on_rails("failures: { node: spine0, at: 1 ms, until: 10 s }\n", in_time);
  ASSERT_EQ(late.lines().size(), 1u);
  EXPECT_NE(late.lines()[0].find("never happens: it begins at 10.00 s"), std::string::npos)
      << late.lines()[0];
  EXPECT_TRUE(in_time.lines().empty());
}

TEST(Failures, SeveralSeedsGiveAMeanAndTheRunNearestToIt) {
  const Kind layers = kinds()[0];
  Warnings warnings;
  const std::string failure = "failures: { node: spine0 }\n";
  const RunResult result = carry_out(read_experiment(network + "hash-seeds: 4\n" + failure + layers.workload,
                                                     "seeds.yaml", {}, warnings, InputLog())
                                         .runs.at(0),
                                     warnings);
  ASSERT_EQ(result.totals_by_seed.size(), 4u);
  for (std::size_t seed = 0; seed < 4; ++seed)
    EXPECT_EQ(result.totals_by_seed[seed],
              time_of(layers, failure + "route-seed: " + std::to_string(seed) + "\n"));
  const HashSpread spread = hash_spread(result.totals_by_seed).value();
  EXPECT_LT(spread.least, spread.most);
  EXPECT_LE(spread.least, spread.mean);
  EXPECT_LE(spread.mean, spread.most);
  for (const Time end : result.totals_by_seed)
    EXPECT_LE(std::abs(result.recording.end().ns() - spread.mean.ns()),
              std::abs(end.ns() - spread.mean.ns()));
  EXPECT_FALSE(hash_spread({Time::from_ns(1)}).has_value());
}

// Returns the cycle in which the last rank ends, as the last line of what ASTRA-sim 2 prints gives it.
std::string end_of_traces(const std::vector<std::string>& flags) {
  std::vector<std::string> words{"run", "--workload-configuration=trace",
                                 "--system-configuration=system.json", "--network-configuration=network.yml",
                                 "--path=" + fs::current_path().string() + "/"};
  words.insert(words.end(), flags.begin(), flags.end());
  const Outcome outcome = call_orrery(words);
  EXPECT_EQ(outcome.exit_code, 0) << outcome.error;
  return read_file_of_any_kind("ranks.csv");
}

TEST(Failures, RoutingAndBackgroundCountInTraces) {
  const TemporaryFolder scratch;
  const fs::path before = fs::current_path();
  fs::current_path(scratch.path());
  write_file_atomically("network.yml",
                        "build: fat-tree\nlink: { bandwidth: 50 GB/s, latency: 500 ns }\n"
                        "levels: [ { size: 4 }, { size: 2 } ]\n");
  write_file_atomically("system.json",
                        R"({ "scheduling-policy": "LIFO", "endpoint-delay": 10, "preferred-dataset-splits": 1,
                             "all-reduce-implementation": ["direct", "direct"] })");
  write_file_atomically("trace.et",
                        trace_of_text("collective 2 name=exchange comm_type=0 comm_size=80000000\n"));
  write_file_atomically("failures.yaml", "{ link: npu0->leaf0, bandwidth: 50%, at: 10 us }\n");
  write_file_atomically("flows.csv", "source,destination,bytes\n0,7,90000000\n");
  const std::string usual = end_of_traces({});
  for (const char* flag : {"--failures=failures.yaml", "--background=flows.csv", "--routing=spray"})
    EXPECT_NE(end_of_traces({flag}), usual) << flag;
  fs::current_path(before);
}

TEST(Background, SharesTheNetworkWithEveryKindOfWorkload) {
  for (const Kind& kind : kinds())
    EXPECT_LT(time_of(kind, ""), time_of(kind, "background: flows.csv\n")) << kind.name;
}

}  // namespace
}  // namespace orrery::core::test::failures_behaviour_test
