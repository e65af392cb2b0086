// orrery compare --measured: a timeline of a simulation that somebody has changed is a measured trace of
// which the difference is known.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <filesystem>
#include <functional>
#include <map>
#include <nlohmann/json.hpp>
#include <sstream>
#include <string>

#include "base/files/file.hpp"
#include "support/cases.hpp"
#include "support/source_dir.hpp"
#include "support/trace_text.hpp"

namespace orrery::core::test::measured_test {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::json;
using Chosen = std::function<bool(const Json& event)>;

std::string transformer_of(const std::string& model) {
  return "name: small\nplatform: dgx-a100\nworkload:\n  model: " + model +
         "\n  batch: { global: 16, micro: 1 }\n"
         "  parallelism: { tensor: 4, sequence: true, pipeline: 2, data: 2, zero: 1 }\n";
}
const std::string transformer = transformer_of("gpt-neo-125m");

class Measured : public testing::Test {
 protected:
  void SetUp() override { fs::current_path(scratch_.path()); }
  void TearDown() override { fs::current_path(before_); }

  static void run(const std::string& text, const std::string& name) {
    write_file_atomically(name + ".yaml", text);
    const Outcome outcome = run_orrery({name + ".yaml", "--timeline=kineto"});
    ASSERT_EQ(outcome.exit_code, 0) << outcome.error;
  }
  static std::string timeline_of(const std::string& name, int rank = 0) {
    return fmt::format("results/{0}/{0}/timeline.kineto/rank{1}.pt.trace.json", name, rank);
  }
  static Json compared(const std::string& simulated, const std::vector<std::string>& measured) {
    std::vector<std::string> words{"compare", simulated, "--json"};
    for (const std::string& file : measured) words.push_back("--measured=" + file);
    const Outcome outcome = call_orrery(words);
    EXPECT_EQ(outcome.exit_code, 0) << outcome.error;
    const Json all = Json::parse(outcome.output)["comparisons"];
    EXPECT_EQ(all.size(), 1u);
    return all[0];
  }
  static Json measured_file(const std::string& name) { return Json::parse(read_file_of_any_kind(name)); }
  static std::string written(const Json& trace, const std::string& name = "measured.json") {
    write_file_atomically(name, trace.dump());
    return name;
  }

