// orrery convert, as its users call it.
#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>
#include <utility>
#include <vector>

#include "base/files/file.hpp"
#include "support/cases.hpp"

namespace orrery::core::test::convert_test {
namespace {

constexpr const char* experiment = R"(name: small
dialect: astra-sim-1.0
passes: 2
network: [{ name: x, topology: ring, size: 4, links: 2, bandwidth: 50 GB/s, latency: 500 ns }]
system: { collectives: { all-reduce: ring }, chunks: 2, endpoint-delay: 10 ns }
workload: { model: vgg16, peak: 46 TFLOP/s }
)";

class Convert : public testing::Test {
 protected:
  Convert() { write("small.yaml", experiment); }
  void write(const std::string& name, const std::string& text) const {
    write_file_atomically(at(name), text);
  }
  std::string at(const std::string& name) const { return (folder.path() / name).string(); }
  static Outcome orrery(std::vector<std::string> arguments) { return call_orrery(std::move(arguments)); }
  TemporaryFolder folder;
};

TEST_F(Convert, WritesOneTraceThatRunsLikeItsModel) {
  const Outcome converted = orrery({"convert", at("small.yaml"), "--output", at("traces")});
  ASSERT_EQ(converted.exit_code, 0) << converted.error;
  const Outcome original = orrery({"run", at("small.yaml"), "--json", "--output", at("original")});
  const Outcome again = orrery({"run", at("small.yaml"), "--json", "--output", at("again"), "--set",
                                "workload=" + at("traces/small.et"), "--set", "passes=2"});
  ASSERT_EQ(again.exit_code, 0) << again.error;
  // Traces do not tell which model they were made of.
  const auto same = [](const std::string& output) {
    nlohmann::json summary = nlohmann::json::parse(without_origin(output));
    summary.at("runs").at(0).erase("work");
    return summary.dump(1);
  };
  EXPECT_EQ(same(again.output), same(original.output));
}

TEST_F(Convert, WritesATraceForEachRank) {
  const Outcome converted = orrery({"convert", at("small.yaml"), "--per-rank", "--output", at("traces")});
  ASSERT_EQ(converted.exit_code, 0) << converted.error;
  for (const char* rank : {"0", "1", "2", "3"})
    EXPECT_TRUE(std::filesystem::exists(at("traces/small.") + rank + ".et"));
  EXPECT_FALSE(std::filesystem::exists(at("traces/small.4.et")));
}

// One NPU has nobody to exchange anything with, alone or in a dimension of a larger machine.
TEST_F(Convert, CollectivesOfOneNpuTakeNoTime) {
  const std::string layers =
      "workload: { layers: [ { name: g, forward: { compute: 100 us }, weight-gradient: { compute: 100 us, "
      "collective: all-reduce, size: 64 MiB } } ] }\n";
  const std::string alone = "network: [ { topology: ring, size: 1, bandwidth: 50 GB/s, latency: 1 us } ]\n";
  write("alone.yaml", "name: alone\n" + alone + layers);
  ASSERT_EQ(orrery({"convert", at("alone.yaml"), "--output", at("traces")}).exit_code, 0);
  write("back.yaml", "name: alone\n" + alone + "workload: { traces: traces/alone }\n");
  const Outcome original = orrery({"run", at("alone.yaml"), "--json", "--output", at("original")});
  const Outcome again = orrery({"run", at("back.yaml"), "--json", "--output", at("again")});
  ASSERT_EQ(again.exit_code, 0) << again.error;
  const auto total = [](const Outcome& outcome) {
    return nlohmann::json::parse(outcome.output)["runs"][0]["total_us"];
  };
  EXPECT_EQ(total(again), total(original));
}

TEST_F(Convert, RejectsANetworkOfOtherDimensions) {
  orrery({"convert", at("small.yaml"), "--output", at("traces")});
  const Outcome outcome =
      orrery({"run", at("small.yaml"), "--output", at("results"), "--set",
              "workload=" + at("traces/small.et"), "--set", "passes=2", "--set",
              "network=[{name: x, topology: ring, size: 2, bandwidth: 50 GB/s, latency: 500 ns},"
              " {name: y, topology: ring, size: 2, bandwidth: 50 GB/s, latency: 500 ns}]"});
  EXPECT_EQ(outcome.exit_code, 2);
  EXPECT_NE(outcome.error.find("was made for a network of 1 dimensions, this one has 2"), std::string::npos)
      << outcome.error;
}

TEST_F(Convert, RejectsOtherPasses) {
  orrery({"convert", at("small.yaml"), "--output", at("traces")});
  const Outcome outcome = orrery({"run", at("small.yaml"), "--output", at("results"), "--set",
                                  "workload=" + at("traces/small.et"), "--set", "passes=3"});
  EXPECT_EQ(outcome.exit_code, 2);
  EXPECT_NE(outcome.error.find("holds 2 training passes"), std::string::npos) << outcome.error;
}

TEST_F(Convert, RunsAsATraceOfAstraSim2) {
  orrery({"convert", at("small.yaml"), "--per-rank", "--output", at("traces")});
  write("system.json",
        R"({"preferred-dataset-splits": 2, "all-reduce-implementation": ["ring"], "endpoint-delay": 10})");
  write("network.yml", "topology: [Ring]\nnpus_count: [4]\nbandwidth: [50.0]\nlatency: [500.0]\n");
  const Outcome outcome = orrery({"run", "--workload-configuration=" + at("traces/small"),
                                  "--system-configuration=" + at("system.json"),
                                  "--network-configuration=" + at("network.yml"), "--explain"});
  ASSERT_EQ(outcome.exit_code, 0) << outcome.error;
  EXPECT_NE(outcome.output.find("sys[3] finished"), std::string::npos) << outcome.output;
  EXPECT_NE(outcome.output.find("explanation: one rank was simulated message by message, 4 do the same"),
            std::string::npos);
  // Times agree to the nanosecond, although Chakra's own durations are in microseconds.
  const Outcome original = orrery({"run", at("small.yaml"), "--json", "--output", at("original")});
  // Updates that follow collectives are no compute nodes there.
  const nlohmann::json run = nlohmann::json::parse(original.output).at("runs").at(0);
  const double compute_us = run.at("compute_us").get<double>() - run.at("update_us").get<double>();
  const std::string gpu_time = "sys[3], GPU time: " + std::to_string(std::llround(compute_us * 1000)) + "\n";
  EXPECT_NE(outcome.output.find(gpu_time), std::string::npos) << gpu_time << outcome.output;
}

// A transformer whose ranks form groups, on a network of its own.
constexpr const char* training = R"(name: step
platform: { base: dgx-h100, stack: megatron-core }
workload: { model: gpt3-125m, batch: { global: 8 }, parallelism: { tensor: 2, pipeline: 2, data: 2 } }
network: [{ name: nvlink, topology: switch, size: 4, bandwidth: 450 GB/s, latency: 1 us },
          { name: ib, topology: switch, size: 2, bandwidth: 50 GB/s, latency: 3 us }]
)";

