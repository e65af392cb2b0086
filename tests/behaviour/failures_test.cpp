// What breaks, what else is on the network, and how messages are routed counts in runs of every kind.
#include <gtest/gtest.h>

#include "study/experiment.hpp"
#include "study/run.hpp"

namespace orrery::test::failures_behaviour_test {
namespace {

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
    // But for rounding.
    EXPECT_NEAR(whole.ns(), time_of(kind, "failures: { node: leaf0, at: 30 min }\n").ns(), 0.1) << kind.name;
    EXPECT_GE(time_of(kind, "failures: [ { node: spine0 }, { node: spine1 }, { node: spine2 } ]\n"),
              time_of(kind, "routing: spray\n"))
        << kind.name;
    EXPECT_THROW(time_of(kind, "failures: { node: leaf0, at: 1 us }\n"), InputError) << kind.name;
  }
}

TEST(Background, SharesTheNetworkWithEveryKindOfWorkload) {
  for (const Kind& kind : kinds())
    EXPECT_LT(time_of(kind, ""), time_of(kind, "background: flows.csv\n")) << kind.name;
}

}  // namespace
}  // namespace orrery::test::failures_behaviour_test
