// Tests what experiments leave in their folder: nothing from earlier runs, nothing half done, and nothing
// written over.
#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/file.h>
#include <unistd.h>

#include <fmt/format.h>

#include <filesystem>
#include <nlohmann/json.hpp>

#include "base/files/file.hpp"
#include "support/cases.hpp"

namespace orrery::core::test::results_folder_test {
namespace {

namespace fs = std::filesystem;

class ResultsFolder : public testing::Test {
 protected:
  void SetUp() override { fs::current_path(scratch_.path()); }
  void TearDown() override { fs::current_path(before_); }

  static std::string experiment(const std::string& name, int runs, const std::string& more = "") {
    std::string text = fmt::format(R"(
name: {}
network: [ {{ topology: ring, size: 3, links: 2, bandwidth: 10 GB/s, latency: 100 ns }} ]
systems: {{ halving: {{ collectives: {{ all-reduce: halving-doubling }} }} }}
workload:
  layers: [ {{ name: a, weight-gradient: {{ compute: 10 us, collective: all-reduce, size: 1 MB }} }} ]
{}
runs:
)",
                                   name, more);
    for (int i = 0; i < runs; ++i) text += fmt::format("  - {{ name: r{}, passes: {} }}\n", i, 1 + i % 3);
    return text;
  }
  static int lines_of(const std::string& file) {
    const std::string text = read_file_of_any_kind(file);
    return static_cast<int>(std::count(text.begin(), text.end(), '\n'));
  }

 private:
  TemporaryFolder scratch_;
  fs::path before_ = fs::current_path();
};

TEST_F(ResultsFolder, TwoExperimentsOfOneNameAreRefused) {
  write_file_atomically("a.yaml", experiment("same", 1));
  write_file_atomically("b.yaml", experiment("same", 1));
  const Outcome outcome = run_orrery({"a.yaml", "b.yaml"});
  EXPECT_EQ(outcome.exit_code, 2);
  EXPECT_TRUE(outcome.error.starts_with("b.yaml:2:7: error: there are two experiments `same`"))
      << outcome.error;
  EXPECT_FALSE(fs::exists("results"));
}

TEST_F(ResultsFolder, ThatAnotherProcessWritesToIsRefused) {
  write_file_atomically("a.yaml", experiment("a", 1));
  fs::create_directories("results/a");
  const int other = ::open("results/a", O_RDONLY | O_DIRECTORY);
  ASSERT_EQ(::flock(other, LOCK_EX | LOCK_NB), 0);
  const Outcome refused = run_orrery({"a.yaml"});
  EXPECT_EQ(refused.exit_code, 2);
  EXPECT_TRUE(refused.error.find("results/a: error: another process is writing") != std::string::npos)
      << refused.error;
  EXPECT_TRUE(fs::is_empty("results/a"));
  ::close(other);
  EXPECT_EQ(run_orrery({"a.yaml"}).exit_code, 0);
  EXPECT_EQ(run_orrery({"a.yaml"}).exit_code, 0) << "the lock goes with the run";
}

TEST_F(ResultsFolder, HoldsNoSummaryOfAnEarlierRunWhenAllFail) {
  write_file_atomically("a.yaml", experiment("a", 2));
  ASSERT_EQ(run_orrery({"a.yaml"}).exit_code, 0);
  ASSERT_TRUE(fs::exists("results/a/r1/EndToEnd.csv"));
  EXPECT_EQ(run_orrery({"a.yaml", "--set", "system=halving"}).exit_code, 2);
  EXPECT_EQ(files_below("results/a"), std::vector<std::string>()) << "halving-doubling cannot run on three";
}

TEST_F(ResultsFolder, LosesTemporaryFilesOfKilledProcesses) {
  write_file_atomically("a.yaml", experiment("a", 1));
  fs::create_directories("results/a/r0");
  const char* const ours[] = {"results/a/.orrery-123.tmp", "results/a/r0/.orrery-77.tmp"};
  const char* const others[] = {"results/a/.orrery-x.tmp", "results/a/notes.tmp"};
  for (const char* name : ours) write_file_atomically(name, "half of a");
  for (const char* name : others) write_file_atomically(name, "mine");
  ASSERT_EQ(run_orrery({"a.yaml"}).exit_code, 0);
  for (const char* name : ours) EXPECT_FALSE(fs::exists(name)) << name;
  for (const char* name : others) EXPECT_TRUE(fs::exists(name)) << name;
}

TEST_F(ResultsFolder, ManyRunsWriteTheirTablesAlone) {
  write_file_atomically("a.yaml", experiment("a", 101));
  const Outcome outcome = run_orrery({"a.yaml"});
  ASSERT_EQ(outcome.exit_code, 0) << outcome.error;
  EXPECT_NE(outcome.output.find("reports of none of 101 runs; --reports=all"), std::string::npos);
  EXPECT_EQ(files_below("results/a"), (std::vector<std::string>{"layers.csv", "runs.csv", "summary.json"}));
  EXPECT_EQ(lines_of("results/a/runs.csv"), 102);
  EXPECT_EQ(nlohmann::json::parse(read_file_of_any_kind("results/a/summary.json"))["runs"].size(), 101u);
  write_file_atomically("b.yaml", experiment("b", 100));
  ASSERT_EQ(run_orrery({"b.yaml"}).exit_code, 0);
  EXPECT_TRUE(fs::exists("results/b/r99/EndToEnd.csv"));
}

TEST_F(ResultsFolder, ReportsOfSingleRunsAreWrittenOnRequest) {
  write_file_atomically("a.yaml", experiment("a", 101, "reports: [r7]"));
  ASSERT_EQ(run_orrery({"a.yaml"}).exit_code, 0);
  EXPECT_TRUE(fs::exists("results/a/r7/EndToEnd.csv"));
  EXPECT_FALSE(fs::exists("results/a/r8"));
  ASSERT_EQ(run_orrery({"a.yaml", "--reports=r8,r9"}).exit_code, 0);
  EXPECT_FALSE(fs::exists("results/a/r7")) << "what the run before has left";
  EXPECT_TRUE(fs::exists("results/a/r8/EndToEnd.csv") && fs::exists("results/a/r9/EndToEnd.csv"));
  ASSERT_EQ(run_orrery({"a.yaml", "--reports=all"}).exit_code, 0);
  EXPECT_TRUE(fs::exists("results/a/r100/EndToEnd.csv"));
  ASSERT_EQ(run_orrery({"a.yaml", "--reports", "none", "--set", "runs=[{name: x}]"}).exit_code, 2)
      << "the file asks for reports of a run that is gone";
}

}  // namespace
}  // namespace orrery::core::test::results_folder_test