class ConvertTraining : public Convert {
 protected:
  ConvertTraining() {
    write("step.yaml", training);
    converted = orrery({"convert", at("step.yaml"), "--output", at("traces")});
    write("again.yaml", std::string("name: again\nworkload: { traces: traces/step }\n") + network());
  }
  static std::string network() {
    const std::string text = training;
    return text.substr(text.find("network:"));
  }
  nlohmann::json run(const std::string& file) const {
    const Outcome outcome = orrery({"run", at(file), "--json", "--output", at("results")});
    EXPECT_EQ(outcome.exit_code, 0) << outcome.error;
    return outcome.exit_code == 0 ? nlohmann::json::parse(outcome.output).at("runs").at(0) : nlohmann::json();
  }
  Outcome converted;
};

TEST_F(ConvertTraining, RunsInAnExperimentAsBefore) {
  ASSERT_EQ(converted.exit_code, 0) << converted.error;
  EXPECT_NE(converted.output.find("of 8 NPUs in 2 parts, "), std::string::npos) << converted.output;
  EXPECT_NE(converted.output.find(" groups, " + at("traces/step-groups.json")), std::string::npos);
  EXPECT_NE(converted.output.find("in program order"), std::string::npos);
  EXPECT_EQ(run("again.yaml").at("total_us"), run("step.yaml").at("total_us"));
  // The groups may be named, too.
  write("again.yaml", "workload: { traces: traces/step, groups: traces/step-groups.json }\n" + network());
  EXPECT_EQ(run("again.yaml").at("total_us"), run("step.yaml").at("total_us"));
}

// Traces are scaled by either factor alone. Computation takes as long as before, apart from what it loses to
// longer collectives.
TEST_F(ConvertTraining, ScalesComputationAndCommunication) {
  const auto alone = [](const nlohmann::json& run) {
    return run.at("compute_us").get<double>() - run.at("contention_us").get<double>();
  };
  const nlohmann::json before = run("again.yaml");
  const double compute = before.at("compute_us"), exposed = before.at("exposed_us");
  write("again.yaml", "workload: { traces: traces/step }\ncompute-scale: 2\n" + network());
  EXPECT_NEAR(run("again.yaml").at("compute_us"), 2 * compute, 0.002 * compute);
  write("again.yaml", "workload: { traces: traces/step }\ncommunication-scale: 2\n" + network());
  EXPECT_NEAR(alone(run("again.yaml")), alone(before), 1e-3);
  EXPECT_GT(run("again.yaml").at("exposed_us"), 1.2 * exposed);
}

// The message says how many nodes there are.
TEST_F(ConvertTraining, CountsTheNodesOfAllTraces) {
  std::size_t nodes = 0;
  for (int rank = 0; rank < 8; ++rank) {
    const Outcome inspected =
        orrery({"inspect", at("traces/step." + std::to_string(rank) + ".et"), "--json"});
    ASSERT_EQ(inspected.exit_code, 0) << inspected.error;
    const nlohmann::json counts = nlohmann::json::parse(inspected.output).at("nodes");
    for (const auto& count : counts) nodes += count.get<std::size_t>();
  }
  EXPECT_NE(converted.output.find(": " + std::to_string(nodes) + " nodes of 8 NPUs"), std::string::npos)
      << converted.output;
}

