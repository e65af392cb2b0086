// Ranks that do the same on equal links are in equal places: which of them is slow changes no result.
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <string>

#include "base/files/file.hpp"
#include "support/cases.hpp"

namespace orrery::core::test::which_rank_test {
namespace {

constexpr const char* transformer = R"(
platform: dgx-h100
workload: { model: gpt3-125m, batch: { global: 4 }, parallelism: { data: 4, zero: 1 } }
)";
constexpr const char* pipeline = R"(
workload:
  layers:
    - { name: a, forward: { compute: 100 us }, weight-gradient: { compute: 100 us, collective: all-reduce, size: 1 MiB }, output: 1 MiB }
    - { name: b, forward: { compute: 100 us }, weight-gradient: { compute: 100 us, collective: all-reduce, size: 1 MiB }, output: 1 MiB }
  pipeline: { micro-batches: 4 }
)";
constexpr const char* four = R"(
network: [ { name: x, topology: switch, size: 4, bandwidth: 100 GB/s, latency: 500 ns } ]
)";
constexpr const char* four_in_two_stages = R"(
network:
  - { name: dp, topology: switch, size: 4, bandwidth: 100 GB/s, latency: 500 ns }
  - { name: pp, topology: switch, size: 2, bandwidth: 100 GB/s, latency: 500 ns }
)";
constexpr const char* four_of_a_graph = R"(
network: { build: switch, size: 4, link: { bandwidth: 10 GB/s, latency: 500 ns } }
)";

class WhichRank : public testing::Test {
 protected:
  nlohmann::json summary_of(const std::string& experiment, const std::string& setting) {
    const std::string file = (scratch.path() / "experiment.yaml").string();
    write_file_atomically(file, experiment);
    const Outcome outcome =
        run_orrery({file, "--json", "--set=" + setting, "--output=" + scratch.path().string()});
    EXPECT_EQ(outcome.exit_code, 0) << outcome.error;
    return nlohmann::json::parse(outcome.output)["runs"][0];
  }
  double path_us(const std::string& experiment, const std::string& setting) {
    const std::string file = (scratch.path() / "experiment.yaml").string();
    write_file_atomically(file, experiment);
    const Outcome outcome =
        call_orrery({"explain", file, "--json", "--set=" + setting, "--output=" + scratch.path().string()});
    EXPECT_EQ(outcome.exit_code, 0) << outcome.error;
    return nlohmann::json::parse(outcome.output)["runs"][0]["critical_path_us"].get<double>();
  }
  static void expect_equal_times(const nlohmann::json& one, const nlohmann::json& other) {
    for (const char* key : {"total_us", "compute_us", "bubble_us", "exposed_us"})
      EXPECT_NEAR(one[key].get<double>(), other[key].get<double>(), 1e-6) << key;
  }

  TemporaryFolder scratch;
};

TEST_F(WhichRank, ComputesSlowlyInATransformerChangesNothing) {
  const std::string experiment = std::string(transformer) + four;
  const nlohmann::json first = summary_of(experiment, "stragglers={ranks: [0], slowdown: 2}"),
                       last = summary_of(experiment, "stragglers={ranks: [3], slowdown: 2}");
  expect_equal_times(first, last);
  EXPECT_EQ(first["last_rank"], 0);
  EXPECT_EQ(last["last_rank"], 3);
}

TEST_F(WhichRank, ComputesSlowlyInAPipelineChangesNothing) {
  const std::string experiment = std::string(pipeline) + four_in_two_stages;
  const nlohmann::json first = summary_of(experiment, "stragglers={ranks: [0], slowdown: 2}"),
                       second = summary_of(experiment, "stragglers={ranks: [1], slowdown: 2}");
  expect_equal_times(first, second);
  // A stage computes for 800 us; one of its four ranks, of eight in all, takes twice as long.
  EXPECT_NEAR(first["compute_us"].get<double>(), 800 + 800.0 / 8, 1e-6);
}

TEST_F(WhichRank, HasSlowLinksInATransformerChangesNothing) {
  const std::string experiment = std::string(transformer) + four_of_a_graph;
  const auto failure = [](int node) {
    return "failures=[{node: npu" + std::to_string(node) + ", bandwidth: 20%}]";
  };
  const nlohmann::json first = summary_of(experiment, failure(0));
  for (const int node : {1, 2, 3}) expect_equal_times(first, summary_of(experiment, failure(node)));
  // What the path has beyond a step runs beside the next step's first pass.
  const double path = path_us(experiment, failure(3)), step = first["total_us"].get<double>();
  EXPECT_GE(path, step - 1e-6);
  EXPECT_LE(path - step, first["compute_us"].get<double>());
}

}  // namespace
}  // namespace orrery::core::test::which_rank_test
