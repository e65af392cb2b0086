#include "orrery/experiment.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <filesystem>
#include <thread>

#include "base/files/file.hpp"
#include "support/cases.hpp"
#include "support/source_dir.hpp"

namespace orrery::core::test::api_experiment_test {
namespace {

using orrery::Document;
using orrery::Keep;
using orrery::Problem;
using orrery::ProblemKind;
using orrery::Runs;
using Api = orrery::Experiment;

// A ring of 16 NPUs whose one layer is compute and an all-reduce.
Document ring() {
  Document document;
  document["network"] = Document::List{
      {{"name", "ring"}, {"topology", "ring"}, {"size", 16}, {"bandwidth", "50 GB/s"}, {"latency", "1 us"}}};
  document["workload"]["policy"] = "data";
  document["workload"]["layers"] = Document::List{
      {{"name", "layer"},
       {"weight-gradient", {{"compute", "100 us"}, {"collective", "all-reduce"}, {"size", "64 MB"}}}}};
  return document;
}

Problem problem_of(const Document& document, const orrery::ReadOptions& options = {}) {
  const auto experiment = Api::from(document, options);
  if (experiment) return {};
  return experiment.problems().front();
}

TEST(ApiExperiment, InCodeTakesWhatTheSameInAFileTakes) {
  const TemporaryFolder folder;
  const auto in_code = Api::from(ring());
  ASSERT_TRUE(in_code) << in_code.problems().front().text();
  const Runs runs = in_code->simulate();
  ASSERT_TRUE(runs.ok());
  ASSERT_EQ(runs.size(), 1u);
  EXPECT_EQ(runs[0].name(), "experiment");
  EXPECT_EQ(runs[0].npus(), 16);
  EXPECT_EQ(runs[0].breakdown().compute, orrery::Time::picoseconds(100'000'000));
  EXPECT_GT(runs[0].breakdown().exposed, orrery::Time());
}

TEST(ApiExperiment, WhatIsWrongHasItsPlaceInTheDocumentAndAHint) {
  Document document = ring();
  document["workload"]["layres"] = 1;
  const Problem unknown = problem_of(document);
  EXPECT_EQ(unknown.kind, ProblemKind::input);
  EXPECT_EQ(unknown.place, "experiment.workload.layres");
  EXPECT_NE(unknown.message.find("layers"), std::string::npos) << unknown.message;

  document = ring();
  document["network"][0]["bandwidth"] = "fast";
  EXPECT_EQ(problem_of(document).place, "experiment.network[0].bandwidth");

  EXPECT_EQ(problem_of(ring(), {.overrides = {"network.0.sise=3"}}).place, "--set network.0.sise=3");
  EXPECT_EQ(problem_of(ring(), {.network_model = "magic"}).place, "network_model");
  EXPECT_EQ(Api::load("no-such-file.yaml").problems().front().place, "no-such-file.yaml");
}

TEST(ApiExperiment, OverridesAndTheNetworkModelChangeIt) {
  const auto plain = Api::from(ring()).value().simulate();
  const auto fast = Api::from(ring(), {.overrides = {"network.0.bandwidth=100 GB/s"}}).value().simulate();
  const auto links = Api::from(ring(), {.network_model = "link"}).value().simulate();
  EXPECT_LT(fast[0].time(), plain[0].time());
  EXPECT_NE(links[0].json(), plain[0].json());
  EXPECT_NE(links[0].json().find("\"link\""), std::string::npos);
}

// Training steps on a node of eight GPUs, of which the second run needs more memory than there is.
Document with_a_run_that_fails() {
  Document document;
  document["platform"] = "dgx-a100";
  document["workload"] = {{"batch", {{"global", 8}, {"micro", 1}}}, {"parallelism", {{"tensor", 8}}}};
  Document::List runs;
  for (const auto& [name, model] :
       {std::pair("good", "llama3-8b"), std::pair("bad", "gpt3-175b"), std::pair("last", "gpt3-5b")}) {
    Document workload = document["workload"];
    workload["model"] = model;
    runs.push_back({{"name", name}, {"workload", workload}});
  }
  document["runs"] = runs;
  document.erase("workload");
  return document;
}

// The same ring as a network of switches, on which packets can be simulated.
Document ring_of_packets() {
  Document document = ring();
  document["network"] = {{"build", "torus"},
                         {"link", {{"bandwidth", "50 GB/s"}, {"latency", "1 us"}}},
                         {"dimensions", Document::List{{{"size", 16}}}}};
  document["network-model"] = "packet";
  return document;
}

TEST(ApiExperiment, ARunThatFailsKeepsNoOtherFromRunning) {
  const auto experiment = Api::from(with_a_run_that_fails());
  ASSERT_TRUE(experiment) << experiment.problems().front().text();
  const auto checked = experiment->check();
  ASSERT_EQ(checked.size(), 1u);
  EXPECT_EQ(checked[0].run, "bad");
  const Runs runs = experiment->simulate();
  ASSERT_EQ(runs.size(), 3u);
  EXPECT_TRUE(runs[0].ok());
  EXPECT_FALSE(runs[1].ok());
  EXPECT_TRUE(runs[2].ok());
  ASSERT_EQ(runs.problems().size(), 1u);
  EXPECT_EQ(runs.problems()[0].run, "bad");
  EXPECT_EQ(runs.problems()[0].kind, ProblemKind::input);
  EXPECT_EQ(runs.problems()[0].message, checked[0].message);
  const auto table = runs.table("runs").value();
  EXPECT_EQ(table.rows(), 3u);
  EXPECT_EQ(table.text(1, "status"), "failed");
  EXPECT_TRUE(table.is_missing(1, "total_us"));
  EXPECT_EQ(runs.find("last"), &runs[2]);
  EXPECT_EQ(runs.find("nobody"), nullptr);
}

TEST(ApiExperiment, StopsWhenItIsAsked) {
  std::stop_source source;
  source.request_stop();
  const Runs before = Api::from(ring()).value().simulate({.stop = source.get_token()});
  ASSERT_EQ(before.size(), 1u);
  EXPECT_EQ(before[0].problem()->kind, ProblemKind::stopped);

  // Packets, so that there is time enough to stop.
  std::stop_source under_way;
  const auto slow = Api::from(ring_of_packets()).value();
  const Runs stopped =
      slow.simulate({.stop = under_way.get_token(),
                     .progress = [&](const orrery::Progress&) { under_way.request_stop(); }});
  EXPECT_EQ(stopped[0].problem()->kind, ProblemKind::stopped);

  // A run that simulates next to nothing may be stopped before it does.
  std::stop_source at_once;
  const Runs planned = Api::from(ring()).value().simulate(
      {.stop = at_once.get_token(), .progress = [&](const orrery::Progress&) { at_once.request_stop(); }});
  ASSERT_FALSE(planned[0].ok());
  EXPECT_EQ(planned[0].problem()->kind, ProblemKind::stopped);
}

TEST(ApiExperiment, TellsItsProgress) {
  orrery::Progress last;
  const Runs runs = Api::from(with_a_run_that_fails())
                        .value()
                        .simulate({.threads = 2, .progress = [&](const orrery::Progress& progress) {
                                     EXPECT_GE(progress.share, last.share);
                                     last = progress;
                                   }});
  EXPECT_EQ(last.runs, 3u);
  EXPECT_EQ(last.ended, 3u);
  EXPECT_EQ(last.failed, 1u);
  EXPECT_EQ(last.share, 1);
}

TEST(ApiExperiment, KeepsTheDetailsThatItIsAskedFor) {
  const auto experiment = Api::from(ring()).value();
  const Runs all = experiment.simulate();
  const Runs few = experiment.simulate({.keep = Keep::summaries});
  EXPECT_EQ(few[0].tables(), std::vector<std::string>{"layers"});
  EXPECT_GT(all[0].tables().size(), 2u);
  const auto links = all[0].table("links");
  ASSERT_TRUE(links) << links.problems().front().text();
  EXPECT_GT(links->rows(), 0u);
  const auto none = few[0].table("links");
  EXPECT_FALSE(none);
  EXPECT_EQ(none.problems().front().hint, "ask for `layers`");
  EXPECT_EQ(all[0].json(), few[0].json());
}

TEST(ApiExperiment, SavesWhatItWouldHaveWritten) {
  const TemporaryFolder folder;
  const std::string saved = (folder.path() / "saved").string(),
                    written = (folder.path() / "written").string();
  const Runs runs = Api::from(ring()).value().simulate({.output = written});
  EXPECT_EQ(runs.save(saved).value(), saved + "/experiment");
  for (const auto& entry : std::filesystem::recursive_directory_iterator(written)) {
    if (!entry.is_regular_file()) continue;
    const auto name = std::filesystem::relative(entry.path(), written);
    EXPECT_EQ(read_file_of_any_kind(entry.path().string()), read_file_of_any_kind((saved / name).string()))
        << name;
  }
  EXPECT_TRUE(runs.write_report((folder.path() / "page.html").string()));
  EXPECT_TRUE(runs[0].write_timeline((folder.path() / "step.pftrace").string()));
  EXPECT_FALSE(runs[0].write_timeline((folder.path() / "step.png").string()));
  EXPECT_FALSE(runs.write_report((folder.path() / "none/page.html").string()));
}

TEST(ApiExperiment, WhoseResultsCannotBeWrittenSaysSo) {
  const Runs runs = Api::from(ring()).value().simulate({.output = "/dev/null/results"});
  ASSERT_EQ(runs.problems().size(), 1u);
  EXPECT_EQ(runs.problems()[0].kind, ProblemKind::input);
}

// Nothing is global: the same experiment and others, from eight threads at once.
TEST(ApiExperimentThreads, SimulateSideBySide) {
  const auto shared = Api::from(ring()).value();
  const auto expected = shared.simulate()[0].json();
  std::atomic<int> equal = 0, failed = 0;
  std::vector<std::thread> threads;
  for (int i = 0; i < 8; ++i)
    threads.emplace_back([&, i] {
      for (int round = 0; round < 3; ++round) {
        if (shared.simulate({.threads = 2})[0].json() == expected) ++equal;
        const Runs mine =
            Api::from(with_a_run_that_fails(),
                      {.overrides = {"runs.good.workload.batch.global=" + std::to_string(8 * (i + 1))}})
                .value()
                .simulate();
        if (mine.problems().size() == 1 && mine.size() == 3) ++failed;
      }
    });
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(equal, 24);
  EXPECT_EQ(failed, 24);
}

}  // namespace
}  // namespace orrery::core::test::api_experiment_test
