// An experiment of many runs gives the same on any number of threads, and survives runs that fail.
#include <gtest/gtest.h>

#include <fmt/format.h>

#include <map>
#include <nlohmann/json.hpp>

#include "base/files/file.hpp"
#include "support/cases.hpp"

namespace orrery::core::test::many_runs_test {
namespace {

namespace fs = std::filesystem;

constexpr int runs = 40;
bool fails(int run) {
  return run % 10 == 3;
}

// Every tenth run asks for halving-doubling on three NPUs. Every ring of three leaves a link idle, which
// gives a warning.
std::string experiment() {
  std::string text = R"(
name: many
networks:
  three: [ { topology: ring, size: 3, links: 3, bandwidth: 10 GB/s, latency: 100 ns } ]
  four: [ { topology: ring, size: 4, bandwidth: 10 GB/s, latency: 100 ns } ]
systems: { halving: { collectives: { all-reduce: halving-doubling } } }
workload:
  layers:
    - { name: a, weight-gradient: { compute: 10 us, collective: all-reduce, size: 1 MB } }
    - { name: b, weight-gradient: { compute: 20 us, collective: all-reduce, size: 2 MB } }
runs:
)";
  for (int i = 0; i < runs; ++i) {
    text += fmt::format("  - {{ name: r{}, passes: {}, network: {}{} }}\n", i, 1 + (runs - i) / 8,
                        i % 2 == 0 ? "four" : "three", fails(i) ? ", system: halving" : "");
  }
  return text;
}

struct Everything {
  Outcome outcome;
  std::map<std::string, std::string> files;
};

Everything run_on(int threads) {
  const TemporaryFolder scratch;
  const fs::path start = fs::current_path();
  fs::current_path(scratch.path());
  write_file_atomically("many.yaml", experiment());
  Everything result{run_orrery({"many.yaml", fmt::format("--threads={}", threads)}), {}};
  for (const std::string& name : files_below(scratch.path()))
    result.files[name] = read_file_of_any_kind(name);
  std::string& summary = result.files.at("results/many/summary.json");
  summary = without_origin(summary);  // which has the number of threads in the command line
  fs::current_path(start);
  return result;
}

int count(const std::string& text, const std::string& part) {
  int found = 0;
  for (auto at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) ++found;
  return found;
}

TEST(ManyRuns, AreTheSameOnAnyNumberOfThreads) {
  const Everything one = run_on(1);
  for (const int threads : {2, 7}) {
    const Everything several = run_on(threads);
    EXPECT_EQ(several.outcome.output, one.outcome.output);
    EXPECT_EQ(several.outcome.error, one.outcome.error);
    EXPECT_EQ(several.outcome.exit_code, one.outcome.exit_code);
    EXPECT_EQ(several.files, one.files);
  }
}

TEST(ManyRuns, SurviveThoseThatFailThread) {
  const Everything all = run_on(4);
  EXPECT_EQ(all.outcome.exit_code, 2);
  EXPECT_EQ(count(all.outcome.error, "warning: "), 1);
  EXPECT_EQ(count(all.outcome.error, "error: "), 4);
  const nlohmann::json summary = nlohmann::json::parse(all.files.at("results/many/summary.json"));
  ASSERT_EQ(summary["runs"].size(), static_cast<std::size_t>(runs));
  for (int i = 0; i < runs; ++i) {
    const nlohmann::json& run = summary["runs"][static_cast<std::size_t>(i)];
    EXPECT_EQ(run["name"], fmt::format("r{}", i));
    EXPECT_EQ(run.contains("error"), fails(i));
    EXPECT_EQ(run.contains("total_us"), !fails(i));
    EXPECT_EQ(all.files.contains(fmt::format("results/many/r{}/EndToEnd.csv", i)), !fails(i));
  }
}

// Chunks end phases in the same instant in these runs. Which of them is first follows from when their last
// messages were sent, so that no run has to start over with every message.
TEST(ManyRuns, ASweepIsFoldedThroughAllOfIt) {
  const TemporaryFolder scratch;
  const std::string file = (scratch.path() / "sweep.yaml").string();
  write_file_atomically(file, R"(
dialect: astra-sim-1.0
network:
  - { name: x, topology: ring, size: 16, links: 2, bandwidth: 62 GiB/s, latency: 500 ns }
  - { name: y, topology: ring, size: 16, links: 2, bandwidth: 62 GiB/s, latency: 500 ns }
system: { collectives: { all-reduce: ring }, chunks: 4, endpoint-delay: 10 ns }
workload: { model: vgg16, peak: 46 TiFLOP/s, batch: 1 }
runs:
  - { name: one, compute-scale: 1.0837 }
  - { name: two, compute-scale: 1.0900 }
  - { name: three, compute-scale: 1.1000 }
)");
  const auto runs_csv = [&](const std::string& fold) {
    const std::string folder = (scratch.path() / fold).string();
    const Outcome outcome = run_orrery({file, "--fold=" + fold, "--explain", "--output=" + folder});
    EXPECT_EQ(outcome.exit_code, 0) << outcome.error;
    EXPECT_EQ(outcome.output.find("not folded") == std::string::npos, fold == "auto") << outcome.output;
    return read_file_of_any_kind(folder + "/sweep/runs.csv");
  };
  EXPECT_EQ(runs_csv("auto"), runs_csv("off"));
}

}  // namespace
}  // namespace orrery::core::test::many_runs_test
