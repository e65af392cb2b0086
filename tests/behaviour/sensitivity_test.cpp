// Tests what a study of sensitivity finds: each parameter of a machine, and what it gains.
#include "study/sensitivity/sensitivity.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <set>

#include "study/experiment/experiment.hpp"
#include "study/run/run.hpp"
#include "study/sensitivity/improvement.hpp"
#include "study/sensitivity/sensitivity_table.hpp"

namespace orrery::core::test::sensitivity_test {
namespace {

// Eight NPUs in a ring that send and do nothing else, without latencies.
const std::string ring = R"(
network: [ { name: ring, topology: ring, size: 8, bandwidth: 50 GB/s, latency: 0 ns } ]
system: { collectives: { all-reduce: ring }, endpoint-delay: 0 ns }
workload: { layers: [ { name: a, weight-gradient: { collective: all-reduce, size: 64 MiB } } ] }
)";

const std::string two_rings = R"(
network:
  - { name: inner, topology: ring, size: 4, bandwidth: 100 GB/s, latency: 1 us }
  - { name: outer, topology: ring, size: 4, bandwidth: 50 GB/s, latency: 1 us }
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
  return find_sensitivity(
      experiment_document(text, "e.yaml", {}), "e.yaml", run, options,
      [](std::size_t, std::size_t, std::string_view) {}, InputLog());
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
  const RunSpec spec = read_experiment(text, "e.yaml", {}, warnings, InputLog()).runs.front();
  return spec.workload->summary(spec, carry_out(spec, warnings)).total;
}

Time time_with(const std::string& text, const std::string& setting) {
  Warnings warnings;
  const RunSpec spec = read_experiment(text, "e.yaml", {setting}, warnings, InputLog()).runs.front();
  return spec.workload->summary(spec, carry_out(spec, warnings)).total;
}

std::string with_bandwidths(std::string text, double inner, double outer) {
  text.replace(text.find(" 50 GB/s"), 8, fmt::format(" {:.6g} GB/s", outer));
  return text.replace(text.find(" 100 GB/s"), 9, fmt::format(" {:.6g} GB/s", inner));
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
  const std::string text_of_study = sensitivity_text(found, true);
  const std::size_t not_possible = text_of_study.find("\nNot possible: ");
  ASSERT_NE(not_possible, std::string::npos) << text_of_study;
  EXPECT_NE(text_of_study.find("a better platform.stack.exchange-efficiency,", not_possible),
            std::string::npos)
      << text_of_study;
}

TEST(Sensitivity, FindsTheLeastChangeThatReachesATarget) {
  SensitivityOptions options;
  options.target = Time::from_ns_rounded(time_of_run(ring).ns() / 2);
  const Sensitivity found = sensitivity_of(ring, options);
  ASSERT_TRUE(found.single);
  EXPECT_TRUE(found.single->settings.front().starts_with("network.ring.bandwidth="))
      << found.single->settings[0];
  EXPECT_NEAR(found.single->factor(), 2, 0.02);
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
  EXPECT_LE(found.pair->factor(), found.single->factor() * 1.01);
  EXPECT_NE(sensitivity_text(found, false).find("smallest factor"), std::string::npos);
}

// By the same factor, the bandwidth helps more than the other parameter, and costs more.
TEST(Sensitivity, TakesTheCheapestChangeWhereCostsAreGiven) {
  SensitivityOptions options;
  options.target = Time::from_ns_rounded(time_of_run(two_rings).ns() * 0.8);
  options.only = "network.*.bandwidth";
  const Sensitivity by_factor = sensitivity_of(two_rings, options);
  ASSERT_TRUE(by_factor.single);
  EXPECT_TRUE(by_factor.single->settings[0].starts_with("network.inner.bandwidth="));
  EXPECT_FALSE(by_factor.single->cost);
  options.costs = ChangeCosts(parse_yaml("network.inner.bandwidth: 10\nnetwork.outer.bandwidth: 1\n", "c"));
  const Sensitivity by_cost = sensitivity_of(two_rings, options);
  ASSERT_TRUE(by_cost.single);
  EXPECT_TRUE(by_cost.single->settings[0].starts_with("network.outer.bandwidth="))
      << by_cost.single->settings[0];
  EXPECT_NEAR(*by_cost.single->cost, std::log2(by_cost.single->factors[0]), 0.02);
  EXPECT_LE(by_cost.single->after, *options.target);
  if (by_cost.pair) {
    EXPECT_LT(*by_cost.pair->cost, *by_cost.single->cost);
  }
  const std::string text = sensitivity_text(by_cost, false);
  EXPECT_NE(text.find("at the least cost"), std::string::npos) << text;
  EXPECT_EQ(text.find("smallest factor"), std::string::npos) << text;
}

