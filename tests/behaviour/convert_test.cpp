// orrery convert, as its users call it.
#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>
#include <utility>
#include <vector>

#include "base/file.hpp"
#include "support/cases.hpp"

namespace orrery::test::convert_test {
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
  EXPECT_EQ(without_origin(again.output), without_origin(original.output));
}

TEST_F(Convert, WritesATraceForEachRank) {
  const Outcome converted = orrery({"convert", at("small.yaml"), "--per-rank", "--output", at("traces")});
  ASSERT_EQ(converted.exit_code, 0) << converted.error;
  for (const char* rank : {"0", "1", "2", "3"})
    EXPECT_TRUE(std::filesystem::exists(at("traces/small.") + rank + ".et"));
  EXPECT_FALSE(std::filesystem::exists(at("traces/small.4.et")));
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
  const double compute_us = nlohmann::json::parse(original.output).at("runs").at(0).at("compute_us");
  const std::string gpu_time = "sys[3], GPU time: " + std::to_string(std::llround(compute_us * 1000)) + "\n";
  EXPECT_NE(outcome.output.find(gpu_time), std::string::npos) << gpu_time << outcome.output;
}

}  // namespace
}  // namespace orrery::test::convert_test
