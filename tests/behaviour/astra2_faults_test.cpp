// ASTRA-sim 2 fails or errs on each of these inputs, and Orrery does what the name of the test says. The
// numbers in the names only tell the tests apart.
#include <gtest/gtest.h>

#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "base/files/file.hpp"
#include "support/cases.hpp"
#include "support/trace_text.hpp"

namespace orrery::core::test::astra2_faults_test {
namespace {

namespace fs = std::filesystem;

constexpr const char* machine =
    R"({"preferred-dataset-splits": 1, "all-reduce-implementation": ["ring"], "endpoint-delay": 10})";

class Astra2Faults : public testing::Test {
 protected:
  Astra2Faults() {
    system(machine);
    network("topology: [Ring]\nnpus_count: [2]\nbandwidth: [50.0]\nlatency: [500.0]\n");
  }
  std::string at(const std::string& name) const { return (folder.path() / name).string(); }
  void system(const std::string& text) const { write_file_atomically(at("system.json"), text); }
  void network(const std::string& text) const { write_file_atomically(at("network.yml"), text); }
  Outcome run(const std::string& trace, const std::vector<std::string>& more = {}) const {
    write_file_atomically(at("trace.et"), trace_of_text(trace));
    Flags flags{"--workload-configuration=" + at("trace"), "--system-configuration=" + at("system.json"),
                "--network-configuration=" + at("network.yml")};
    flags.insert(flags.end(), more.begin(), more.end());
    return run_orrery(flags);
  }
  void expect_line(const Outcome& outcome, const std::string& line) const {
    EXPECT_EQ(outcome.exit_code, 0) << outcome.error;
    EXPECT_NE(outcome.output.find(line + "\n"), std::string::npos) << outcome.output;
  }
  TemporaryFolder folder;
};

const std::string finished_2us = "[workload] [info] sys[0] finished, 2000 cycles, exposed communication ";

TEST_F(Astra2Faults, C1AllClassesOfNodesHaveTheirStatistics) {
  write_file_atomically(
      at("memory.json"),
      R"({"memory-type": "PER_NPU_MEMORY_EXPANSION", "remote-mem-latency": 7, "remote-mem-bw": 1})");
  const Outcome outcome =
      run("compute 1 duration=2 is_cpu_op:bool=1\nload 2 after=1 tensor_size=3\ninvalid 3 after=2\n"
          "compute 4 after=3 duration=1\n",
          {"--remote-memory-configuration=" + at("memory.json")});
  expect_line(outcome, "[statistics] [info] sys[0], CPU time: 2000");
  expect_line(outcome, "[statistics] [info] sys[0], Remote mem time: 10");
  expect_line(outcome, "[statistics] [info] sys[0], Invalid time: 0");
  expect_line(outcome, "[statistics] [info] sys[0], GPU time: 1000");
}

TEST_F(Astra2Faults, C3AnNpuWithNothingRunningGoesOnWithWhatSkippedNodesFree) {
  expect_line(run("invalid 1\ncompute 2 after=1 duration=2\n"), finished_2us + "0 cycles.");
}

TEST_F(Astra2Faults, C5CyclesAreReported) {
  const Outcome outcome = run("compute 1 duration=1\ncompute 2 after=3\ncompute 3 after=2\n");
  EXPECT_EQ(outcome.exit_code, 2);
  EXPECT_NE(outcome.error.find("nodes 2 -> 3 -> 2 wait for each other"), std::string::npos) << outcome.error;
}

TEST_F(Astra2Faults, C8FalseIsOff) {
  system(R"({"preferred-dataset-splits": 1, "all-reduce-implementation": ["ring"], "replay-only": false,
             "roofline-enabled": false, "track-local-mem": false, "model-shared-bus": false})");
  // 2(n-1) messages of 2000 bytes, 37.25 ns and 500 ns, three delays of 10 ns.
  expect_line(run("collective 1 comm_type=0 comm_size=4000\n"),
              "[workload] [info] sys[0] finished, 1104 cycles, exposed communication 1104 cycles.");
}

TEST_F(Astra2Faults, C9KeysHaveDefaults) {
  system(R"({"all-reduce-implementation": ["ring", "ring"]})");
  network("topology: [Ring, Ring]\nnpus_count: [2, 2]\nbandwidth: [50.0, 50.0]\nlatency: [500.0, 500.0]\n");
  // Reduce-scatter in, all-reduce of the half, all-gather out: localBWAware, one chunk.
  const Outcome outcome = run("collective 1 comm_type=0 comm_size=8000\n");
  // 4000 bytes, twice 2000, 4000; (74 + 500) ns and (37 + 500) ns; 2, 3 and 2 delays of 10 ns.
  expect_line(outcome, "[workload] [info] sys[0] finished, 2292 cycles, exposed communication 2292 cycles.");
}

TEST_F(Astra2Faults, C11ACustomAlgorithmRunsOnceWhateverTheSplits) {
  system(R"({"preferred-dataset-splits": 4, "all-reduce-implementation-custom": [")" + at("custom") +
         R"("]})");
  for (const char* position : {"0", "1"})
    write_file_atomically(at("custom.") + position + ".et", trace_of_text("compute 1 duration=2\n"));
  expect_line(run("collective 1 comm_type=0 comm_size=4000\n"), finished_2us + "2000 cycles.");
}

