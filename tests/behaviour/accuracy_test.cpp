// What is predicted carries the interval in which measurements lie, wherever it is shown.
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <regex>

#include "base/files/file.hpp"
#include "support/cases.hpp"

namespace orrery::core::test::accuracy_test {
namespace {

constexpr const char* llama =
    "platform: { device: h100, inside: nvlink4, between: ib-ndr }\n"
    "workload: { model: llama3-8b, batch: { global: 32, micro: 1 }, parallelism: { data: 8, tensor: 4 } }\n";

class Accuracy : public ::testing::Test {
 protected:
  Outcome call(const std::string& experiment, const std::vector<std::string>& more = {},
               const std::string& command = "run") {
    const std::string file = (folder_.path() / "experiment.yaml").string();
    write_file_atomically(file, experiment);
    std::vector<std::string> words{command, file, "--output=" + (folder_.path() / "out").string()};
    words.insert(words.end(), more.begin(), more.end());
    return call_orrery(words);
  }
  nlohmann::json run_of(const std::string& experiment, std::vector<std::string> more = {}) {
    more.push_back("--json");
    const Outcome outcome = call(experiment, more);
    EXPECT_EQ(outcome.exit_code, 0) << outcome.error;
    return nlohmann::json::parse(outcome.output)["runs"][0];
  }

 private:
  TemporaryFolder folder_;
};

TEST_F(Accuracy, IntervalsHoldThePrediction) {
  const nlohmann::json run = run_of(llama);
  for (const auto& [value, low, high] :
       {std::tuple("step_us", "step_low_us", "step_high_us"),
        std::tuple("tokens_per_second", "tokens_per_second_low", "tokens_per_second_high"),
        std::tuple("model_flop_utilization", "model_flop_utilization_low", "model_flop_utilization_high"),
        std::tuple("memory_bytes", "memory_low_bytes", "memory_high_bytes")}) {
    EXPECT_LE(run[low], run[value]) << value;
    EXPECT_GE(run[high], run[value]) << value;
    EXPECT_LT(run[low], run[high]) << value;
  }
  EXPECT_EQ(run["interval_share"], 0.8);
  EXPECT_LE(run["model_flop_utilization_high"], 1);
}

TEST_F(Accuracy, LargerSharesTakeWiderIntervals) {
  const nlohmann::json usual = run_of(llama), wide = run_of(llama, {"--interval=0.95"}),
                       by_key = run_of(std::string(llama) + "interval: 0.95\n");
  EXPECT_LT(wide["step_low_us"], usual["step_low_us"]);
  EXPECT_GT(wide["step_high_us"], usual["step_high_us"]);
  EXPECT_EQ(wide["step_high_us"], by_key["step_high_us"]);
  EXPECT_EQ(wide["interval_share"], 0.95);
  EXPECT_EQ(wide["step_us"], usual["step_us"]);
}

TEST_F(Accuracy, OneLineSaysWhichSoftwareIsMeant) {
  EXPECT_NE(call(llama).output.find("software                 generic  no `stack` is named"),
            std::string::npos);
  const nlohmann::json unnamed = run_of(llama);
  EXPECT_EQ(unnamed["training"]["software"], "generic");
  EXPECT_EQ(unnamed["training"]["software_is_named"], false);
  const nlohmann::json named = run_of(llama, {"--set=platform.stack=generic"});
  EXPECT_EQ(named["training"]["software_is_named"], true);
  EXPECT_EQ(named["step_us"], unnamed["step_us"]);
  EXPECT_LT(run_of(llama, {"--set=platform.stack=none", "--set=workload.attention=flash"})["step_us"],
            unnamed["step_us"]);
}

TEST_F(Accuracy, RunsTieThatMeasurementsCannotTellApart) {
  const std::string runs =
      "runs:\n  - { name: usual }\n"
      "  - { name: alike, workload: { model: llama3-8b, batch: { global: 32, micro: 1 }, parallelism: { "
      "data: 8, "
      "tensor: 4 }, overlap: { gradients: false } } }\n"
      "  - { name: slow, workload: { model: llama3-8b, batch: { global: 32, micro: 1 }, parallelism: { data: "
      "2, "
      "tensor: 16 } } }\n";
  const Outcome outcome = call(std::string(llama) + runs, {"--set=interval=0.8"});
  ASSERT_EQ(outcome.exit_code, 0) << outcome.error;
  const auto ties = [&](const std::string& name) {
    return std::regex_search(outcome.output, std::regex("\\n" + name + " +[0-9.]+x +tie"));
  };
  EXPECT_TRUE(ties("alike")) << outcome.output;
  EXPECT_FALSE(ties("slow")) << outcome.output;
}

TEST_F(Accuracy, MeansNothingWhereNothingWasMeasured) {
  const Outcome outcome = call(
      "network: [ { topology: ring, size: 2, bandwidth: 1 GB/s, latency: 1 us } ]\n"
      "interval: 0.9\nworkload: { layers: [ { name: a, forward: { compute: 1 us } } ] }\n");
  EXPECT_EQ(outcome.exit_code, 2);
  EXPECT_NE(outcome.error.find("experiment.yaml:2:11: error: no measured runs tell"), std::string::npos)
      << outcome.error;
}

TEST_F(Accuracy, IsExplainedByMeasuredRuns) {
  const Outcome outcome = call(llama, {"--accuracy"}, "explain");
  ASSERT_EQ(outcome.exit_code, 0) << outcome.error;
  EXPECT_NE(outcome.output.find("measured runs"), std::string::npos);
  const nlohmann::json run =
      nlohmann::json::parse(call(llama, {"--accuracy", "--json"}, "explain").output)["runs"][0];
  double weights = 0;
  for (const nlohmann::json& row : run["measured"]) weights += row["weight_share"].get<double>();
  EXPECT_NEAR(weights, 1, 1e-9);
}

TEST_F(Accuracy, OfModelsOnADeviceIsKnown) {
  const nlohmann::json run = run_of(
      "network: [ { topology: switch, size: 8, bandwidth: 300 GB/s, latency: 1 us } ]\n"
      "device: a100\nworkload: { model: resnet50, batch: 32 }\n");
  EXPECT_LE(run["step_low_us"], run["step_us"]);
  EXPECT_GT(run["step_high_us"], run["step_us"]);
}

}  // namespace
}  // namespace orrery::core::test::accuracy_test
