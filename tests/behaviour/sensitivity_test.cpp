// What a study of sensitivity finds: each parameter of a machine, and what it gains.
#include "study/sensitivity.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "study/experiment.hpp"
#include "study/run.hpp"
#include "study/sensitivity_table.hpp"

namespace orrery::test::sensitivity_test {
namespace {

// Eight NPUs in a ring that send and do nothing else, without latencies.
const std::string ring = R"(
network: [ { name: ring, topology: ring, size: 8, bandwidth: 50 GB/s, latency: 0 ns } ]
system: { collectives: { all-reduce: ring }, endpoint-delay: 0 ns }
workload: { layers: [ { name: a, weight-gradient: { collective: all-reduce, size: 64 MiB } } ] }
)";

const std::string one_device = R"(
device: v100
network: [ { name: ring, topology: ring, size: 2, bandwidth: 10000 GB/s, latency: 0 ns } ]
system: { endpoint-delay: 0 ns }
workload: { model: vgg16, batch: 32 }
)";

const std::string transformer = R"(
platform: dgx-h100
workload: { model: gpt3-1.3b, batch: { global: 32 }, parallelism: { tensor: 8, data: 2 } }
)";

Sensitivity sensitivity_of(const std::string& text, const SensitivityOptions& options = {},
                           const std::string& run = "e") {
  return find_sensitivity(experiment_document(text, "e.yaml", {}), "e.yaml", run, options,
                          [](const std::string&) {});
}

const SensitivityRow& row_of(const Sensitivity& found, const std::string& key) {
  const auto row = std::ranges::find(found.rows, key, &SensitivityRow::key);
  EXPECT_NE(row, found.rows.end()) << key;
  return row == found.rows.end() ? found.rows.front() : *row;
}

bool has(const Sensitivity& found, const std::string& key) {
  return std::ranges::find(found.rows, key, &SensitivityRow::key) != found.rows.end();
}

// Returns the keys that shorten the run by a share.
std::vector<std::string> keys_that_gain(const Sensitivity& found, double share) {
  std::vector<std::string> keys;
  for (const SensitivityRow& row : found.rows)
    if (row.is_possible() && row.gain() > share) keys.push_back(row.key);
  return keys;
}

Time time_of_run(const std::string& text) {
  Warnings warnings;
  const RunSpec spec = read_experiment(text, "e.yaml", {}, warnings).runs.front();
  return spec.workload->summary(spec, carry_out(spec, warnings)).total;
}

TEST(Sensitivity, OfARingIsThatOfItsBandwidth) {
  const Sensitivity found = sensitivity_of(ring);
  EXPECT_EQ(keys_that_gain(found, 1e-4), std::vector<std::string>{"network.ring.bandwidth"});
  const SensitivityRow& bandwidth = found.rows.front();
  EXPECT_EQ(bandwidth.from, "50 GB/s");
  EXPECT_EQ(bandwidth.to, "62.5 GB/s");
  // 2 (n - 1) / n of the bytes pass each NPU, by two links.
  const double bytes = 2.0 * 7 / 8 * 64 * (1 << 20);
  EXPECT_NEAR(bandwidth.before.ns(), bytes / (2 * 50), 20);
  EXPECT_NEAR(bandwidth.after.ns(), bytes / (2 * 62.5), 20);
  EXPECT_EQ(bandwidth.helps_until, 16);
}

TEST(Sensitivity, OfComputingIsThatOfTheDevice) {
  const Sensitivity found = sensitivity_of(one_device);
  const std::vector<std::string> keys = keys_that_gain(found, 1e-3);
  EXPECT_GE(keys.size(), 3u);
  for (const std::string& key : keys)
    EXPECT_TRUE(key == "compute-scale" || key.starts_with("device.")) << key;
  EXPECT_NEAR(row_of(found, "compute-scale").gain(), 0.2, 0.01);
  EXPECT_GT(row_of(found, "device.matrix-peak.fp16").gain(), 0);
  EXPECT_GT(row_of(found, "device.memory.bandwidth").gain(), 0);
}

TEST(Sensitivity, StartsFromTheTimeOfTheRun) {
  for (const std::string& text : {ring, one_device, transformer})
    EXPECT_EQ(sensitivity_of(text).total, time_of_run(text)) << text;
}

TEST(Sensitivity, KnowsWhatComesWithTheProgram) {
  const Sensitivity found = sensitivity_of(transformer);
  EXPECT_EQ(row_of(found, "platform.inside.bandwidth").from, "450 GB/s");
  EXPECT_GT(row_of(found, "platform.inside.bandwidth").gain(), 0);
  EXPECT_GT(row_of(found, "platform.device.memory.bandwidth").gain(), 0);
  EXPECT_TRUE(has(found, "platform.stack.kernel-slowdown"));
  EXPECT_FALSE(has(found, "compute-scale")) << "a run on a platform has no such key";
}

