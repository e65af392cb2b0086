// Several seeds of the ways of messages: what is said about all of them is what runs with each of them take.
#include <gtest/gtest.h>

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "base/files/file.hpp"
#include "support/cases.hpp"

namespace orrery::core::test::hash_seeds_test {
namespace {

constexpr int seeds = 4;

// Returns the figures of the only run of an experiment.
nlohmann::json figures(const std::string& text) {
  const TemporaryFolder folder;
  const std::string file = (folder.path() / "e.yaml").string();
  write_file_atomically(file, text);
  const Outcome outcome = call_orrery({"run", file, "--json", "--output", (folder.path() / "out").string()});
  EXPECT_EQ(outcome.exit_code, 0) << outcome.error;
  return nlohmann::json::parse(outcome.output)["runs"][0];
}

void expect_spread_of_its_seeds(const std::string& experiment) {
  std::vector<double> alone;
  double mean = 0;
  for (int seed = 0; seed < seeds; ++seed) {
    alone.push_back(figures(experiment + fmt::format("route-seed: {}\n", seed))["step_us"]);
    mean += alone.back() / seeds;
  }
  const nlohmann::json together = figures(experiment + fmt::format("hash-seeds: {}\n", seeds));
  const auto [least, most] = std::ranges::minmax(alone);
  EXPECT_LT(least, most);
  EXPECT_EQ(together["hash_seeds"], seeds);
  EXPECT_DOUBLE_EQ(together["hash_least_us"], least);
  EXPECT_DOUBLE_EQ(together["hash_most_us"], most);
  EXPECT_NEAR(together["hash_mean_us"], mean, 1e-5);
  const auto nearest =
      std::ranges::min_element(alone, {}, [&](double step) { return std::abs(step - mean); });
  EXPECT_DOUBLE_EQ(together["step_us"], *nearest);
}

constexpr const char* network =
    "network: { build: fat-tree, link: { bandwidth: 50 GB/s, latency: 500 ns },\n"
    "           levels: [ { size: 4 }, { size: 4, oversubscription: 2 } ] }\n";

// With ZeRO 1 the weights are gathered while the next step computes, so that a run ends later than its step.
TEST(HashSeeds, SpreadTheStepsOfATraining) {
  expect_spread_of_its_seeds(std::string(network) +
                             "platform: dgx-h100\n"
                             "workload: { model: gpt3-125m, batch: { global: 16 }, parallelism: { tensor: 2, "
                             "data: 8, zero: 1 } }\n");
}

TEST(HashSeeds, SpreadTheIterationsOfLayers) {
  expect_spread_of_its_seeds(std::string(network) +
                             "passes: 2\n"
                             "workload: { layers: [ { name: a, weight-gradient: { compute: 10 us, "
                             "collective: all-reduce, size: 4 MiB } } ] }\n");
}

}  // namespace
}  // namespace orrery::core::test::hash_seeds_test
