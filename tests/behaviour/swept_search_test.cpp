// The search for layouts at the points of a sweep, whose runs are kept in a store.
#include "study/search/swept_search.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>

#include "study/search/stored_search.hpp"
#include "study/search/swept_table.hpp"
#include "study/store/stored_study.hpp"
#include "support/cases.hpp"

namespace orrery::core::test::swept_search_test {
namespace {

const std::string file = "fabrics.yaml";

// Two boxes of four, on two fabrics with two bandwidths.
const std::string fabrics = R"(
name: fabrics
platform: dgx-h100
networks:
  tree:
    build: fat-tree
    inside: { build: nvlink, size: 4, switches: 2, links: 18, link: { bandwidth: 25 GB/s, latency: 100 ns },
              nics: { count: 4, link: { bandwidth: 64 GB/s, latency: 500 ns } } }
    link: { bandwidth: 12.5 GB/s, latency: 500 ns }
    levels: [ { size: 1 }, { size: 2 } ]
  tree-4-to-1: { base: tree, levels: [ { size: 1 }, { size: 2, oversubscription: 4 } ] }
workload:
  model: gpt3-125m
  batch: { global: 8, micro: 1 }
  parallelism: { tensor: 2, data: 4, zero: 1 }
)";
const std::string over_fabrics =
    "sweep: { grid: { network: [tree, tree-4-to-1], networks.tree.link.bandwidth: [12.5 GB/s, 50 GB/s] } }\n";

class SearchOfSweep : public testing::Test {
 protected:
  SearchOptions options(std::size_t top) const {
    SearchOptions options;
    options.top = top;
    options.threads = 2;
    return options;
  }

  bool simulate(SweptSearch& search, const std::string& name, std::function<bool()> stop = {}) {
    SweepWishes wishes;
    wishes.threads = 2;
    wishes.stop = std::move(stop);
    return simulate_search(
        search, {store(name), file, "", {}, load_, wishes, [this](const SweepProgress& now, std::size_t) {
                   simulated_ = std::max(simulated_, now.simulated);
                 }});
  }
  std::string store(const std::string& name) const { return (folder_.path() / (name + ".sqlite")).string(); }

