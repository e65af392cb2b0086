#include "collective/plan/system_file.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <limits>

#include "collective/plan/collective_words.hpp"

namespace orrery::core::system_file_test {
namespace {

// The part that a test is about follows on line 2.
const std::string required =
    "scheduling-policy: FIFO all-reduce-implementation: ring_direct reduce-scatter-implementation: direct2 "
    "all-gather-implementation: halvingDoubling all-to-all-implementation: oneDirect "
    "collective-optimization: baseline preferred-dataset-splits: 4\n";

SystemConfig read(const std::string& text, Warnings& warnings, double injection_scale = 1,
                  const Dialect& dialect = astra_sim_1_dialect) {
  return read_system_file(text, "s.txt", injection_scale, dialect, warnings);
}

SystemConfig read(const std::string& text, double injection_scale = 1,
                  const Dialect& dialect = astra_sim_1_dialect) {
  Warnings warnings;
  const SystemConfig config = read(text, warnings, injection_scale, dialect);
  for (const std::string& line : warnings.lines()) ADD_FAILURE() << line;
  return config;
}

void expect_error(const std::string& text, const std::string& prefix, const std::string& word,
                  double scale = 1) {
  Warnings warnings;
  try {
    read(text, warnings, scale);
    ADD_FAILURE() << "accepted: " << text;
  } catch (const InputError& error) {
    const std::string what = error.what();
    EXPECT_EQ(what.rfind("s.txt" + prefix + ": error: ", 0), 0u) << what;
    EXPECT_NE(what.find(word), std::string::npos) << what;
  }
}

std::vector<std::string> warnings_of(const std::string& text) {
  Warnings warnings;
  read(text, warnings);
  return warnings.lines();
}

TEST(SystemFile, ReadsTheRequiredKeysAndDefaults) {
  const SystemConfig config = read(required);
  EXPECT_EQ(config.where.text(), "s.txt");
  EXPECT_EQ(config.issue_order, IssueOrder::fifo);
  EXPECT_EQ(config.all_reduce_shape, AllReduceShape::baseline);
  EXPECT_EQ(config.chunks, 4);
  EXPECT_EQ(config.algorithms_of(CollectiveKind::all_reduce).size(), 2u);
  EXPECT_EQ(config.algorithms_of(CollectiveKind::reduce_scatter).front(),
            (AlgorithmChoice{&direct_algorithm, 2}));
  EXPECT_EQ(config.algorithms_of(CollectiveKind::all_gather).front().algorithm, &halving_doubling_algorithm);
  EXPECT_TRUE(config.algorithms_of(CollectiveKind::all_to_all).front().whole_machine);
  EXPECT_EQ(config.endpoint_delay, Time::from_ns(10));
  EXPECT_EQ(config.active_chunks, 1);
  EXPECT_EQ(config.dimension_order, DimensionOrder::ascending);
  EXPECT_EQ(config.queue_order, QueueOrder::fifo);
  EXPECT_EQ(config.themis_gap_denominator, 16);
  EXPECT_FALSE(config.shared_bus);
  EXPECT_TRUE(config.separate_log);
}

TEST(SystemFile, ReadsTheOptionalKeys) {
  const SystemConfig config =
      read(required +
           "active-chunks-per-dimension: 3\r\n\nboost-mode: 1 gap-denominator: 5\n"
           "inter-dimension-scheduling: offlineGreedyFlex\n"
           "intra-dimension-scheduling: lessRemainingPhaseFirst seprate-log: 0 endpoint-delay: 0");
  EXPECT_EQ(config.active_chunks, 3);
  EXPECT_EQ(config.themis_gap_denominator, 5);
  EXPECT_EQ(config.dimension_order, DimensionOrder::themis_flex);
  EXPECT_EQ(config.queue_order, QueueOrder::fewest_phases_left);
  EXPECT_FALSE(config.separate_log);
  EXPECT_EQ(config.endpoint_delay, Time());
}

TEST(SystemFile, ReadsEveryPolicyWord) {
  const auto read_with = [](const std::string& pair) {
    Warnings warnings;  // of keys given twice
    return read(required + pair, warnings);
  };
  EXPECT_EQ(read_with("scheduling-policy: LIFO").issue_order, IssueOrder::lifo);
  EXPECT_EQ(read_with("collective-optimization: localBWAware").all_reduce_shape,
            AllReduceShape::local_bandwidth_aware);
  EXPECT_EQ(read_with("inter-dimension-scheduling: roundRobin").dimension_order, DimensionOrder::round_robin);
  EXPECT_EQ(read_with("inter-dimension-scheduling: offlineGreedy").dimension_order, DimensionOrder::themis);
  EXPECT_EQ(read_with("inter-dimension-scheduling: baseline").dimension_order, DimensionOrder::ascending);
  EXPECT_EQ(read_with("inter-dimension-scheduling: themis").dimension_order, DimensionOrder::themis);
  EXPECT_EQ(read_with("inter-dimension-scheduling: themisFlex").dimension_order, DimensionOrder::themis_flex);
  EXPECT_EQ(read_with("intra-dimension-scheduling: SCF").queue_order, QueueOrder::smallest_first);
  EXPECT_EQ(read_with("intra-dimension-scheduling: RG").queue_order, QueueOrder::alternate_kinds);
  EXPECT_EQ(read_with("intra-dimension-scheduling: smallestFirst").queue_order, QueueOrder::smallest_first);
}

TEST(SystemFile, ReadsTheSharedBus) {
  const std::string bus = "L: 5.9 o: 7 g: 20 G: 0.0038 local-reduction-delay: 2 ";
  EXPECT_FALSE(read(required + bus).shared_bus);
  EXPECT_FALSE(read(required + bus + "model-shared-bus: 2").shared_bus);
  const auto shared = read(required + "model-shared-bus: 1 " + bus).shared_bus;
  ASSERT_TRUE(shared);
  EXPECT_EQ(shared->latency_ns, 5);
  EXPECT_EQ(shared->overhead_ns, 7);
  EXPECT_EQ(shared->gap_ns, 20);
  EXPECT_EQ(shared->gap_per_byte_ns, 0.0038f);
  EXPECT_EQ(shared->local_reduction_delay, 2);
  EXPECT_EQ(warnings_of(required + "model-shared-bus: 1").size(), 4u);
}

TEST(SystemFile, ScalesTheEndpointDelayAsTheDialectDoes) {
  const std::string seven = required + "endpoint-delay: 7";
  EXPECT_EQ(read(seven, 2.5).endpoint_delay, Time::from_ns(17));
  EXPECT_EQ(read(seven, 2.5, native_dialect).endpoint_delay, Time::from_ps(17'500));
  // 500 x 0.41 is 205 in binary32 and below it in binary64; 16777217 is no binary32 number.
  EXPECT_EQ(read(required + "endpoint-delay: 500", 0.41).endpoint_delay, Time::from_ns(205));
  EXPECT_EQ(read(required + "endpoint-delay: 16777217").endpoint_delay, Time::from_ns(16777216));
  EXPECT_EQ(read(required + "endpoint-delay: 16777217", 1, native_dialect).endpoint_delay,
            Time::from_ns(16777217));
  EXPECT_EQ(read(required, 3).endpoint_delay, Time::from_ns(10));
}

TEST(SystemFile, WarnsOfWhatItIgnores) {
  EXPECT_EQ(warnings_of(required + "endpoint-delay: 4.9"),
            std::vector<std::string>{
                "s.txt:2:17: warning: `4.9` is read as 4: `endpoint-delay` is a whole number"});
  EXPECT_EQ(
      warnings_of(required + "boost-mode: 1 boost-mode: 0"),
      std::vector<std::string>{"s.txt:2:15: warning: `boost-mode:` is given twice, the last one counts"});
  Warnings warnings;
  EXPECT_EQ(read(required + "scheduling-policy: LIFO", warnings).issue_order, IssueOrder::lifo);
}

TEST(SystemFile, RejectsUnknownKeys) {
  expect_error(required + "endpoint-dely: 10", ":2:1", "did you mean `endpoint-delay`?");
  expect_error(required + " endpoint-delay : 10", ":2:2", "colon attached");
  expect_error(required + "# comment", ":2:1", "no comments");
  expect_error(required + ": 1", ":2:1", "`:`");
  expect_error(required + "direct-collective-window: 2", ":2:27", "`direct4`");
  expect_error(required + "Boost-Mode: 1", ":2:1", "`boost-mode`?");
}

TEST(SystemFile, RejectsMissingValues) {
  expect_error(required + "boost-mode:", ":2:12", "`boost-mode:`");
  expect_error("boost-mode: " + required, ":1:13", "no value");
}

TEST(SystemFile, RejectsMissingKeys) {
  expect_error("", "", "needs the key `scheduling-policy`");
  for (const std::string key :
       {"scheduling-policy", "all-reduce-implementation", "reduce-scatter-implementation",
        "all-gather-implementation", "all-to-all-implementation", "collective-optimization",
        "preferred-dataset-splits"}) {
    std::string text = required;
    const std::size_t start = text.find(key);
    text.erase(start, text.find(' ', text.find(' ', start) + 1) - start);
    if (key == "preferred-dataset-splits") text = required.substr(0, start);
    expect_error(text, "", "needs the key `" + key + "`");
  }
}

TEST(SystemFile, RejectsBadValues) {
  const auto rejects = [](const std::string& key, const std::string& value, const std::string& word) {
    expect_error(required + key + ": " + value, ":2:" + std::to_string(key.size() + 3), word);
  };
  rejects("scheduling-policy", "lifo", "`LIFO` or `FIFO`");
  rejects("collective-optimization", "none", "`baseline` or `localBWAware`");
  rejects("inter-dimension-scheduling", "greedy", "`offlineGreedy`");
  rejects("intra-dimension-scheduling", "LIFO", "`smallestFirst`");
  rejects("all-to-all-implementation", "Ring", "`Ring`");
  rejects("all-reduce-implementation", "direct0", "window");
  rejects("preferred-dataset-splits", "0", "1 to 1000000");
  rejects("preferred-dataset-splits", "-4", "1 to 1000000");
  rejects("preferred-dataset-splits", "1000001", "1 to 1000000");
  rejects("active-chunks-per-dimension", "0", "1 to 1000000000");
  rejects("active-chunks-per-dimension", "-1", "`active-chunks-per-dimension`");
  rejects("endpoint-delay", "-1", "0 to");
  rejects("endpoint-delay", "abc", "`abc`");
  rejects("endpoint-delay", "2592000000000001", "0 to 2592000000000000");
  rejects("gap-denominator", "0", "1 to");
  rejects("boost-mode", "on", "whole number");
  rejects("local-reduction-delay", "-1", "0 to");
  rejects("seprate-log", "no", "whole number");
  rejects("model-shared-bus", "true", "whole number");
  for (const std::string key : {"L", "o", "g", "G"}) {
    rejects(key, "-1", "a number from 0");
    rejects(key, "nan", "a number from 0");
    rejects(key, "1e10", "a number from 0");
  }
}

TEST(SystemFile, RejectsInjectionScalesOutOfRange) {
  for (const double scale : {-1.0, 1e15, std::numeric_limits<double>::infinity()})
    expect_error(required + "endpoint-delay: 100", ":2:17", "injection scale", scale);
}

TEST(SystemFile, ListsItsKeys) {
  const auto keys = system_file_keys();
  EXPECT_EQ(keys.size(), 20u);
  EXPECT_NE(std::ranges::find(keys, "seprate-log", &KeyPath::path), keys.end());
}

TEST(CollectiveKind, HasAName) {
  EXPECT_EQ(name_of(CollectiveKind::reduce_scatter), "reduce-scatter");
  EXPECT_EQ(name_of(CollectiveKind::all_gather), "all-gather");
  EXPECT_EQ(name_of(CollectiveKind::all_reduce), "all-reduce");
  EXPECT_EQ(name_of(CollectiveKind::all_to_all), "all-to-all");
}

}  // namespace
}  // namespace orrery::core::system_file_test
