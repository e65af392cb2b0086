#include "orrery/sweep.hpp"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <optional>
#include <string>
#include <vector>

#include "orrery/search.hpp"

#include "support/cases.hpp"

namespace orrery::core::test::api_sweep_test {
namespace {

constexpr const char* text = R"(
name: study
network: [{ name: ring, topology: ring, size: 8, bandwidth: 50 GB/s, latency: 1 us }]
workload:
  policy: data
  layers: [{ name: layer, weight-gradient: { compute: 100 us, collective: all-reduce, size: 64 MB } }]
sweep:
  grid:
    network.ring.bandwidth: [25 GB/s, 50 GB/s]
    compute-scale: [1, 2, 3]
)";

orrery::Sweep sweep_of(const std::string& experiment = text) {
  return orrery::Sweep::from(orrery::Document::parse(experiment).value()).value();
}

TEST(ApiSweep, KnowsItsRunsAndKeys) {
  const orrery::Sweep sweep = sweep_of();
  EXPECT_EQ(sweep.name(), "study");
  EXPECT_EQ(sweep.size(), 6u);
  EXPECT_EQ(sweep.keys(), (std::vector<std::string>{"network.ring.bandwidth", "compute-scale"}));
  EXPECT_EQ(sweep.run(1), "bandwidth=25GBps_compute-scale=2");
  EXPECT_THROW((void)sweep.run(6), std::out_of_range);
  EXPECT_TRUE(sweep.warnings().empty());
}

TEST(ApiSweep, SimulatesWhatTheStoreLacks) {
  const TemporaryFolder folder;
  const std::string store = (folder.path() / "new" / "a.sqlite").string();
  const auto part = sweep_of().simulate(store, {.limit = 2});
  ASSERT_TRUE(part) << part.problems().front().text();
  EXPECT_EQ(part->simulated, 2u);
  EXPECT_FALSE(part->complete);
  const auto rest = sweep_of().simulate(store, {.how = {.threads = 2}});
  ASSERT_TRUE(rest);
  EXPECT_EQ(rest->simulated, 4u);
  EXPECT_EQ(rest->reused, 2u);
  EXPECT_TRUE(rest->complete);
}

TEST(ApiSweep, PartsThatAreSimulatedElsewhereMakeTheSameTable) {
  const TemporaryFolder folder;
  const std::string here = (folder.path() / "here.sqlite").string(),
                    there = (folder.path() / "there.sqlite").string();
  const orrery::Sweep sweep = sweep_of();
  ASSERT_TRUE(sweep.simulate(here));
  {
    orrery::SweepStore store = orrery::SweepStore::open(sweep, there).value();
    const std::vector<std::size_t> missing = store.missing().value();
    ASSERT_EQ(missing.size(), 6u);
    for (const std::size_t run : missing)
      EXPECT_EQ(store.add(sweep_of().simulate_part({run}).value()).value(), 1u);
    EXPECT_FALSE(store.add("[{}]"));
    EXPECT_FALSE(store.add(sweep_of(std::string(text) + "passes: 2\n").simulate_part({0}).value()));
  }
  const orrery::Table one = orrery::Study::load(here)->table().value();
  const orrery::Table other = orrery::Study::load(there)->table().value();
  ASSERT_EQ(one.rows(), other.rows());
  for (const char* column : {"run", "key", "content", "version"})
    for (std::size_t row = 0; row < one.rows(); ++row)
      EXPECT_EQ(one.text(row, column), other.text(row, column));
  for (std::size_t row = 0; row < one.rows(); ++row)
    EXPECT_EQ(one.real(row, "total_us"), other.real(row, "total_us"));
}

TEST(ApiSweep, ThreadsMakeTheSameTable) {
  const TemporaryFolder folder;
  std::string many(text);
  many.replace(many.find("[1, 2, 3]"), 9, "{ from: 1, to: 60, step: 1 }");
  std::vector<orrery::Table> tables;
  for (const int threads : {1, 8}) {
    const std::string file = (folder.path() / (std::to_string(threads) + ".sqlite")).string();
    ASSERT_EQ(sweep_of(many).simulate(file, {.how = {.threads = threads}})->simulated, 120u);
    tables.push_back(orrery::Study::load(file)->table().value());
  }
  for (std::size_t row = 0; row < 120; ++row) {
    EXPECT_EQ(tables[0].text(row, "content"), tables[1].text(row, "content"));
    EXPECT_EQ(tables[0].real(row, "total_us"), tables[1].real(row, "total_us"));
  }
}

TEST(ApiSweep, ANewStoreOfAFinishedSweepLacksNothing) {
  const TemporaryFolder folder;
  const std::string file = (folder.path() / "a.sqlite").string();
  ASSERT_TRUE(sweep_of().simulate(file));
  orrery::SweepStore store = orrery::SweepStore::open(sweep_of(), file).value();
  EXPECT_TRUE(store.missing()->empty());
}

TEST(ApiSweep, StudiesAreAskedByConditions) {
  const TemporaryFolder folder;
  const std::string file = (folder.path() / "a.sqlite").string();
  ASSERT_TRUE(sweep_of().simulate(file, {.only = "compute-scale < 3"}));
  const auto study = orrery::Study::load(file);
  ASSERT_TRUE(study);
  EXPECT_EQ(study->name(), "study");
  const orrery::Table table = study->table("bandwidth == 50 GB/s", "step_us desc", 1).value();
  ASSERT_EQ(table.rows(), 1u);
  EXPECT_EQ(table.text(0, "run"), "bandwidth=50GBps_compute-scale=2");
  EXPECT_FALSE(study->table("bandwith == 1"));
  const std::string page = (folder.path() / "a.html").string();
  EXPECT_EQ(study->write_report(page).value(), page);
  EXPECT_GT(std::filesystem::file_size(page), 1000u);
}

TEST(ApiSweep, WhatIsWrongIsAProblem) {
  const TemporaryFolder folder;
  EXPECT_FALSE(orrery::Sweep::from(orrery::Document::parse("name: a").value()));
  EXPECT_FALSE(orrery::Sweep::load((folder.path() / "none.yaml").string()));
  EXPECT_FALSE(orrery::Study::load((folder.path() / "none.sqlite").string()));
  EXPECT_FALSE(sweep_of().simulate((folder.path() / "a.sqlite").string(), {.only = "nothing == 1"}));
  EXPECT_FALSE(sweep_of().simulate_part({99}));
  std::stop_source stop;
  stop.request_stop();
  EXPECT_EQ(sweep_of().simulate_part({0}, {.how = {.stop = stop.get_token()}}).problems().front().kind,
            orrery::ProblemKind::stopped);
}

TEST(ApiSweep, AFileIsReadWithWhatItNames) {
  const TemporaryFolder folder;
  const std::string file = (folder.path() / "study.yaml").string();
  std::ofstream(file) << text;
  const auto sweep = orrery::Sweep::load(file, {.overrides = {"sweep.grid.compute-scale=[1, 2]"}});
  ASSERT_TRUE(sweep) << sweep.problems().front().text();
  EXPECT_EQ(sweep->size(), 4u);
}

constexpr const char* layouts = R"(
platform: dgx-h100
network: [{ name: box, topology: switch, size: 4, bandwidth: 50 GB/s, latency: 1 us }]
workload: { model: gpt3-125m, batch: { global: 8, micro: 1 }, parallelism: { data: 4 } }
sweep: { grid: { network.box.bandwidth: [5 GB/s, 50 GB/s] } }
)";