  const TemporaryFolder folder_;
  const FileLoader load_ = InputLog();
  std::size_t simulated_ = 0;  // most in a round
};

TEST_F(SearchOfSweep, FindsWhatSimulatingEverythingFindsSlow) {
  const InputNode document = parse_yaml(fabrics + over_fabrics, file);
  SearchOptions all = options(3);
  all.exhaustive = true;
  all.space.kept.set(static_cast<std::size_t>(LayoutChoice::recompute));
  all.space.kept.set(static_cast<std::size_t>(LayoutChoice::micro));
  SearchOptions some = all;
  some.exhaustive = false;
  SweptSearch exhaustive(document, file, load_, all), search(document, file, load_, some);
  for (SweptSearch* one : {&exhaustive, &search}) one->estimate();
  ASSERT_TRUE(simulate(exhaustive, "all"));
  ASSERT_TRUE(simulate(search, "some"));
  EXPECT_EQ(search.starts(), 4u);
  EXPECT_GT(exhaustive.count(LayoutVerdict::simulated), 200u);
  EXPECT_LE(search.count(LayoutVerdict::simulated), 6u);
  for (std::size_t i = 0; i < 3; ++i) {
    EXPECT_EQ(search.ranked()[i].found->step, exhaustive.ranked()[i].found->step);
    EXPECT_EQ(search.ranked()[i].start, exhaustive.ranked()[i].start);
    EXPECT_EQ(search.ranked()[i].found->layout, exhaustive.ranked()[i].found->layout);
  }
}

TEST_F(SearchOfSweep, KeepsRunsInTheOrderOfTheirRanks) {
  SweptSearch search(parse_yaml(fabrics + over_fabrics, file), file, load_, options(2));
  search.estimate();
  ASSERT_TRUE(simulate(search, "a"));
  StoredStudy study(store("a"));
  const TypedTable rows =
      study.table({*study.find("step_us"), *study.find("workload.parallelism.tensor")}, {});
  ASSERT_EQ(rows.rows, search.count(LayoutVerdict::simulated));
  EXPECT_TRUE(std::ranges::is_sorted(rows.columns[0].reals));
  EXPECT_DOUBLE_EQ(rows.columns[0].reals[0], search.ranked()[0].found->step.count() * 1e6);
  EXPECT_EQ(rows.columns[1].integers[0],
            static_cast<std::int64_t>(search.ranked()[0].found->layout.plan.tensor));
}

TEST_F(SearchOfSweep, GoesOnWhereItWasStopped) {
  const InputNode document = parse_yaml(fabrics + over_fabrics, file);
  SweptSearch stopped(document, file, load_, options(3)), again(document, file, load_, options(3)),
      undisturbed(document, file, load_, options(3));
  for (SweptSearch* one : {&stopped, &again, &undisturbed}) one->estimate();
  EXPECT_FALSE(simulate(stopped, "a", [this] { return simulated_ > 0; }));
  ASSERT_TRUE(simulate(undisturbed, "b"));
  simulated_ = 0;
  ASSERT_TRUE(simulate(again, "a"));
  EXPECT_LT(simulated_, 3u);
  EXPECT_EQ(swept_report(again), swept_report(undisturbed));
  EXPECT_EQ(swept_csv(again), swept_csv(undisturbed));
}

TEST_F(SearchOfSweep, SaysTheBestOfEachPoint) {
  SweptSearch search(parse_yaml(fabrics + over_fabrics, file), file, load_, options(1));
  search.estimate();
  ASSERT_TRUE(simulate(search, "a"));
  const std::string report = swept_report(search);
  EXPECT_NE(report.find("The best of 4 points is network=tree_bandwidth=50GBps, with "), std::string::npos)
      << report;
  EXPECT_NE(report.find("\n   3 network=tree-4-to-1_bandwidth=12.5GBps: "), std::string::npos) << report;
  EXPECT_NE(report.find(" (estimate) with "), std::string::npos) << report;
  const nlohmann::ordered_json json = swept_to_json(search);
  EXPECT_EQ(json["points"].size(), 4u);
  EXPECT_EQ(json["best"][0]["point"], "network=tree_bandwidth=50GBps");
}

TEST_F(SearchOfSweep, TakesPlatformsWithoutANetwork) {
  const std::string text = R"(
platform: dgx-h100
workload: { model: gpt3-125m, batch: { global: 16, micro: 1 }, parallelism: { data: 16 } }
sweep: { grid: { platform.between.bandwidth: [25 GB/s, 50 GB/s] } }
)";
  SweptSearch search(parse_yaml(text, file), file, load_, options(2));
  search.estimate();
  ASSERT_TRUE(simulate(search, "a"));
  EXPECT_EQ(search.name_of(search.ranked()[0].start), "bandwidth=50GBps");
  for (std::size_t i = 0; i < 2; ++i)
    EXPECT_NEAR(search.ranked()[i].found->step.count(), search.ranked()[i].found->estimate.count(), 1e-9);
}

std::string error_of(const std::string& sweep) {
  try {
    const SweptSearch search(parse_yaml(fabrics + sweep, file), file, InputLog(), {});
  } catch (const InputError& error) {
    return error.what();
  }
  return "no error";
}

TEST(SearchOfSweepErrors, NameWhatTheSearchChooses) {
  EXPECT_EQ(error_of("sweep: { grid: { workload.parallelism.tensor: [1, 2] } }"),
            "fabrics.yaml:16:18: error: `workload.parallelism.tensor` is what a search chooses; leave it "
            "out, or keep "
            "the value of the file with --keep");
  EXPECT_EQ(error_of("sweep: { grid: { workload: [a, b] } }"),
            "fabrics.yaml:16:18: error: a search varies layouts in the keys of `workload`; vary its keys in "
            "place of "
            "the whole");
}

}  // namespace
}  // namespace orrery::core::test::swept_search_test