TEST_F(ConvertTraining, RefusesWhatDoesNotBelongTogether) {
  const auto error_of = [&](const std::string& file) {
    const Outcome outcome = orrery({"run", at(file), "--output", at("results")});
    EXPECT_EQ(outcome.exit_code, 2);
    return outcome.error;
  };
  write("other.yaml", "workload: { traces: traces/step, replay: true }\n" + network());
  EXPECT_NE(error_of("other.yaml").find("`replay` means nothing for traces of a whole program"),
            std::string::npos);
  write("groups.json", R"({"1": [0, 1]})");
  write("other.yaml", "workload: { traces: traces/step, groups: groups.json }\n" + network());
  EXPECT_NE(error_of("other.yaml").find("has other groups than the traces"), std::string::npos);
  std::filesystem::copy_file(at("traces/step.1.et"), at("traces/step.0.et"),
                             std::filesystem::copy_options::overwrite_existing);
  EXPECT_NE(error_of("again.yaml").find("step.0.et: error: has been changed since"), std::string::npos);
  std::filesystem::remove(at("traces/step.7.et"));
  EXPECT_NE(error_of("again.yaml").find("was written together with the traces of 8 ranks, and there are 7"),
            std::string::npos);
}

// A library times the collectives within layers, which are nodes of the traces and not of the run.
TEST_F(ConvertTraining, TakesANanosecondMoreOrLessANodeByALibrary) {
  const std::string library = "system: { library: nccl }\n";
  write("step.yaml", training + library);
  converted = orrery({"convert", at("step.yaml"), "--output", at("traces")});
  write("again.yaml", "workload: { traces: traces/step }\n" + network() + library);
  const double before = run("step.yaml").at("total_us"), after = run("again.yaml").at("total_us");
  constexpr double nodes_of_a_stage = 1000;
  EXPECT_NEAR(after, before, nodes_of_a_stage * 1e-3);
}

TEST_F(ConvertTraining, RunsByTheFlagsOfAstraSim2) {
  write("system.json",
        R"({"all-reduce-implementation": ["ring", "ring"], "all-gather-implementation": ["ring", "ring"],
                           "reduce-scatter-implementation": ["ring", "ring"]})");
  write("network.yml",
        "topology: [Switch, Switch]\nnpus_count: [4, 2]\nbandwidth: [450, 50]\nlatency: [1000, 3000]\n");
  const Outcome outcome =
      orrery({"run", "--workload-configuration=" + at("traces/step"),
              "--system-configuration=" + at("system.json"), "--network-configuration=" + at("network.yml"),
              "--comm-group-configuration=" + at("traces/step-groups.json")});
  ASSERT_EQ(outcome.exit_code, 0) << outcome.error;
  EXPECT_EQ(outcome.error, "");
  for (int rank = 0; rank < 8; ++rank)
    EXPECT_NE(outcome.output.find("sys[" + std::to_string(rank) + "] finished"), std::string::npos);
}

// Pipelines of layers are programs of several parts, too. On a device they contend with their collectives.
TEST_F(Convert, WritesPipelines) {
  const std::string network =
      "network: [{ name: x, topology: ring, size: 4, bandwidth: 50 GB/s, latency: 500 ns }, "
      "{ name: y, topology: switch, size: 2, bandwidth: 5 GB/s, latency: 500 ns }]\n";
  for (const std::string computed : {"peak: 46 TFLOP/s }\n", "datatype: fp16 }\ndevice: v100\n"}) {
    write("pipe.yaml",
          "name: pipe\n" + network +
              "workload: { model: vgg16, batch: 4, pipeline: { micro-batches: 4, dimension: x }, " +
              computed);
    const Outcome converted = orrery({"convert", at("pipe.yaml"), "--output", at("traces")});
    ASSERT_EQ(converted.exit_code, 0) << converted.error;
    write("again.yaml", network + "workload: { traces: traces/pipe }\n");
    const Outcome before = orrery({"run", at("pipe.yaml"), "--json", "--output", at("results")});
    const Outcome after = orrery({"run", at("again.yaml"), "--json", "--output", at("results")});
    ASSERT_EQ(after.exit_code, 0) << after.error;
    const nlohmann::json written = nlohmann::json::parse(before.output).at("runs").at(0);
    const nlohmann::json read = nlohmann::json::parse(after.output).at("runs").at(0);
    for (const char* column : {"total_us", "contention_us"}) EXPECT_EQ(read.at(column), written.at(column));
    EXPECT_EQ(written.at("contention_us") > 0, computed.ends_with("v100\n"));
  }
}

}  // namespace
}  // namespace orrery::core::test::convert_test