 private:
  TemporaryFolder scratch_;
  fs::path before_ = fs::current_path();
};

bool is_kernel(const Json& event) {
  return event["ph"] == "X" && event["cat"] == "kernel";
}
bool has_kind(const Json& event, const std::string& kind) {
  return is_kernel(event) && event["args"].value("kernel_kind", "") == kind;
}
bool has_name(const Json& event, const std::string& part) {
  return is_kernel(event) && event["name"].get<std::string>().find(part) != std::string::npos;
}

// Stretches the time in which chosen events go on; whatever goes on at the same time takes longer, too, and
// what comes later comes later.
void stretch(Json& trace, const Chosen& chosen, double factor) {
  std::map<double, double> busy;  // ends by starts, of times that do not overlap
  std::vector<std::pair<double, double>> intervals;
  for (const Json& event : trace["traceEvents"])
    if (event["ph"] == "X" && chosen(event))
      intervals.emplace_back(event["ts"], event["ts"].get<double>() + event["dur"].get<double>());
  std::sort(intervals.begin(), intervals.end());
  double last = -1;
  for (auto [start, end] : intervals) {
    start = std::max(start, last);
    if (end <= start) continue;
    busy[start] = end;
    last = end;
  }
  ASSERT_FALSE(busy.empty());
  std::vector<std::array<double, 3>> steps;  // start, end, and the time that is added before the start
  double added = 0;
  for (const auto& [start, end] : busy) {
    steps.push_back({start, end, added});
    added += (end - start) * (factor - 1);
  }
  const auto moved = [&](double time) {
    const auto behind = std::upper_bound(steps.begin(), steps.end(), time,
                                         [](double at, const auto& step) { return at < step[0]; });
    if (behind == steps.begin()) return time;
    const auto& step = *std::prev(behind);
    return time + step[2] + (std::min(time, step[1]) - step[0]) * (factor - 1);
  };
  for (Json& event : trace["traceEvents"]) {
    if (!event.contains("ts")) continue;
    const double start = event["ts"];
    event["ts"] = moved(start);
    if (!event.contains("dur")) continue;
    event["dur"] = moved(start + event["dur"].get<double>()) - moved(start);
    event["args"].erase("start_ps");
    event["args"].erase("duration_ps");
  }
}

void remove(Json& trace, const Chosen& chosen) {
  Json kept = Json::array();
  for (Json& event : trace["traceEvents"])
    if (!chosen(event)) kept.push_back(std::move(event));
  trace["traceEvents"] = kept;
}

double step_of(const Json& comparison, const char* side) {
  return comparison["parts"].back()[side];
}

// The parts of the step and the changes of all activities add up.
void expect_sums(const Json& comparison) {
  for (const char* const side : {"simulated_us", "measured_us"}) {
    double sum = 0;
    for (const Json& part : comparison["parts"])
      if (part["what"] != "step" && !part["what"].get<std::string>().starts_with('-'))
        sum += part[side].get<double>();
    EXPECT_NEAR(sum, step_of(comparison, side), 1e-3);
  }
  double change = 0;
  for (const Json& activity : comparison["activities"]) change += activity["change_us"].get<double>();
  EXPECT_NEAR(change, step_of(comparison, "measured_us") - step_of(comparison, "simulated_us"), 1e-3);
}

std::string first_finding(const Json& comparison) {
  return comparison["findings"].empty() ? "" : comparison["findings"][0].get<std::string>();
}

void expect_same(const Json& comparison) {
  EXPECT_EQ(comparison["all_matched"], true);
  EXPECT_TRUE(comparison["findings"].empty()) << comparison["findings"].dump(1);
  EXPECT_GT(comparison["activities"].size(), 0u);
  for (const Json& activity : comparison["activities"]) {
    EXPECT_EQ(activity["side"], "both") << activity;
    EXPECT_EQ(activity["simulated_count"], activity["measured_count"]) << activity;
    EXPECT_EQ(activity["simulated_busy_us"], activity["measured_busy_us"]) << activity;
    EXPECT_EQ(activity["change_us"], 0) << activity;
  }
  EXPECT_EQ(step_of(comparison, "simulated_us"), step_of(comparison, "measured_us"));
  expect_sums(comparison);
}

TEST_F(Measured, ATransformersOwnTimelineIsTheSameSlow) {
  run(transformer, "small");
  for (const int rank : {0, 8}) {
    const Json comparison = compared("small.yaml", {timeline_of("small", rank)});
    expect_same(comparison);
    EXPECT_EQ(comparison["ranks"][0]["simulated_rank"], rank);
    std::map<std::string, double> counts;
    for (const Json& activity : comparison["activities"])
      counts[activity["kind"]] += activity["measured_count"].get<double>();
    EXPECT_GT(counts["matrix product"], 0);
    EXPECT_GT(counts["normalisation"], 0);
    EXPECT_GT(counts["all-gather"], 0);
    EXPECT_EQ(counts["optimizer"], 1);
    EXPECT_EQ(counts["layer"], 0);
    EXPECT_EQ(step_of(comparison, "measured_us"),
              Json::parse(read_file_of_any_kind("results/small/summary.json"))["runs"][0]["total_us"]);
  }
  expect_same(compared("results/small", {"results/small/small/timeline.kineto"}));
  expect_same(compared("results/small/small", {"results/small/small/timeline.kineto"}));
}

TEST_F(Measured, TheTimelineOfALayerTableIsTheSame) {
  const std::string layers = R"(network: [ { topology: ring, size: 4, bandwidth: 50 GB/s, latency: 500 ns } ]
passes: 3
workload:
  policy: model
  layers:
    - { name: a, forward: { compute: 5 us }, weight-gradient: { compute: 7 us, collective: all-reduce, size: 8 MB } }
    - { name: b, forward: { compute: 4 us, collective: all-gather, size: 1 MB }, weight-gradient: { compute: 3 us, collective: all-reduce, size: 1 MB } }
)";
  run(layers, "table");
  const Json comparison = compared("table.yaml", {timeline_of("table")});
  expect_same(comparison);
  EXPECT_EQ(comparison["steps"], 2);  // the last one has no end of its own
  EXPECT_NE(comparison["activities"].dump().find(R"("kind":"layer")"), std::string::npos);
}

TEST_F(Measured, TheTimelineOfAPipelineIsTheSame) {
  run(R"(network:
  - { name: inner, topology: ring, size: 2, bandwidth: 50 GB/s, latency: 500 ns }
  - { name: outer, topology: switch, size: 2, bandwidth: 10 GB/s, latency: 1 us }
workload:
  pipeline: { micro-batches: 4 }
  layers:
    - { name: a, forward: { compute: 5 us }, input-gradient: { compute: 6 us }, output: 1 MiB, weight-gradient: { compute: 7 us, collective: all-reduce, size: 5 MiB } }
    - { name: b, forward: { compute: 4 us }, input-gradient: { compute: 5 us }, output: 2 MiB, weight-gradient: { compute: 3 us, collective: all-reduce, size: 6 MiB } }
)",
      "stages");
  for (const int rank : {0, 2}) expect_same(compared("stages.yaml", {timeline_of("stages", rank)}));
  const Json both = compared("stages.yaml", {"results/stages/stages/timeline.kineto"});
  expect_same(both);
  EXPECT_EQ(both["ranks"].size(), 2u);
}

