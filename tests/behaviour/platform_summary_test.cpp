// summary.json of a transformer on a platform has what is true of it and nothing that only looks so.
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "base/files/file.hpp"
#include "support/cases.hpp"

namespace orrery::core::test::platform_summary_test {
namespace {

nlohmann::json summary_of(const std::string& experiment, const std::filesystem::path& folder) {
  const std::string file = (folder / "experiment.yaml").string();
  write_file_atomically(file, experiment);
  const Outcome outcome = call_orrery({"run", file, "--json", "--output=" + (folder / "out").string()});
  EXPECT_EQ(outcome.exit_code, 0) << outcome.error;
  return nlohmann::json::parse(outcome.output)["runs"][0];
}

TEST(PlatformSummary, HasNoNetworkWithoutMessages) {
  const TemporaryFolder folder;
  const nlohmann::json run = summary_of(
      "platform: dgx-a100\nworkload: { model: gpt3-1.3b, batch: { global: 16, micro: 1 }, "
      "parallelism: { pipeline: 2, data: 4, tensor: 2 } }\n",
      folder.path());
  for (const char* const key : {"messages", "last_rank", "layers", "dimensions", "busiest_links",
                                "network_cost_usd", "network_model"})
    EXPECT_FALSE(run.contains(key)) << key;
  for (const nlohmann::json& part : run["parts"]) {
    EXPECT_FALSE(part.contains("awaits_messages_us"));
    EXPECT_FALSE(part.contains("awaits_collectives_us"));
    EXPECT_GT(part["compute_us"], 0);
  }
  EXPECT_EQ(run["parts"].size(), 2u);
}

TEST(PlatformSummary, ALoneDeviceExposesNothing) {
  const TemporaryFolder folder;
  const nlohmann::json run = summary_of(
      "platform: dgx-a100\nworkload: { model: gpt3-125m, batch: { global: 3, micro: 1 } }\n", folder.path());
  EXPECT_EQ(run["exposed_us"], 0.0);
  EXPECT_EQ(run["compute_us"], run["total_us"]);
}

TEST(PipelineSummary, HasItsNetwork) {
  const TemporaryFolder folder;
  const nlohmann::json run = summary_of(
      "network: [ { topology: ring, size: 2, bandwidth: 1 GB/s, latency: 1 us } ]\n"
      "workload:\n  pipeline: { micro-batches: 3 }\n  layers: [ { name: a, forward: { compute: 1 us }, "
      "output: 1 "
      "KiB }, { name: b, weight-gradient: { compute: 1 us } } ]\n",
      folder.path());
  EXPECT_GT(run["messages"], 0);
  EXPECT_TRUE(run["parts"][0].contains("awaits_messages_us"));
}

TEST(PipelineExplanation, SaysWhatWasSimulated) {
  const TemporaryFolder folder;
  const std::string file = (folder.path() / "experiment.yaml").string();
  write_file_atomically(file,
                        "network: [ { topology: ring, size: 2, bandwidth: 1 GB/s, latency: 1 us },\n"
                        "           { topology: ring, size: 2, bandwidth: 1 GB/s, latency: 1 us } ]\n"
                        "network-model: analytical\n"
                        "workload:\n  pipeline: { micro-batches: 3 }\n"
                        "  layers: [ { name: a, forward: { compute: 1 us }, output: 1 KiB },\n"
                        "            { name: b, weight-gradient: { compute: 1 us } } ]\n");
  const Outcome outcome =
      call_orrery({"run", file, "--explain", "--output=" + (folder.path() / "out").string()});
  EXPECT_NE(outcome.output.find("ranks folded: 2 simulated for 4"), std::string::npos) << outcome.output;
}

}  // namespace
}  // namespace orrery::core::test::platform_summary_test
