// The files that a run of execution traces leaves with --path.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <sstream>
#include <string>
#include <vector>

#include "base/files/file.hpp"
#include "support/cases.hpp"
#include "support/source_dir.hpp"

namespace orrery::core::test::trace_tables_test {
namespace {

namespace fs = std::filesystem;

class TraceTables : public testing::Test {
 protected:
  // Runs a golden case in a scratch folder, with the results beside its inputs.
  Outcome run(const std::string& name, const Flags& more = {}, const std::string& command = "run") {
    const fs::path golden = fs::path(test::source_dir()) / "tests/golden/chakra" / name;
    for (const auto& entry : fs::directory_iterator(golden))
      if (entry.is_regular_file()) fs::copy(entry.path(), scratch.path() / entry.path().filename());
    Flags flags{command, "--json", "--path=./"};
    flags.insert(flags.end(), more.begin(), more.end());
    for (const Flags& line : flags_of_case(scratch.path()))
      flags.insert(flags.end(), line.begin(), line.end());
    const fs::path before = fs::current_path();
    fs::current_path(scratch.path());
    Outcome outcome = call_orrery(flags);
    fs::current_path(before);
    return outcome;
  }
  // Cells of column `title`.
  std::vector<std::string> column(const std::string& file, const std::string& title) const {
    std::istringstream lines(read_file_of_any_kind((scratch.path() / file).string()));
    std::vector<std::string> cells;
    std::size_t place = 0;
    bool found = false;
    for (std::string line; std::getline(lines, line);) {
      std::vector<std::string> words;
      std::istringstream in(line);
      for (std::string word; std::getline(in, word, ',');) words.push_back(word);
      if (!found) {
        place = static_cast<std::size_t>(std::find(words.begin(), words.end(), title) - words.begin());
        if (place == words.size()) return {};
        found = true;
        continue;
      }
      cells.push_back(words.at(place));
    }
    return cells;
  }

  TemporaryFolder scratch;
};

TEST_F(TraceTables, NamePeakMemoryWhereItIsTracked) {
  const Outcome outcome = run("c31_track_local_mem");
  ASSERT_EQ(outcome.exit_code, 0) << outcome.error;
  const auto json = nlohmann::json::parse(outcome.output);
  const std::vector<std::string> peaks = column("ranks.csv", "peak_memory_bytes");
  ASSERT_EQ(peaks.size(), json["npus"]);
  for (std::size_t rank = 0; rank < peaks.size(); ++rank) {
    EXPECT_GT(std::stoull(peaks[rank]), 0u);
    EXPECT_EQ(json["ranks"][rank]["peak_memory_bytes"], std::stoull(peaks[rank]));
  }
  EXPECT_EQ(nlohmann::json::parse(read_file_of_any_kind((scratch.path() / "summary.json").string())), json);
}

// In every golden case the path goes from the beginning of the run to its end without gaps.
TEST_F(TraceTables, HaveCriticalPathsThatAddUp) {
  std::vector<std::string> names;
  for (const auto& entry : fs::directory_iterator(fs::path(test::source_dir()) / "tests/golden/chakra"))
    names.push_back(entry.path().filename().string());
  std::ranges::sort(names);
  EXPECT_EQ(names.size(), 32u);
  for (const std::string& name : names) {
    SCOPED_TRACE(name);
    for (const auto& entry : fs::directory_iterator(scratch.path())) fs::remove_all(entry.path());
    ASSERT_EQ(run(name, {"--explain"}).exit_code, 0);
    const std::vector<std::string> starts = column("critical-path.csv", "start_us");
    const std::vector<std::string> ends = column("critical-path.csv", "end_us");
    ASSERT_FALSE(starts.empty());
    EXPECT_EQ(std::stod(starts[0]), 0);
    for (std::size_t step = 1; step < starts.size(); ++step) ASSERT_EQ(starts[step], ends[step - 1]);
    double last = 0;
    for (const std::string& finish : column("ranks.csv", "finish_ns"))
      last = std::max(last, std::stod(finish));
    EXPECT_NEAR(std::stod(ends.back()) * 1000, last, 1e-6 * last);
    EXPECT_FALSE(column("blame.csv", "share").empty());
  }
}

TEST_F(TraceTables, AreExplainedByACommandOfItsOwn) {
  const Outcome explained = run("c12_pipeline_p2p", {}, "explain");
  ASSERT_EQ(explained.exit_code, 0) << explained.error;
  const auto json = nlohmann::json::parse(explained.output);
  EXPECT_GT(json["runs"][0]["critical_path_us"], 0);
  EXPECT_FALSE(json["runs"][0]["shares"].empty());
  ASSERT_EQ(json["files"].size(), 2u);
  const auto text_of = [&](const char* file) {
    return read_file_of_any_kind((scratch.path() / file).string());
  };
  const std::string path = text_of("critical-path.csv"), shares = text_of("blame.csv");
  for (const auto& entry : fs::directory_iterator(scratch.path())) fs::remove_all(entry.path());
  ASSERT_EQ(run("c12_pipeline_p2p", {"--explain"}).exit_code, 0);
  EXPECT_EQ(text_of("critical-path.csv"), path);
  EXPECT_EQ(text_of("blame.csv"), shares);
}

TEST_F(TraceTables, SayWhatReadingTheInputsWarnedOf) {
  const Outcome outcome = run("c12_pipeline_p2p");
  ASSERT_EQ(outcome.exit_code, 0) << outcome.error;
  ASSERT_NE(outcome.error.find("`boost-mode` has no effect"), std::string::npos) << outcome.error;
  const auto warnings = nlohmann::json::parse(outcome.output)["origin"]["warnings"];
  ASSERT_EQ(warnings.size(), 1u);
  EXPECT_NE(outcome.error.find(warnings[0].get<std::string>()), std::string::npos);
}

TEST_F(TraceTables, LackItWhereItIsNot) {
  const Outcome outcome = run("c12_pipeline_p2p");
  ASSERT_EQ(outcome.exit_code, 0) << outcome.error;
  EXPECT_TRUE(column("ranks.csv", "peak_memory_bytes").empty());
  EXPECT_FALSE(nlohmann::json::parse(outcome.output)["ranks"][0].contains("peak_memory_bytes"));
  EXPECT_FALSE(column("ranks.csv", "finish_ns").empty());
}

}  // namespace
}  // namespace orrery::core::test::trace_tables_test
