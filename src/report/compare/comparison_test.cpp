#include "report/compare/comparison.hpp"

#include <gtest/gtest.h>

namespace orrery::core::comparison_test {
namespace {

constexpr Time us(std::int64_t count) {
  return Time::from_ns(count * 1000);
}

Summary run(const std::string& name, std::int64_t compute, std::int64_t exposed) {
  Summary summary;
  summary.name = name;
  summary.dialect = "native";
  summary.npus = 16;
  summary.iterations = 1;
  summary.total = summary.rank_0_total = us(compute + exposed);
  summary.time.compute = us(compute);
  summary.time.exposed = us(exposed);
  summary.layers = {{"conv", us(compute), us(exposed), us(exposed)}};
  summary.dimensions = {{"near", "ring of 4", Bytes(1 << 20), 0.25}, {"far", "switch of 4", {}, 0.5}};
  return summary;
}

bool contains(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

std::string comparison_report(const std::vector<Summary>& runs, bool unicode) {
  ComparisonReport report;
  for (const Summary& run : runs) report.add(run);
  return report.text(unicode);
}

TEST(ComparisonReport, DrawsAQuarterOfWaiting) {
  const std::string report = comparison_report({run("a", 75, 25)}, false);
  EXPECT_TRUE(contains(report, "75.00 us  25.00 us  25.0%  " + std::string(12, '#') + std::string(4, '-')))
      << report;
  const std::string unicode = comparison_report({run("a", 75, 25)}, true);
  EXPECT_TRUE(contains(unicode, "█░░░░\n")) << unicode;
  EXPECT_FALSE(contains(unicode, "#"));
}

// In the mean, NPUs are done after half the run: a quarter of computing, a quarter of waiting.
TEST(ComparisonReport, SaysForHowLongNpusAreIdle) {
  Summary summary = run("a", 50, 50);
  summary.total = us(200);
  summary.time.idle = us(100);
  summary.last_rank = RankId(7);
  const std::string runs = comparison_report({summary}, false);
  EXPECT_TRUE(contains(runs, "50.00 us 50.00 us 100.0 us 25.0% ####----")) << runs;
  const std::string report = run_report(summary, false);
  EXPECT_TRUE(contains(report, "total                   200.0 us\n")) << report;
  EXPECT_TRUE(contains(report, "idle                    100.0 us  50.0% of the total; NPU 7 ends last\n"))
      << report;
}

TEST(ComparisonReport, SaysThatAFailureHelpsByLuck) {
  std::vector<Summary> runs{run("whole", 75, 25), run("broken", 75, 24), run("other", 75, 20)};
  runs[0].varied = {{"network", "ring"}, {"failures.node", ""}};
  runs[1].varied = {{"network", "ring"}, {"failures.node", "spine0"}};
  runs[2].varied = {{"network", "switch"}, {"failures.node", "spine0"}};
  EXPECT_TRUE(contains(comparison_report(runs, false), "broken ends 1% sooner than whole, although"));
  runs[1].hashes = HashSpread{8, us(99), us(98), us(101)};
  const std::string several = comparison_report(runs, false);
  EXPECT_FALSE(contains(several, "sooner than")) << several;
  EXPECT_TRUE(contains(several, "seeds")) << several;
  runs[1] = run("broken", 75, 26);
  runs[1].varied = {{"network", "ring"}, {"failures.node", "spine0"}};
  EXPECT_FALSE(contains(comparison_report(runs, false), "sooner than"));
}

TEST(ComparisonReport, ExplainsTheFasterRun) {
  const std::string report = comparison_report({run("slow", 75, 25), run("fast", 45, 5)}, false);
  EXPECT_TRUE(contains(report,
                       "fast is 2.00 times as fast as slow: 30.00 us less compute, 20.00 us less exposed\n"
                       "  communication.\n"))
      << report;
  EXPECT_TRUE(contains(report, "slow waits most for conv (25.00 us); its far is busy 50% of the time\n"))
      << report;
}

TEST(ComparisonReport, LeavesOutDifferencesOfRounding) {
  Summary rounded = run("fast", 75, 5);
  rounded.time.compute += Time::from_ps(240);
  const std::string report = comparison_report({run("slow", 75, 25), rounded}, false);
  EXPECT_TRUE(contains(report, "nearly as much compute, 20.00 us less")) << report;
}

TEST(ComparisonReport, SaysWhereTheFasterRunIsWorseOrEqual) {
  EXPECT_TRUE(contains(comparison_report({run("slow", 90, 10), run("fast", 30, 20)}, false),
                       "60.00 us less compute, 10.00 us more exposed\n  communication"));
  EXPECT_TRUE(contains(comparison_report({run("slow", 40, 60), run("fast", 40, 10)}, false),
                       "as much compute, 50.00 us less exposed\n  communication"));
}

TEST(ComparisonReport, ComparesOnlyRunsOfTheSameWorkAndIterations) {
  Summary other = run("other", 10, 10);
  other.work = "another model";
  Summary longer = run("longer", 10, 10);
  longer.iterations = 2;
  const std::string report = comparison_report({run("a", 75, 25), other, longer}, false);
  EXPECT_FALSE(contains(report, "times as fast")) << report;
  const std::string pairs = comparison_report({run("a", 75, 25), other, run("b", 50, 10)}, false);
  EXPECT_TRUE(contains(pairs, "b is 1.67 times as fast as a")) << pairs;
}

TEST(ComparisonReport, TellsWhatRunsDifferIn) {
  std::vector<Summary> runs{run("a", 75, 25), run("b", 45, 5)};
  runs[0].varied = {{"network", "ring"}, {"passes", "1"}};
  runs[1].varied = {{"network", "switch"}, {"passes", "2"}};
  const std::string report = comparison_report(runs, false);
  EXPECT_TRUE(contains(report, "run  network  passes  NPUs ")) << report;
  EXPECT_TRUE(contains(report, "b    switch   2         16 ")) << report;
}

TEST(ComparisonReport, SurvivesRunsOfNoTime) {
  EXPECT_FALSE(contains(comparison_report({run("a", 0, 0), run("b", 1, 0)}, false), "times as fast"));
  const std::string titles = comparison_report({}, false);
  EXPECT_TRUE(titles.starts_with("run  NPUs  step  ") &&
              titles.find_first_of("0123456789") == std::string::npos)
      << titles;
}

TEST(RunReport, ShowsHowBusyEachDimensionIs) {
  const std::string report = run_report(run("a", 75, 25), false);
  EXPECT_TRUE(contains(report, "near")) << report;
  EXPECT_TRUE(contains(report, "25.0%  busy, 1.000 MiB sent per NPU\n")) << report;
}

TEST(RunReport, FitsInAScreen) {
  const std::string report = run_report(run("a", 75, 25), false);
  EXPECT_EQ(report.rfind("a: 16 NPUs (ring of 4 x switch of 4), native dialect, 1 iteration\n", 0), 0u)
      << report;
  EXPECT_TRUE(contains(report, "25.00 us  25.0% of the total")) << report;
  EXPECT_TRUE(contains(report, "25.00 us  exposed; its communication takes 25.00 us")) << report;
  EXPECT_FALSE(contains(run_report(run("a", 75, 0), false), "layers that wait"));
}

TEST(RunReport, SaysNothingOfANetworkThatIsNotKnown) {
  Summary summary = run("a", 75, 25);
  summary.dimensions.clear();
  EXPECT_TRUE(run_report(summary, false).starts_with("a: 16 NPUs, native dialect, 1 iteration\n"));
}

TEST(RunReport, NamesTheBusiestLinks) {
  Summary summary = run("a", 75, 25);
  EXPECT_FALSE(contains(run_report(summary, false), "busiest link"));
  summary.busiest_links = {{"npu3", "switch16", "far", 1, 1.0}, {"npu0", "npu1", "near", 16, 0.5}};
  EXPECT_TRUE(contains(run_report(summary, false), "100.0%  used, npu3 to switch16 of far\n"));
  EXPECT_FALSE(contains(run_report(summary, false), "more than it can carry"));
  summary.busiest_links[0] = {"npu0", "npu1", "near", 16, 1.5};
  const std::string report = run_report(summary, false);
  EXPECT_TRUE(contains(report, "150.0%  used, npu0 to npu1 of near and 15 like it\n")) << report;
  EXPECT_TRUE(contains(report, "more than it can carry: messages meet there")) << report;
}

TEST(ComparisonReport, SaysWhereLinksCarryMoreThanTheyCan) {
  std::vector<Summary> runs{run("a", 75, 25), run("b", 45, 5), run("c", 45, 5)};
  EXPECT_FALSE(contains(comparison_report(runs, false), "than these can carry"));
  runs[0].busiest_links = {{"npu0", "npu1", "near", 16, 1.5}};
  runs[1].busiest_links = {{"npu0", "npu1", "far", 16, 2.5}};
  runs[2].busiest_links = {{"npu0", "npu1", "far", 16, 1.0}};
  const std::string report = comparison_report(runs, false);
  EXPECT_TRUE(contains(
      report, "\n2 of 3 runs send more over links than these can carry, b most, 250% over far:\n  messages"))
      << report;
}

Summary failed(const std::string& name, const std::string& error) {
  Summary summary;
  summary.name = name;
  summary.error = error;
  return summary;
}

TEST(ComparisonReport, SaysInShortWhyARunFailedAndComparesTheOthers) {
  const std::string report =
      comparison_report({failed("a", "x.yaml:2:3: error: no ring, choose one"), run("slow", 75, 25),
                         failed("b", "error: cannot go on:\n  rank 0 waits"), run("fast", 45, 5)},
                        false);
  EXPECT_TRUE(contains(report, "\na failed: no ring, choose one\n")) << report;
  EXPECT_TRUE(contains(report, "\nb failed: cannot go on\n")) << report;
  EXPECT_TRUE(contains(report, "fast is 2.00 times as fast as slow")) << report;
}

TEST(ComparisonReport, CutsALongReasonBetweenCharacters) {
  const std::string fills(70, 'x'), cut(66, 'x');  // a line of 80 characters begins with "a failed: "
  EXPECT_TRUE(contains(comparison_report({failed("a", fills)}, false), "a failed: " + fills + "\n"));
  EXPECT_TRUE(contains(comparison_report({failed("a", fills + "y")}, false), "xxx...\n"));
  EXPECT_TRUE(contains(comparison_report({failed("a", cut + "\u00e4zzzz")}, false), cut + "...\n"));
}

}  // namespace
}  // namespace orrery::core::comparison_test
