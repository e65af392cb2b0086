// Critical paths that can be told beforehand.
#include "report/critical_path/critical_path.hpp"

#include <gtest/gtest.h>

#include <map>

#include "study/experiment/experiment.hpp"
#include "study/run/run.hpp"

namespace orrery::core::test::known_paths_test {
namespace {

std::vector<PathStep> path_of(const std::string& text) {
  Warnings warnings;
  Experiment experiment = read_experiment(text, "x.yaml", {}, warnings, InputLog());
  RunSpec spec = experiment.runs.at(0);
  spec.every_class = true;
  const RunResult result = carry_out(spec, warnings);
  return critical_path(result.program, result.recording);
}

// Returns how long each rank is on the path in steps of a kind.
std::map<std::uint32_t, double> us_by_rank(const std::vector<PathStep>& path, PathKind kind) {
  std::map<std::uint32_t, double> us;
  for (const PathStep& step : path)
    if (step.kind == kind) us[step.rank.value()] += (step.interval.end - step.interval.start).us();
  return us;
}

constexpr const char* two_layers = R"(
network:
  - { topology: ring, size: 4, bandwidth: 1 GB/s, latency: 1 us }
workload:
  layers:
    - { name: a, weight-gradient: { compute: 10 us, collective: all-reduce, size: 4 KB } }
    - { name: b, weight-gradient: { compute: 20 us, collective: all-reduce, size: 4 KB } }
)";

// All others wait for this rank in the last collective.
TEST(KnownPaths, PassThroughTheRankThatIsLate) {
  const auto path = path_of(std::string(two_layers) + "stragglers: [ { ranks: [2], slowdown: 3 } ]\n");
  const std::map<std::uint32_t, double> expected{{2, 90.0}};
  EXPECT_EQ(us_by_rank(path, PathKind::compute), expected);
  EXPECT_EQ(path.back().kind, PathKind::collective);
}

// The path goes through the first micro-batch's forward pass to the second stage, stays there until all
// gradients have been computed, and comes back for those of the last micro-batch.
TEST(KnownPaths, FillAndDrainPipelines) {
  const auto path = path_of(R"(
network:
  - { topology: ring, size: 2, bandwidth: 100 GB/s, latency: 1 us }
workload:
  pipeline: { micro-batches: 4, schedule: gpipe }
  layers:
    - { name: a, output: 1 KB, forward: { compute: 10 us }, input-gradient: { compute: 10 us }, weight-gradient: { compute: 10 us } }
    - { name: b, output: 1 KB, forward: { compute: 10 us }, input-gradient: { compute: 10 us }, weight-gradient: { compute: 10 us } }
)");
  double us = 0;
  for (const auto& [rank, of_rank] : us_by_rank(path, PathKind::compute)) us += of_rank;
  EXPECT_NEAR(us, 10 * (1 + 4) + 20 * 4 + 10, 1e-6);
  EXPECT_EQ(us_by_rank(path, PathKind::message).size(), 2u);  // there and back
  EXPECT_EQ(path.front().rank, RankId(0));
  EXPECT_EQ(path.back().rank, RankId(0));
}

}  // namespace
}  // namespace orrery::core::test::known_paths_test