// Costs that grow with the logarithm favour two changes where one alone has to be large.
TEST(Sensitivity, FindsAPairThatIsCheaperThanOneChange) {
  SensitivityOptions options;
  options.target = Time::from_ns_rounded(time_of_run(two_rings).ns() * 0.4);
  options.costs = ChangeCosts(parse_yaml("network.*.bandwidth: 1\n", "c"));
  const Sensitivity found = sensitivity_of(two_rings, options);
  ASSERT_TRUE(found.pair);
  EXPECT_EQ(found.pair->settings.size(), 2u);
  EXPECT_LE(found.pair->after, *options.target);
  if (found.single) {
    EXPECT_LT(*found.pair->cost, *found.single->cost);
  }
  // No pair of a dense grid is cheaper by more than the grid of the search leaves out.
  double cheapest = 1e9;
  for (double a = 1; a <= 16; a *= std::exp2(1.0 / 8))
    for (double b = 1; b <= 16; b *= std::exp2(1.0 / 8))
      if (time_of_run(with_bandwidths(two_rings, 100 * a, 50 * b)) <= *options.target)
        cheapest = std::min(cheapest, std::log2(a) + std::log2(b));
  EXPECT_LE(*found.pair->cost, cheapest + 0.1);
}

// The factor from which on more saves less than a percent, found by looking at many.
TEST(Sensitivity, FindsWhereItStopsHelping) {
  for (const std::string& text : {two_rings, one_device, transformer}) {
    const Sensitivity found = sensitivity_of(text);
    int checked = 0;
    for (const SensitivityRow& row : found.rows) {
      const std::vector<Improvement> routes = Improvement::of(row.from, nullptr);
      if (row.helps_until <= 1 || checked == 2 || routes.empty()) continue;
      ++checked;
      const double enough = min_further_gain * found.total.ns();
      std::vector<std::pair<double, Time>> sweep;
      const Improvement& route = routes.front();
      for (double factor = 1; factor <= largest_factor * 1.001; factor *= std::exp2(1.0 / 8))
        sweep.emplace_back(factor, time_with(text, row.key + "=" + route.at(factor).value_or(row.from)));
      const Time best = std::ranges::min_element(sweep, {}, &std::pair<double, Time>::second)->second;
      const auto first = std::ranges::find_if(
          sweep, [&](const auto& point) { return point.second.ns() - best.ns() <= enough; });
      if (row.helps_further) {
        EXPECT_GT(time_with(text, row.key + "=" + *route.at(8)).ns() - best.ns(), enough) << row.key;
      } else {
        EXPECT_NEAR(std::log2(row.helps_until), std::log2(first->first), 1.0 / 8 + 0.02) << row.key;
      }
    }
    EXPECT_GE(checked, 1) << text;
  }
}

TEST(Sensitivity, DoesNotDependOnTheNumberOfThreads) {
  for (const char* costs : {"", "\"*\": 1\n"}) {
    std::vector<std::string> texts;
    for (const int threads : {1, 4}) {
      SensitivityOptions options;
      options.threads = threads;
      if (*costs) options.costs = ChangeCosts(parse_yaml(costs, "c"));
      options.target = Time::from_ns_rounded(time_of_run(one_device).ns() * 0.9);
      const Sensitivity found = sensitivity_of(one_device, options);
      texts.push_back(sensitivity_text(found, true) + csv_of(sensitivity_table, found.rows) +
                      sensitivity_to_json("e", found).dump());
    }
    EXPECT_EQ(texts[0], texts[1]);
  }
}