TEST_F(Measured, SlowerMatrixProductsAreNamed) {
  run(transformer, "small");
  Json trace = measured_file(timeline_of("small"));
  stretch(
      trace, [](const Json& event) { return has_kind(event, "matrix product"); }, 1.2);
  const Json comparison = compared("small.yaml", {written(trace)});
  EXPECT_EQ(comparison["all_matched"], true);
  EXPECT_TRUE(first_finding(comparison)
                  .starts_with("Matrix products take 1.2 times as long as simulated, which "
                               "makes the step"))
      << first_finding(comparison);
  EXPECT_NE(first_finding(comparison).find("(100% of the difference)"), std::string::npos)
      << first_finding(comparison);
  expect_sums(comparison);
}

constexpr const char* layers_that_gather = R"(name: layers
network: [ { topology: ring, size: 4, bandwidth: 50 GB/s, latency: 500 ns } ]
workload:
  policy: model
  layers:
    - { name: a, forward: { compute: 5 ms, collective: all-gather, size: 8 MB } }
    - { name: b, forward: { compute: 4 ms, collective: all-gather, size: 1 MB } }
)";

TEST_F(Measured, SlowerCollectivesAreNamed) {
  run(layers_that_gather, "layers");
  Json trace = measured_file(timeline_of("layers"));
  stretch(
      trace, [](const Json& event) { return has_name(event, "AllGather"); }, 2);
  const Json comparison = compared("layers.yaml", {written(trace)});
  EXPECT_EQ(comparison["all_matched"], true);
  EXPECT_TRUE(
      first_finding(comparison)
          .starts_with("All-gathers of 30.52 MiB among 4 take 2 times as long as simulated, which makes "
                       "the step"))  // four times 8 MB
      << first_finding(comparison);
  expect_sums(comparison);
}

// The collectives of a transformer are hidden in part, and what hides them takes longer, too.
TEST_F(Measured, HiddenCollectivesTakeTwiceAsLong) {
  run(transformer_of("gpt3-6.7b"), "small");
  Json trace = measured_file(timeline_of("small"));
  stretch(
      trace, [](const Json& event) { return has_name(event, "ReduceScatter"); }, 2);
  const Json comparison = compared("small.yaml", {written(trace)});
  EXPECT_EQ(comparison["all_matched"], true);
  int found = 0;
  for (const Json& activity : comparison["activities"])
    if (activity["kind"] == "reduce-scatter") {
      EXPECT_NEAR(activity["measured_busy_us"], 2 * activity["simulated_busy_us"].get<double>(), 1)
          << activity;
      ++found;
    }
  EXPECT_EQ(found, 3);
  expect_sums(comparison);
}

TEST_F(Measured, AKernelThatIsNotSimulatedIsNamed) {
  run(transformer, "small");
  Json trace = measured_file(timeline_of("small"));
  double end = 0;
  for (Json& event : trace["traceEvents"])
    if (event["ph"] == "X" && event["name"] == "ProfilerStep#0") {
      end = event["dur"];
      event["dur"] = end + 5000;
      event["args"].erase("duration_ps");
    }
  for (int i = 0; i < 5; ++i)
    trace["traceEvents"].push_back({{"ph", "X"},
                                    {"cat", "kernel"},
                                    {"name", "my_own_kernel"},
                                    {"pid", 0},
                                    {"tid", 1},
                                    {"ts", end + 1000 * i},
                                    {"dur", 1000},
                                    {"args", Json::object()}});
  const Json comparison = compared("small.yaml", {written(trace)});
  EXPECT_EQ(comparison["all_matched"], false);
  EXPECT_EQ(
      first_finding(comparison),
      "Other kernels are only measured, which makes the step 5.000 ms longer (100% of the difference).");
  EXPECT_NE(comparison["kernels"].dump().find("my_own_kernel"), std::string::npos);
  expect_sums(comparison);
}

TEST_F(Measured, CollectivesThatAreNotMeasuredAreNamed) {
  run(transformer, "small");
  Json trace = measured_file(timeline_of("small"));
  remove(trace,
         [](const Json& event) { return has_name(event, "AllGather") && event["args"]["Group size"] == 4; });
  const Json comparison = compared("small.yaml", {written(trace)});
  EXPECT_EQ(comparison["all_matched"], false);
  bool named = false;
  for (const Json& activity : comparison["activities"])
    if (activity["kind"] == "all-gather" && activity["side"] == "simulated" && activity["group_size"] == 4)
      named = true;
  EXPECT_TRUE(named);
  // Nothing is in their place, so the device is idle instead.
  EXPECT_NE(comparison["findings"].dump().find("are only simulated, not measured"), std::string::npos)
      << comparison["findings"];
  expect_sums(comparison);
}

