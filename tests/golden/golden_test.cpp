// Orrery writes what ASTRA-sim 1.0 wrote, folded and with every message, with boost mode on and off.
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>
#include <string_view>

#include "base/files/file.hpp"
#include "support/cases.hpp"
#include "support/source_dir.hpp"

namespace orrery::core::test::golden_test {
namespace {

namespace fs = std::filesystem;

const fs::path golden = fs::path(test::source_dir()) / "tests/golden";

std::vector<std::string> all_cases() {
  std::vector<std::string> cases;
  for (const char* kind : {"workload", "system", "network"}) {
    for (const auto& entry : fs::directory_iterator(golden / kind)) {
      cases.push_back(std::string(kind) + "/" + entry.path().filename().string());
    }
  }
  std::sort(cases.begin(), cases.end());
  return cases;
}

// A copy of the case's inputs whose results go to `expected/` in it.
void copy_inputs(const fs::path& from, const fs::path& to) {
  for (const auto& entry : fs::directory_iterator(from)) {
    if (entry.is_regular_file()) fs::copy(entry.path(), to / entry.path().filename());
  }
}

// Replaces the word behind "boost-mode:" in every text file of the folder.
void set_boost_mode(const fs::path& folder, const std::string& mode) {
  constexpr std::string_view key = "boost-mode:", blanks = " \t\r\n";
  for (const auto& entry : fs::directory_iterator(folder)) {
    std::string text = read_file_of_any_kind(entry.path().string());
    const std::size_t at = text.find(key);
    if (entry.path().extension() != ".txt" || at == std::string::npos) continue;
    const std::size_t begin = text.find_first_not_of(blanks, at + key.size());
    text.replace(begin, text.find_first_of(blanks, begin) - begin, mode);
    write_file_atomically(entry.path().string(), text);
  }
}

bool expects_failure(const fs::path& folder) {
  const fs::path file = folder / "expected/exit_code.txt";
  return fs::exists(file) &&
         read_file_of_any_kind(file.string()).find_first_of("123456789") != std::string::npos;
}

// Boost mode must not matter, so it is varied on the way.
struct Mode {
  const char* fold;
  const char* boost;
};
void PrintTo(const Mode& mode, std::ostream* stream) {
  *stream << "fold " << mode.fold << ", boost " << mode.boost;
}
constexpr Mode folded{"auto", "0"}, every_message{"off", "1"};

class Golden : public testing::TestWithParam<std::tuple<std::string, Mode>> {};

TEST_P(Golden, WritesTheSameReports) {
  const auto& [name, mode] = GetParam();
  const fs::path source = golden / name;
  const TemporaryFolder scratch;
  copy_inputs(source, scratch.path());
  set_boost_mode(scratch.path(), mode.boost);
  const fs::path before = fs::current_path();
  fs::current_path(scratch.path());
  std::vector<Outcome> outcomes;
  for (Flags flags : flags_of_case(scratch.path())) {
    flags.push_back(std::string("--fold=") + mode.fold);
    for (const std::string& flag : flags) {
      if (flag.rfind("--path=", 0) == 0 && flag.size() > 7) fs::create_directories(flag.substr(7));
    }
    outcomes.push_back(run_orrery(flags));
  }
  fs::current_path(before);
  for (const Outcome& outcome : outcomes) {
    if (expects_failure(source)) {
      EXPECT_EQ(outcome.exit_code, 2);
      EXPECT_NE(outcome.error.find("error: "), std::string::npos);
    } else {
      ASSERT_EQ(outcome.exit_code, 0) << outcome.error;
    }
  }
  for (const std::string& file : files_below(source / "expected")) {
    if (fs::path(file).extension() != ".csv") continue;
    EXPECT_EQ(read_file_of_any_kind((scratch.path() / "expected" / file).string()),
              read_file_of_any_kind((source / "expected" / file).string()))
        << file;
  }
}

std::string test_name(const testing::TestParamInfo<Golden::ParamType>& instance) {
  std::string name = std::get<0>(instance.param) + "_fold_" + std::get<1>(instance.param).fold;
  std::replace(name.begin(), name.end(), '/', '_');
  return name;
}

INSTANTIATE_TEST_SUITE_P(Cases, Golden,
                         testing::Combine(testing::ValuesIn(all_cases()),
                                          testing::Values(folded, every_message)),
                         test_name);

// The reports of one of the 300 random runs, by file name.
std::map<std::string, std::string> reports_of(const nlohmann::json& run, const Mode& mode) {
  const TemporaryFolder scratch;
  const std::string folder = scratch.path().string() + "/";
  write_file_atomically(folder + "network.json", run.at("network").dump());
  write_file_atomically(folder + "system.txt", run.at("system").get<std::string>());
  write_file_atomically(folder + "workload.txt", run.at("workload").get<std::string>());
  set_boost_mode(scratch.path(), mode.boost);
  fs::create_directory(scratch.path() / "out");
  Flags flags{"--network-configuration=" + folder + "network.json",
              "--system-configuration=" + folder + "system.txt",
              "--workload-configuration=" + folder + "workload.txt", "--path=" + folder + "out/",
              std::string("--fold=") + mode.fold};
  for (const auto& [key, value] : run.at("args").items()) {
    flags.push_back("--" + key + "=" + (value.is_string() ? value.get<std::string>() : value.dump()));
  }
  const Outcome outcome = run_orrery(flags);
  EXPECT_EQ(outcome.exit_code, 0) << outcome.error;
  std::map<std::string, std::string> reports;
  for (const std::string& file : files_below(scratch.path() / "out")) {
    reports[file] = read_file_of_any_kind(folder + "out/" + file);
  }
  return reports;
}

TEST(GoldenRandomSlow, ThreeHundredRunsGiveTheReferencesResultsFoldedAndNot) {
  const auto runs = nlohmann::json::parse(read_file_of_any_kind((golden / "random/astra1.json").string()));
  ASSERT_EQ(runs.size(), 300u);
  for (std::size_t i = 0; i < runs.size(); ++i) {
    SCOPED_TRACE(testing::Message() << "run " << i);
    auto reports = reports_of(runs[i], folded);
    // The reference has neither of these.
    EXPECT_EQ(reports.count("links.csv") + reports.count("r" + std::to_string(i) + "_timeline.csv"), 2u);
    EXPECT_EQ(reports.size(), runs[i].at("expected").size() + 2);
    EXPECT_NE(reports["tutorial_result.csv"].find("\n" + runs[i].at("result").get<std::string>() + "\n"),
              std::string::npos);
    EXPECT_EQ(reports, reports_of(runs[i], every_message));
  }
}

}  // namespace
}  // namespace orrery::core::test::golden_test
