// Pieces of an experiment that are used by name, as they are or with changes.
#include <gtest/gtest.h>

#include "support/layers.hpp"

#include "study/workloads/transformer/transformer_workload.hpp"

#include <string>
#include <vector>

#include "study/experiment/experiment.hpp"

namespace orrery::core::named_definitions_test {
namespace {

const std::string network = "network: [ { topology: ring, size: 8, bandwidth: 25 GB/s, latency: 500 ns } ]\n";
const std::string workload = "workload: { layers: [ { name: x } ] }\n";

Experiment read(const std::string& text, const std::vector<std::string>& overrides = {}) {
  Warnings warnings;
  return read_experiment(text, "x.yaml", overrides, warnings, InputLog());
}

std::string error_of(const std::string& text) {
  try {
    read(text);
  } catch (const InputError& error) {
    return error.what();
  }
  return "none";
}

TEST(NamedDefinitions, pieces_can_be_used_with_changes) {
  const Experiment experiment = read(network + R"(
systems: { s: { chunks: 5, collectives: { all-reduce: ring, all-to-all: ring } }, t: { base: s, chunks: 6 } }
workloads: { w: { layers: [ { name: x } ], host: { npus: 2, sample-time: 1 us } } }
runs:
  - { name: a, workload: w, system: { base: s, scheduling: fifo, collectives: { all-reduce: direct } } }
  - { name: b, workload: { base: w, host: { npus: 4 } }, system: { base: t } }
)");
  const RunSpec &a = experiment.runs[0], &b = experiment.runs[1];
  EXPECT_EQ(a.system->chunks, 5);
  EXPECT_EQ(a.system->issue_order, IssueOrder::fifo);
  EXPECT_EQ(a.system->algorithms_of(CollectiveKind::all_reduce)[0].algorithm, &direct_algorithm);
  EXPECT_EQ(a.system->algorithms_of(CollectiveKind::all_to_all)[0].algorithm, &ring_algorithm);
  EXPECT_EQ(b.system->chunks, 6);
  EXPECT_EQ(b.system->algorithms_of(CollectiveKind::all_reduce)[0].algorithm, &ring_algorithm);
  EXPECT_EQ(test::table_of(a).host->npus, 2);
  EXPECT_EQ(test::table_of(b).host->npus, 4);
  EXPECT_EQ(test::table_of(b).host->sample.ns(), 1000);
}

TEST(NamedDefinitions, overrides_change_a_key_of_a_named_piece_for_the_run_alone) {
  const std::string pieces =
      "systems: { s: { chunks: 5, scheduling: fifo } }\nruns: [ { name: a, system: s }, { name: b, system: s "
      "} ]\n";
  const Experiment experiment = read(network + workload + pieces, {"runs.b.system.chunks=7"});
  EXPECT_EQ(experiment.runs[0].system->chunks, 5);
  EXPECT_EQ(experiment.runs[1].system->chunks, 7);
  EXPECT_EQ(experiment.runs[1].system->issue_order, IssueOrder::fifo);
}

TEST(NamedDefinitions, platforms_have_names) {
  const Experiment experiment = read(R"(
platforms:
  mine: { base: dgx-a100, gpus-per-node: 4 }
  slow: { base: mine, stack: { kernel-slowdown: 2 } }
platform: mine
workload: { model: gpt3-125m, batch: { global: 1 } }
runs:
  - { name: a }
  - { name: b, platform: slow }
  - { name: c, platform: { base: slow, between: 25 GB/s } }
)");
  EXPECT_LT(training_of(experiment.runs[0])->stack.kernel_slowdown, 2);
  EXPECT_EQ(training_of(experiment.runs[1])->stack.kernel_slowdown, 2);
  EXPECT_EQ(training_of(experiment.runs[2])->stack.kernel_slowdown, 2);
}

TEST(NamedDefinitions, bases_have_to_be_there) {
  EXPECT_EQ(error_of(network + "workloads: { w: {} }\nworkload: { base: v, batch: 2 }\n"),
            "x.yaml:3:19: error: `v` is no name under `workloads` (there: `w`)");
  EXPECT_NE(error_of(network + workload + "systems: { s: { base: s } }\nsystem: s\n")
                .find("is one of them its own `base`?"),
            std::string::npos);
}

}  // namespace
}  // namespace orrery::core::named_definitions_test
