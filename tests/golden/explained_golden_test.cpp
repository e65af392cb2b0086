// The critical path of every run by the flags of ASTRA-sim 1.0 leads from the beginning to its end.
#include <gtest/gtest.h>

#include <algorithm>

#include "base/files/file.hpp"
#include "support/cases.hpp"
#include "support/csv_table.hpp"
#include "support/source_dir.hpp"

namespace orrery::core::test::explained_golden_test {
namespace {

namespace fs = std::filesystem;

const fs::path golden = fs::path(test::source_dir()) / "tests/golden";

std::vector<std::string> all_cases() {
  std::vector<std::string> cases;
  for (const char* kind : {"workload", "system", "network"})
    for (const auto& entry : fs::directory_iterator(golden / kind))
      cases.push_back(std::string(kind) + "/" + entry.path().filename().string());
  std::sort(cases.begin(), cases.end());
  return cases;
}

// Returns the value of a flag that is given as --name=value.
std::string value_of_flag(const Flags& flags, const std::string& name, const std::string& otherwise) {
  for (const std::string& flag : flags)
    if (flag.rfind("--" + name + "=", 0) == 0) return flag.substr(name.size() + 3);
  return otherwise;
}

bool expects_failure(const fs::path& folder) {
  const fs::path file = folder / "expected/exit_code.txt";
  return fs::exists(file) &&
         read_file_of_any_kind(file.string()).find_first_of("123456789") != std::string::npos;
}

// Returns what ASTRA-sim 1.0 says that a run takes.
std::string published_us(const fs::path& folder, const std::string& run, std::size_t row) {
  const auto runs = read_csv((folder / "expected/tutorial_result.csv").string());
  for (std::size_t i = row; i < runs.size(); ++i)
    if (runs[i].text("Name") == run) return runs[i].text("TotalTime(us)");
  return {};
}

// Returns where the path leads that is in the file.
std::string end_of_path(const std::string& file) {
  std::string end = "0";
  for (const CsvRow& step : read_csv(file)) {
    EXPECT_EQ(step.text("start_us"), end) << file;
    end = step.text("end_us");
  }
  return end;
}

class ExplainedGolden : public testing::TestWithParam<std::string> {};

TEST_P(ExplainedGolden, HasAPathWithoutGapsToItsEnd) {
  const fs::path source = golden / GetParam();
  const TemporaryFolder scratch;
  for (const auto& entry : fs::directory_iterator(source))
    if (entry.is_regular_file()) fs::copy(entry.path(), scratch.path() / entry.path().filename());
  const fs::path before = fs::current_path();
  fs::current_path(scratch.path());
  std::size_t row = 0;
  for (const Flags& flags : flags_of_case(scratch.path())) {
    const std::string path = value_of_flag(flags, "path", "./"),
                      run = value_of_flag(flags, "run-name", "unnamed run");
    if (!path.empty()) fs::create_directories(path);
    std::vector<std::string> words{"explain"};
    words.insert(words.end(), flags.begin(), flags.end());
    const Outcome outcome = call_orrery(words);
    if (expects_failure(source)) {
      EXPECT_EQ(outcome.exit_code, 2);
      continue;
    }
    ASSERT_EQ(outcome.exit_code, 0) << outcome.error;
    EXPECT_NEAR(std::stod(end_of_path(path + run + "_critical-path.csv")),
                std::stod(published_us(source, run, row++)), 5e-7);
  }
  fs::current_path(before);
}

std::string test_name(const testing::TestParamInfo<std::string>& instance) {
  std::string name = instance.param;
  std::replace(name.begin(), name.end(), '/', '_');
  return name;
}

INSTANTIATE_TEST_SUITE_P(Cases, ExplainedGolden, testing::ValuesIn(all_cases()), test_name);

}  // namespace
}  // namespace orrery::core::test::explained_golden_test
