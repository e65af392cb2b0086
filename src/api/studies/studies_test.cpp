// Studies as programs call them. That they say what the program says is tested from Python (tests/python).
#include <gtest/gtest.h>

#include <atomic>
#include <cmath>
#include <filesystem>
#include <stop_token>

#include "base/files/file.hpp"
#include "orrery/calculators.hpp"
#include "orrery/calibration.hpp"
#include "orrery/comparison.hpp"
#include "orrery/explanation.hpp"
#include "orrery/flows.hpp"
#include "orrery/network.hpp"
#include "orrery/search.hpp"
#include "orrery/sensitivity.hpp"
#include "support/cases.hpp"
#include "support/source_dir.hpp"

namespace orrery::core::test::api_studies_test {
namespace {

using orrery::Document;
using orrery::Findings;

Document ring_document() {
  Document document;
  document["network"] =
      Document::List{{{"topology", "ring"}, {"size", 8}, {"bandwidth", "50 GB/s"}, {"latency", "500 ns"}}};
  document["workload"] = {
      {"policy", "data"},
      {"layers",
       Document::List{{{"name", "layer"},
                       {"weight-gradient",
                        {{"compute", "100 us"}, {"collective", "all-reduce"}, {"size", "64 MiB"}}}}}}};
  return document;
}

orrery::Run run_of(const Document& document) {
  return orrery::Experiment::from(document).value().simulate()[0];
}

TEST(ApiStudies, ExplainARun) {
  const Findings found = orrery::explain(run_of(ring_document())).value();
  EXPECT_EQ(found.tables().front(), "critical-path");
  const orrery::Table blame = found.table("blame").value();
  EXPECT_EQ(blame.text(0, "by"), "activity");
  EXPECT_EQ(blame.text(0, "name"), "all-reduce");
  EXPECT_NE(found.text().find("critical path"), std::string::npos);
  EXPECT_NE(found.json().find("critical_path_us"), std::string::npos);
  EXPECT_TRUE(found.warnings().empty());
  const auto none = found.table("nothing");
  ASSERT_FALSE(none);
  EXPECT_NE(none.problems().front().message.find("no table `nothing`"), std::string::npos);
}

TEST(ApiStudies, CalibrateAMachine) {
  const TemporaryFolder folder;
  const std::string products = (folder.path() / "gemm.csv").string(),
                    fitted = (folder.path() / "mine.yaml").string();
  write_file_atomically(products,
                        "m,n,k,datatype,time_us\n"
                        "8192,8192,8192,bf16,1700\n4096,4096,4096,bf16,230\n2048,8192,4096,bf16,225\n");
  const Findings found = orrery::calibrate({products}, {.platform = "dgx-h100", .output = fitted}).value();
  const orrery::Table constants = found.table("constants").value();
  EXPECT_EQ(constants.text(0, "constant"), "device.roofline.matrix-efficiency");
  EXPECT_NE(constants.real(0, "after"), constants.real(0, "before"));
  const orrery::Table errors = found.table("errors").value();
  EXPECT_EQ(errors.rows(), 1u);
  EXPECT_LT(*errors.real(0, "median_after"), *errors.real(0, "median_before"));
  const orrery::Table rows = found.table("rows").value();
  EXPECT_EQ(rows.text(1, "row"), "1 x 4096 x 4096 x 4096 bf16");
  EXPECT_LT(std::abs(*rows.real(1, "error_after")), std::abs(*rows.real(1, "error_before")));
  EXPECT_EQ(read_file_of_any_kind(fitted).find("# Constants fitted"), 0u);
  // A machine with that file multiplies as the fit says.
  const auto on = orrery::calibrate({products}, {.platform = fitted}).value();
  EXPECT_NEAR(*on.table("errors").value().real(0, "median_before"), *errors.real(0, "median_after"), 1e-3);

  std::stop_source stop;
  stop.request_stop();
  const auto stopped =
      orrery::calibrate({products}, {.platform = "dgx-h100", .how = {.stop = stop.get_token()}});
  ASSERT_FALSE(stopped);
  EXPECT_EQ(stopped.problems().front().kind, ProblemKind::stopped);
  for (const auto& [options, place] :
       {std::pair(orrery::CalibrationOptions{}, "platform"),
        std::pair(orrery::CalibrationOptions{.platform = "abacus"}, "platform"),
        std::pair(orrery::CalibrationOptions{.platform = "dgx-h100", .kind = "all-reduce"}, "kind"),
        std::pair(orrery::CalibrationOptions{.platform = "dgx-h100", .experiment = "e.yaml"}, "experiment"),
        std::pair(orrery::CalibrationOptions{.platform = "dgx-h100", .overrides = {"a=1"}}, "overrides"),
        std::pair(orrery::CalibrationOptions{.platform = "dgx-h100", .output = products}, "output")}) {
    const auto wrong = orrery::calibrate({products}, options);
    ASSERT_FALSE(wrong) << place;
    EXPECT_EQ(wrong.problems().front().place, place);
  }
  EXPECT_EQ(orrery::calibrate({}).problems().front().place, "from");
}

TEST(ApiStudies, FindWhatWouldHelp) {
  const auto experiment = orrery::Experiment::from(ring_document()).value();
  const orrery::Table found = orrery::find_sensitivity(experiment, {.share = 1, .only = "*.bandwidth"})
                                  .value()
                                  .table("sensitivity")
                                  .value();
  EXPECT_EQ(found.rows(), 1u);
  EXPECT_EQ(found.text(0, "to"), "100 GB/s");
  EXPECT_GT(*found.real(0, "gain"), 0.2);
  const auto of_run = orrery::find_sensitivity(run_of(ring_document()), {.share = 1, .only = "*.bandwidth"});
  EXPECT_EQ(of_run.value().table("sensitivity").value().real(0, "gain"), found.real(0, "gain"));
  const auto bad = orrery::find_sensitivity(experiment, {.share = 0});
  ASSERT_FALSE(bad);
  EXPECT_EQ(bad.problems().front().place, "share");
  EXPECT_EQ(bad.problems().front().kind, ProblemKind::input);
}

TEST(ApiStudies, CompareRuns) {
  Document faster = ring_document();
  faster["network"][0]["bandwidth"] = "100 GB/s";
  const Findings found = orrery::compare(run_of(ring_document()), run_of(faster)).value();
  const orrery::Table inputs = found.table("inputs").value();
  ASSERT_EQ(inputs.rows(), 1u);
  EXPECT_EQ(inputs.text(0, "before"), "50 GB/s");
  EXPECT_EQ(inputs.text(0, "after"), "100 GB/s");
}

TEST(ApiStudies, SearchForLayouts) {
  Document document;
  document["platform"] = "dgx-a100";
  document["workload"] = {
      {"model", "llama3-8b"}, {"batch", {{"global", 64}, {"micro", 1}}}, {"parallelism", {{"tensor", 8}}}};
  const auto experiment = orrery::Experiment::from(document).value();
  const orrery::Table layouts =
      orrery::search_layouts(experiment, {.gpus = 8, .top = 2}).value().table("layouts").value();
  EXPECT_EQ(layouts.integer(0, "rank"), 1);
  EXPECT_EQ(layouts.integer(0, "gpus"), 8);
}

TEST(ApiStudies, SearchForLayoutsOnANetwork) {
  Document document;
  document["platform"] = "dgx-a100";
  document["network"] = {
      {"build", "switch"}, {"size", 8}, {"link", {{"bandwidth", "10 GB/s"}, {"latency", "1 us"}}}};
  document["workload"] = {
      {"model", "llama3-8b"}, {"batch", {{"global", 16}, {"micro", 1}}}, {"parallelism", {{"tensor", 8}}}};
  const auto experiment = orrery::Experiment::from(document).value();
  EXPECT_EQ(orrery::Network::from(document["network"]).value().npus(), 8);
  const orrery::Table layouts =
      orrery::search_layouts(experiment, {.top = 1}).value().table("layouts").value();
  EXPECT_EQ(layouts.text(0, "verdict"), "simulated");
  std::size_t own = 0;
  while (layouts.boolean(own, "own") != true) ++own;
  EXPECT_DOUBLE_EQ(*layouts.real(own, "step_us"), run_of(document).step().microseconds());
  std::stop_source stop;
  stop.request_stop();
  SearchOptions options;
  options.how.stop = stop.get_token();
  EXPECT_EQ(orrery::search_layouts(experiment, options).problems().front().kind, ProblemKind::stopped);
  const auto fewer = orrery::search_layouts(experiment, {.gpus = 4});
  ASSERT_FALSE(fewer);
  EXPECT_EQ(fewer.problems().front().place, "gpus");
  EXPECT_EQ(orrery::search_layouts(experiment, {.fewer_gpus = true}).problems().front().place, "fewer_gpus");
}

TEST(ApiStudies, DescribeNetworksAndRunFlows) {
  const auto star =
      orrery::Network::from(
          {{"build", "switch"}, {"size", 4}, {"link", {{"bandwidth", "1 GB/s"}, {"latency", "0 ns"}}}})
          .value();
  EXPECT_EQ(star.describe().value().table("network").value().integer(0, "npus"), 4);
  EXPECT_EQ(star.nodes().value().rows(), 5u);
  EXPECT_EQ(star.links().value().rows(), 8u);
  EXPECT_NE(star.svg().value().find("<svg"), std::string::npos);
  EXPECT_NE(star.dot().value().find("graph"), std::string::npos);
  EXPECT_EQ(star.document().find("build")->text(), "switch");
  EXPECT_TRUE(star.warnings().empty());
  const Document flows = Document::List{Document::List{0, 3, "1 MB"}, Document::List{1, 3, "1 MB"}};
  const orrery::Table ends = orrery::simulate_flows(star, flows).value().table("flows").value();
  EXPECT_EQ(ends.real(0, "end_us"), 2000.0);
  const auto bad = orrery::simulate_flows(star, Document::List{Document::List{0, 9, "1 MB"}});
  ASSERT_FALSE(bad);
  EXPECT_EQ(bad.problems().front().place, "flows[0]");
}

TEST(ApiStudies, ReadNetworksOfFiles) {
  const std::string file = source_dir() + "/examples/networks/fat-tree.yaml";
  const auto tree = orrery::Network::load(file).value();
  EXPECT_EQ(tree.document().text(), file);
  EXPECT_GT(*tree.describe().value().table("network").value().integer(0, "npus"), 1);
  const auto none = orrery::Network::load("no-such-file.yaml");
  ASSERT_FALSE(none);
  EXPECT_EQ(none.problems().front().place, "no-such-file.yaml");
}

TEST(ApiStudies, CompareWithAMeasuredStep) {
  std::vector<std::string> files;
  for (int rank = 0; rank < 8; ++rank)
    files.push_back(source_dir() + "/examples/traces/two-stages." + std::to_string(rank) + ".et");
  const auto measured = orrery::Profile::load(files).value();
  EXPECT_EQ(measured.ranks(), 8u);
  EXPECT_TRUE(measured.warnings().empty());
  const auto runs =
      orrery::Experiment::load(source_dir() + "/examples/recorded-step.yaml").value().simulate();
  const Findings found = orrery::compare(*runs.find("a100"), measured).value();
  EXPECT_EQ(found.table("ranks").value().rows(), 8u);
  const auto no_step = orrery::compare(*runs.find("a100"), measured, 99);
  ASSERT_FALSE(no_step);
  EXPECT_EQ(no_step.problems().front().kind, ProblemKind::input);
  EXPECT_EQ(orrery::Profile::load({"none.json"}).problems().front().place, "none.json");
}

TEST(ApiStudies, CostCollectivesAndProducts) {
  EXPECT_GT(*orrery::cost_collective({}).value().table("costs").value().real(0, "time_us"), 100.0);
  EXPECT_GT(*orrery::cost_products({.m = 64, .n = 64, .k = 64})
                 .value()
                 .table("products")
                 .value()
                 .real(0, "time_us"),
            0);
  EXPECT_EQ(orrery::cost_collective({.members = 0}).problems().front().place, "members");
  EXPECT_EQ(orrery::cost_products({.device = "abacus"}).problems().front().place, "device");
}

TEST(ApiStudies, StopAndTellTheirProgressOnThreads) {
  const auto experiment = orrery::Experiment::from(ring_document()).value();
  std::atomic<int> told = 0;
  orrery::SensitivityOptions options;
  options.how.threads = 2;
  options.how.progress = [&](double share) { told += share >= 0 && share <= 1 ? 1 : 1'000'000; };
  EXPECT_TRUE(orrery::find_sensitivity(experiment, options));
  EXPECT_GT(told, 0);
  EXPECT_LT(told, 1'000'000);
  std::stop_source stop;
  stop.request_stop();
  options.how.stop = stop.get_token();
  const auto stopped = orrery::find_sensitivity(experiment, options);
  ASSERT_FALSE(stopped);
  EXPECT_EQ(stopped.problems().front().kind, ProblemKind::stopped);
}

TEST(ApiStudies, ReadRunsBack) {
  const TemporaryFolder scratch;
  const auto runs = orrery::Experiment::from(ring_document()).value().simulate();
  const std::string folder = runs.save(scratch.path().string()).value();
  const auto read = orrery::Runs::load(folder).value();
  ASSERT_EQ(read.size(), 1u);
  EXPECT_EQ(read[0].time(), runs[0].time());
  EXPECT_EQ(read[0].tables(), runs[0].tables());
  EXPECT_EQ(read[0].json(), runs[0].json());
  EXPECT_EQ(read[0].report(), runs[0].report());
  EXPECT_TRUE(orrery::Run::load(folder));
  const auto why = orrery::explain(read[0]);
  ASSERT_FALSE(why);
  EXPECT_NE(why.problems().front().message.find("cannot be simulated again"), std::string::npos);
  EXPECT_FALSE(orrery::Runs::load(scratch.path().string()));
}

}  // namespace
}  // namespace orrery::core::test::api_studies_test