TEST(Sensitivity, VariesSizesOfNetworksThatAreBuilt) {
  const Sensitivity found = sensitivity_of(R"(
network:
  build: fat-tree
  levels:
    - { size: 4, link: { bandwidth: 50 GB/s, latency: 1 us } }
    - { size: 4, link: { bandwidth: 50 GB/s, latency: 1 us }, oversubscription: 2 }
  inside:
    build: nvlink
    size: 4
    switches: 2
    links: 4
    link: { bandwidth: 25 GB/s, latency: 500 ns }
    nics: { count: 2, link: { bandwidth: 25 GB/s, latency: 500 ns } }
workload: { layers: [ { name: a, weight-gradient: { collective: all-reduce, size: 16 MiB } } ] }
)");
  for (const char* key :
       {"network.levels.0.link.bandwidth", "network.levels.1.link.bandwidth", "network.levels.0.link.count",
        "network.levels.1.oversubscription", "network.inside.links", "network.inside.nics.count",
        "network.inside.nics.link.bandwidth", "network.inside.link.latency"})
    EXPECT_TRUE(has(found, key)) << key;
  EXPECT_EQ(row_of(found, "network.inside.nics.count").to, "4") << "3 NICs are no divisor of 4 GPUs";
  EXPECT_FALSE(has(found, "network.levels.0.size")) << "which is how many NPUs there are";
  EXPECT_FALSE(has(found, "network.levels.0.oversubscription"));
  EXPECT_FALSE(has(found, "network.levels.0.link.loss")) << "there are no packets";
}

TEST(Sensitivity, VariesNicsOfAPlatform) {
  const Sensitivity found = sensitivity_of(transformer);
  EXPECT_EQ(row_of(found, "platform.nics-per-node").from, "8");
}

TEST(Sensitivity, VariesTheAlgorithmOfEachDimension) {
  const Sensitivity found = sensitivity_of(two_rings);
  std::set<std::string> tried;
  for (const SensitivityRow& row : found.rows)
    if (row.key == "system.collectives.all-reduce") tried.insert(row.to);
  EXPECT_TRUE(tried.contains("[direct, ring]"));
  EXPECT_TRUE(tried.contains("[ring, direct]"));
  EXPECT_TRUE(tried.contains("direct"));
  EXPECT_FALSE(has(found, "system.collectives.all-to-all")) << "the run has none";
}

TEST(Sensitivity, LeavesOutWhatTheRunDoesNotKnow) {
  const std::string text =
      "routing: spray\npackets: { payload: 1024 }\nnetwork-model: fluid\n"
      "workload: { layers: [ { name: a, weight-gradient: { collective: all-reduce, size: 1 MiB } } ] }\n"
      "runs:\n"
      "  - { name: list, network: [ { topology: ring, size: 4, bandwidth: 50 GB/s, latency: 1 us } ] }\n"
      "  - name: graph\n"
      "    network: { build: ring, size: 4, link: { bandwidth: 50 GB/s, latency: 1 us } }\n"
      "    network-model: packet\n";
  const Sensitivity list = sensitivity_of(text, {}, "list"), graph = sensitivity_of(text, {}, "graph");
  for (const char* key : {"routing", "packets.payload", "packets.congestion-control"}) {
    EXPECT_FALSE(has(list, key)) << key;
    EXPECT_TRUE(has(graph, key)) << key;
  }
  EXPECT_FALSE(has(list, "system.dimension-order")) << "there is one dimension";
  EXPECT_EQ(row_of(graph, "routing").from, "spray");
}

TEST(Sensitivity, VariesWhatIsAskedForAlone) {
  SensitivityOptions options;
  options.only = "network.*.bandwidth";
  const Sensitivity found = sensitivity_of(two_rings, options);
  ASSERT_EQ(found.rows.size(), 2u);
  for (const SensitivityRow& row : found.rows) EXPECT_TRUE(row.key.ends_with(".bandwidth")) << row.key;
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
}  // namespace orrery::core::test::sensitivity_test