TEST(Sensitivity, FollowsNamesOfPieces) {
  const Sensitivity found = sensitivity_of(
      "networks: { fast: [ { name: ring, topology: ring, size: 8, bandwidth: 50 GB/s, latency: 1 us } ] }\n"
      "systems: { small: { endpoint-delay: 5 ns } }\n"
      "workload: { layers: [ { name: a, weight-gradient: { collective: all-reduce, size: 1 MiB } } ] }\n"
      "runs: [ { name: one, network: fast }, { name: two, network: fast, system: small } ]\n",
      {}, "two");
  EXPECT_GT(row_of(found, "networks.fast.ring.bandwidth").gain(), 0);
  EXPECT_EQ(row_of(found, "runs.two.system.endpoint-delay").to, "4 ns");
}

TEST(Sensitivity, TakesEqualLinksOfAGraphAsOneClass) {
  const Sensitivity found = sensitivity_of(R"(
network:
  nodes: [ { name: npu, kind: npu, count: 2 }, { name: switch, kind: switch } ]
  links:
    - { from: npu0, to: switch, bandwidth: 10 GB/s, latency: 1 us }
    - { from: npu1, to: switch, bandwidth: 10 GB/s, latency: 2 us }
workload: { layers: [ { name: a, weight-gradient: { collective: all-reduce, size: 1 MiB } } ] }
)");
  EXPECT_GT(row_of(found, "network.links.*.bandwidth").gain(), 0.1);
  EXPECT_EQ(row_of(found, "network.links.0.latency").from, "1 us");
  EXPECT_EQ(row_of(found, "network.links.1.latency").from, "2 us");
}

TEST(Sensitivity, SaysWhatIsNotPossible) {
  const std::string best = "{ base: dgx-h100, stack: { exchange-efficiency: 1 } }";
  std::string text = transformer;
  const Sensitivity found = sensitivity_of(text.replace(text.find("dgx-h100"), 8, best));
  EXPECT_EQ(row_of(found, "platform.stack.exchange-efficiency").why_not, "it is as good as it can be");
  EXPECT_NE(sensitivity_text(found, true).find("Not possible: a better platform.stack.exchange-efficiency"),
            std::string::npos);
}

TEST(Sensitivity, FindsTheLeastChangeThatReachesATarget) {
  SensitivityOptions options;
  options.target = Time::from_ns_rounded(time_of_run(ring).ns() / 2);
  const Sensitivity found = sensitivity_of(ring, options);
  ASSERT_TRUE(found.single);
  EXPECT_TRUE(found.single->settings.front().starts_with("network.ring.bandwidth="))
      << found.single->settings[0];
  EXPECT_NEAR(found.single->factor, 2, 0.02);
  EXPECT_LE(found.single->after, *options.target);
  options.target = Time::from_ns_rounded(1);
  const Sensitivity none = sensitivity_of(ring, options);
  EXPECT_FALSE(none.single);
  EXPECT_FALSE(none.pair);
  EXPECT_NE(sensitivity_text(none, true).find("no parameter that is up to 16 times better"),
            std::string::npos);
}

TEST(Sensitivity, TakesTheSmallerFactorOfTwoChanges) {
  SensitivityOptions options;
  const Time now = time_of_run(transformer);
  options.target = Time::from_ns_rounded(now.ns() * 0.9);
  const Sensitivity found = sensitivity_of(transformer, options);
  ASSERT_TRUE(found.single);
  ASSERT_TRUE(found.pair);
  EXPECT_EQ(found.pair->settings.size(), 2u);
  EXPECT_LE(found.pair->factor, found.single->factor * 1.01);
}

TEST(Sensitivity, DoesNotDependOnTheNumberOfThreads) {
  std::vector<std::string> texts;
  for (const int threads : {1, 4}) {
    SensitivityOptions options;
    options.threads = threads;
    options.target = Time::from_ns_rounded(time_of_run(one_device).ns() * 0.9);
    const Sensitivity found = sensitivity_of(one_device, options);
    texts.push_back(sensitivity_text(found, true) + csv_of(sensitivity_table, found.rows) +
                    sensitivity_to_json("e", found).dump());
  }
  EXPECT_EQ(texts[0], texts[1]);
}

TEST(Sensitivity, FitsATerminal) {
  const std::string text = sensitivity_text(sensitivity_of(transformer), false);
  for (std::size_t begin = 0; begin < text.size();) {
    const std::size_t end = text.find('\n', begin);
    EXPECT_LE(end - begin, terminal_width) << text.substr(begin, end - begin);
    begin = end + 1;
  }
}

}  // namespace
}  // namespace orrery::test::sensitivity_test