TEST_F(Astra2Faults, C13WhatHasNoEffectIsSaid) {
  system(R"({"preferred-dataset-splits": 1, "all-reduce-implementation": ["ring"], "boost-mode": 1})");
  const Outcome outcome = run("compute 1 duration=2\n", {"--comm-scale=2"});
  expect_line(outcome, finished_2us + "0 cycles.");
  EXPECT_NE(outcome.error.find("`boost-mode` has no effect"), std::string::npos) << outcome.error;
  EXPECT_NE(outcome.error.find("--comm-scale: warning: has no effect"), std::string::npos) << outcome.error;
}

TEST_F(Astra2Faults, C14ErrorsStopTheRunWheneverTheyHappen) {
  const Outcome outcome = run("compute 1 duration=2\ncollective 2 after=1 comm_type=0\n");
  EXPECT_EQ(outcome.exit_code, 2);
  EXPECT_NE(outcome.error.find("node 2 has no attribute comm_size"), std::string::npos) << outcome.error;
}

TEST_F(Astra2Faults, C17OnlyTheTextEmptyStandsForNoGroups) {
  write_file_atomically(at("not-empty.json"), R"({"1": [0, 1]})");
  const std::string trace = "collective 1 comm_type=0 comm_size=4000 pg_name:string=1\n";
  expect_line(run(trace, {"--comm-group-configuration=" + at("not-empty.json")}),
              "[workload] [info] sys[0] finished, 1104 cycles, exposed communication 1104 cycles.");
  EXPECT_EQ(run(trace, {"--comm-group-configuration=empty"}).exit_code, 2);
}

TEST_F(Astra2Faults, C18TracesNeedNotBeWritable) {
  write_file_atomically(at("trace.et"), trace_of_text("compute 1 duration=2\n"));
  fs::permissions(at("trace.et"), fs::perms::owner_read);
  const auto before = fs::last_write_time(at("trace.et"));
  const Outcome outcome =
      run_orrery({"--workload-configuration=" + at("trace"), "--system-configuration=" + at("system.json"),
                  "--network-configuration=" + at("network.yml")});
  expect_line(outcome, finished_2us + "0 cycles.");
  EXPECT_EQ(fs::last_write_time(at("trace.et")), before);
}

TEST_F(Astra2Faults, C22NoOperationsTakeNoTime) {
  system(R"({"roofline-enabled": 1, "peak-perf": 1, "local-mem-bw": 1})");
  expect_line(run("compute 1 num_ops=0 tensor_size=100\ncompute 2 after=1 num_ops=2000000 tensor_size=1\n"),
              finished_2us + "0 cycles.");
}

TEST_F(Astra2Faults, B3ARingOfTwoWorksOnLinks) {
  // Store and forward over one link each way: as without contention.
  expect_line(run("collective 1 comm_type=0 comm_size=4000\n", {"--network-model=link"}),
              "[workload] [info] sys[0] finished, 1104 cycles, exposed communication 1104 cycles.");
}

TEST_F(Astra2Faults, B4TimeMayStandStillAtZero) {
  system(R"({"roofline-enabled": 1, "peak-perf": 1, "local-mem-bw": 1})");
  expect_line(run("compute 1 num_ops=1 tensor_size=1\n"),
              "[workload] [info] sys[0] finished, 1 cycles, exposed communication 0 cycles.");
  expect_line(run("compute 1 num_ops=0 tensor_size=1\n"),
              "[workload] [info] sys[0] finished, 0 cycles, exposed communication 0 cycles.");
}

}  // namespace
}  // namespace orrery::core::test::astra2_faults_test