// Simulates what a search asks for, as its caller does.
orrery::Findings carried_out(orrery::SweepSearch search) {
  while (const std::optional<orrery::Document> runs = search.next().value()) {
    std::vector<std::optional<double>> steps;
    for (const orrery::Run& run : orrery::Experiment::from(*runs).value().simulate())
      steps.push_back(run.step().seconds());
    search.tell(steps);
  }
  const auto all = orrery::Sweep::from(search.all());
  EXPECT_TRUE(all);
  EXPECT_GE(all->size(), 2u);
  return search.findings();
}

TEST(ApiSweepSearch, FindsTheBestOfAllPoints) {
  const TemporaryFolder folder;
  const std::string file = (folder.path() / "layouts.yaml").string();
  std::ofstream(file) << layouts;
  const orrery::SearchOptions options{.top = 2};
  const orrery::Document document = orrery::Document::parse(layouts).value();
  const orrery::Findings found = carried_out(orrery::SweepSearch::from(document, {}, options).value());
  EXPECT_NE(found.text().find("The best of 2 points is bandwidth=50GBps, with "), std::string::npos)
      << found.text();
  const orrery::Table table = found.table("layouts").value();
  EXPECT_EQ(table.text(0, "point"), "bandwidth=50GBps");
  EXPECT_EQ(carried_out(orrery::SweepSearch::load(file, {}, options).value()).text(), found.text());
}

TEST(ApiSweepSearch, NeedsASweep) {
  const auto search = orrery::SweepSearch::from(orrery::Document::parse("{ platform: dgx-h100 }").value());
  ASSERT_FALSE(search);
  EXPECT_EQ(search.problems().front().message,
            "has no `sweep`, which says at which points to search; give it one");
}

}  // namespace
}  // namespace orrery::core::test::api_sweep_test
