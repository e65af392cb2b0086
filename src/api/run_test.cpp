// These tests are about what runs say of themselves.
#include "orrery/run.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "orrery/experiment.hpp"
#include "orrery/time.hpp"
#include "orrery/version.hpp"

namespace orrery::core::test::api_run_test {
namespace {

using orrery::Document;
using orrery::Runs;
using Api = orrery::Experiment;

Document step() {
  Document document;
  document["name"] = "step";
  document["platform"] = "dgx-a100";
  document["workload"] = {
      {"model", "llama3-8b"}, {"batch", {{"global", 8}, {"micro", 1}}}, {"parallelism", {{"tensor", 8}}}};
  return document;
}

Document ring() {
  Document document;
  document["network"] = Document::List{
      {{"name", "ring"}, {"topology", "ring"}, {"size", 4}, {"bandwidth", "50 GB/s"}, {"latency", "1 us"}}};
  document["workload"]["policy"] = "data";
  document["workload"]["layers"] = Document::List{
      {{"name", "layer"},
       {"weight-gradient", {{"compute", "100 us"}, {"collective", "all-reduce"}, {"size", "1 MB"}}}}};
  document["passes"] = 3;
  return document;
}

// The figures are those of summary.json, whose keys the program documents.
TEST(ApiRun, HasTheFiguresOfItsSummary) {
  const auto experiment = Api::from(step()).value();
  const Runs runs = experiment.simulate();
  ASSERT_TRUE(runs.ok()) << runs.problems().front();
  const orrery::Run& run = runs[0];
  const auto json = nlohmann::json::parse(run.json());
  EXPECT_DOUBLE_EQ(run.time().microseconds(), json.at("total_us").get<double>());
  EXPECT_DOUBLE_EQ(run.model_flop_utilization().value(), json.at("model_flop_utilization").get<double>());
  EXPECT_DOUBLE_EQ(run.hardware_flop_utilization().value(),
                   json.at("hardware_flop_utilization").get<double>());
  EXPECT_DOUBLE_EQ(run.tokens_per_second().value(), json.at("tokens_per_second").get<double>());
  const TimeInterval interval = run.step_interval().value();
  EXPECT_NEAR(interval.low.seconds() * 1e6, json.at("step_low_us").get<double>(), 1e-3);
  EXPECT_NEAR(interval.high.seconds() * 1e6, json.at("step_high_us").get<double>(), 1e-3);
  EXPECT_EQ(interval.share, json.at("interval_share").get<double>());
  EXPECT_GT(run.memory().value(), 16e9);  // two bytes for each of eight billion parameters, and more
  EXPECT_EQ(run.npus(), 8);
  EXPECT_EQ(run.iterations(), 1);
  EXPECT_FALSE(run.network_cost());
  EXPECT_TRUE(run.warnings().empty());
  EXPECT_EQ(experiment.name(), "step");
  EXPECT_EQ(experiment.runs(), std::vector<std::string>{"step"});
  EXPECT_NE(run.report().find("model FLOP use"), std::string::npos) << run.report();
}

TEST(ApiRun, LeavesOutWhatIsNotKnown) {
  const Runs runs = Api::from(ring()).value().simulate();
  ASSERT_TRUE(runs.ok()) << runs.problems().front();
  const orrery::Run& run = runs[0];
  EXPECT_FALSE(run.model_flop_utilization());
  EXPECT_FALSE(run.hardware_flop_utilization());
  EXPECT_FALSE(run.tokens_per_second());
  EXPECT_FALSE(run.step_interval());
  EXPECT_FALSE(run.memory());
  // The ring's links have prices.
  EXPECT_DOUBLE_EQ(run.network_cost().value(),
                   nlohmann::json::parse(run.json()).at("network_cost_usd").get<double>());
  EXPECT_EQ(run.iterations(), 3);
  EXPECT_EQ(run.step().picoseconds(), run.time().picoseconds() / 3);
  EXPECT_GT(run.messages(), 0u);
}

TEST(ApiRun, StandsAmongTheRunsOfItsExperiment) {
  Document document = ring();
  document["runs"] = Document::List{{{"name", "a"}}, {{"name", "b"}, {"passes", 1}}};
  const auto experiment = Api::from(document).value();
  EXPECT_EQ(experiment.runs(), (std::vector<std::string>{"a", "b"}));
  const Runs runs = experiment.simulate();
  ASSERT_EQ(runs.runs().size(), 2u);
  EXPECT_EQ(runs.end() - runs.begin(), 2);
  EXPECT_EQ(&*runs.begin(), &runs[0]);
  EXPECT_EQ(runs.find("b"), &runs.runs()[1]);
}

TEST(ApiTime, IsExactAndHasEveryUnit) {
  const auto time = orrery::Time::picoseconds(1'234'567'000'001);
  EXPECT_EQ(time.picoseconds(), 1'234'567'000'001);
  EXPECT_DOUBLE_EQ(time.nanoseconds(), 1'234'567'000.001);
  EXPECT_DOUBLE_EQ(time.microseconds(), 1'234'567.000001);
  EXPECT_DOUBLE_EQ(time.seconds(), 1.234567000001);
  EXPECT_EQ(time + time - time, time);
  EXPECT_LT(orrery::Time(), time);
}

TEST(ApiVersion, IsSemantic) {
  const std::string version(orrery::version());
  EXPECT_EQ(std::ranges::count(version, '.'), 2) << version;
}

}  // namespace
}  // namespace orrery::core::test::api_run_test