// Four ranks of a group: the last one comes 3 ms late to one of its collectives, after which it waits for
// none.
TEST_F(Measured, ARankThatComesLateIsNamed) {
  run(layers_that_gather, "layers");
  const Json whole = measured_file(timeline_of("layers"));
  std::vector<std::string> files;
  for (int rank = 0; rank < 4; ++rank) {
    Json trace = whole;
    trace["distributedInfo"]["rank"] = rank;
    double begins = -1;
    for (const Json& event : trace["traceEvents"])
      if (has_name(event, "AllGather") && begins < 0) begins = event["ts"];
    for (Json& event : trace["traceEvents"]) {
      if (event["ph"] != "X") continue;
      const double start = event["ts"], end = start + event["dur"].get<double>();
      const bool first = has_name(event, "AllGather") && start == begins;
      if (first && rank < 3) event["dur"] = event["dur"].get<double>() + 3000;
      if (!first && start < begins && end > begins) event["dur"] = event["dur"].get<double>() + 3000;
      if ((first && rank == 3) || (!first && start >= begins)) event["ts"] = start + 3000;
      event["args"].erase("start_ps");
      event["args"].erase("duration_ps");
    }
    files.push_back(written(trace, fmt::format("rank{}.json", rank)));
  }
  const Json comparison = compared("layers.yaml", files);
  EXPECT_EQ(comparison["ranks"].size(), 4u);
  EXPECT_TRUE(
      first_finding(comparison).starts_with("Rank 3 comes late to one collective, where others wait for it"))
      << comparison["findings"].dump(1);
  EXPECT_NEAR(comparison["ranks"][3]["awaited_us"].get<double>(), 3000, 1e-3);
  EXPECT_NEAR(comparison["ranks"][0]["waits_us"].get<double>(), 3000, 1e-3);
  expect_sums(comparison);
}

TEST_F(Measured, WritesATableAndFitsATerminal) {
  run(transformer, "small");
  const Outcome outcome = call_orrery({"compare", "small.yaml", "--measured=" + timeline_of("small")});
  EXPECT_EQ(outcome.exit_code, 0) << outcome.error;
  EXPECT_NE(outcome.output.find("Everything is matched, and takes the same time."), std::string::npos)
      << outcome.output;
  EXPECT_NE(outcome.output.find("files: results/small/measured.csv"), std::string::npos);
  const std::string table = read_file_of_any_kind("results/small/measured.csv");
  EXPECT_TRUE(table.starts_with("run,activity,kind,bytes,")) << table;
  EXPECT_NE(table.find("small,matrix products,matrix product,"), std::string::npos) << table;
  std::istringstream lines(outcome.output);
  for (std::string line; std::getline(lines, line);) EXPECT_LE(line.size(), 100u) << line;  // bytes
}

// A trace whose nodes say how long they took begins each when it may.
TEST_F(Measured, ExecutionTracesWithDurations) {
  run(R"(name: reduces
network: [ { topology: ring, size: 4, bandwidth: 50 GB/s, latency: 500 ns } ]
workload: { policy: model, layers: [ { name: gemm, forward: { compute: 5 us, collective: all-reduce, size: 4 KiB } } ] }
)",
      "reduces");
  write_file_atomically(
      "step.0.et", trace_of_text("compute 1 name=gemm duration=9\n"
                                 "collective 2 name=reduce duration=4 after=1 comm_type=0 comm_size=4096\n"
                                 "compute 3 name=vectorized_elementwise_kernel duration=2 after=1\n"
                                 "compute 4 name=gemm duration=6 after=2,3\n"));
  const Json comparison = compared("reduces.yaml", {"step.0.et"});
  EXPECT_EQ(step_of(comparison, "measured_us"), 9 + 4 + 6);
  EXPECT_EQ(comparison["parts"][0]["measured_us"], 9 + 2 + 6);
  EXPECT_EQ(comparison["parts"][1]["measured_us"], 2);
  // The simulation knows layers only, so all that computes is one thing.
  bool compute = false, reduce = false;
  for (const Json& activity : comparison["activities"]) {
    if (activity["kind"] == "compute")
      compute = activity["measured_count"] == 3 && activity["simulated_count"] == 1;
    if (activity["kind"] == "all-reduce") reduce = activity["side"] == "both" && activity["bytes"] == 4096;
  }
  EXPECT_TRUE(compute) << comparison["activities"].dump(1);
  EXPECT_TRUE(reduce) << comparison["activities"].dump(1);
  expect_sums(comparison);
}

}  // namespace
}  // namespace orrery::core::test::measured_test
