// Orrery gives what ASTRA-sim 2 gave on execution traces, on both networks: who finishes when and in which
// order, and every figure of the statistics lines.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <nlohmann/json.hpp>
#include <regex>
#include <sstream>
#include <string>
#include <vector>

#include "base/files/file.hpp"
#include "support/cases.hpp"
#include "support/source_dir.hpp"

namespace orrery::core::test::chakra_golden_test {
namespace {

namespace fs = std::filesystem;

const fs::path golden = fs::path(test::source_dir()) / "tests/golden/chakra";

struct Network {
  const char* in_golden;
  const char* model;
};
constexpr Network networks[] = {{"congestion_unaware", "analytical"}, {"congestion_aware", "link"}};

std::vector<std::string> all_cases() {
  std::vector<std::string> cases;
  for (const auto& entry : fs::directory_iterator(golden)) {
    if (entry.is_directory()) cases.push_back(entry.path().filename().string());
  }
  std::sort(cases.begin(), cases.end());
  return cases;
}

struct Printed {
  std::vector<int> order;
  std::map<int, std::map<std::string, std::string>> figures;  // by rank, named as in expected.json
};

Printed parse(const std::string& output) {
  static const std::vector<std::pair<std::string, std::regex>> lines{
      {"finish", std::regex(R"(^\[workload\] \[info\] sys\[(\d+)\] finished, (\d+) cycles, exposed .*)")},
      {"exposed",
       std::regex(R"(^\[workload\] .*sys\[(\d+)\] finished, .* exposed communication (\d+) cycles\.$)")},
      {"wall", std::regex(R"(^\[statistics\] \[info\] sys\[(\d+)\], Wall time: (\d+)$)")},
      {"comm", std::regex(R"(^\[statistics\] \[info\] sys\[(\d+)\], Comm time: (\d+)$)")},
      {"gpu", std::regex(R"(^\[statistics\] \[info\] sys\[(\d+)\], GPU time: (\d+)$)")},
      {"overlap",
       std::regex(R"(^\[statistics\] .* sys\[(\d+)\], Total compute-communication overlap: (\d+)$)")},
      {"compute_bound_pct",
       std::regex(R"(^\[statistics\] .* sys\[(\d+)\], Compute bound percentage: ([\d.]+)%$)")},
      {"compute_util_pct",
       std::regex(R"(^\[statistics\] .* sys\[(\d+)\], Average compute utilization: ([\d.]+)%$)")},
      {"memory_util_pct",
       std::regex(R"(^\[statistics\] .* sys\[(\d+)\], Average memory utilization: ([\d.]+)%$)")},
      {"peak_mem", std::regex(R"(^\[workload\] \[info\] sys\[(\d+)\] peak memory usage: (.*)$)")},
      {"op_intensity",
       std::regex(R"(^\[statistics\] .* sys\[(\d+)\], Average operation intensity: ([\d.]+)$)")},
  };
  Printed printed;
  std::istringstream text(output);
  for (std::string line; std::getline(text, line);) {
    for (const auto& [name, pattern] : lines) {
      std::smatch match;
      if (!std::regex_match(line, match, pattern)) continue;
      const int rank = std::stoi(match[1]);
      if (name == "finish") printed.order.push_back(rank);
      printed.figures[rank][name] = match[2];
    }
  }
  return printed;
}

class ChakraGolden : public testing::TestWithParam<std::string> {};

TEST_P(ChakraGolden, PrintsWhatTheReferencePrinted) {
  const TemporaryFolder scratch;
  for (const auto& entry : fs::directory_iterator(golden / GetParam()))
    if (entry.is_regular_file()) fs::copy(entry.path(), scratch.path() / entry.path().filename());
  const auto expected =
      nlohmann::json::parse(read_file_of_any_kind((golden / GetParam() / "expected/expected.json").string()));
  Flags given;  // one to a line
  for (const Flags& line : flags_of_case(scratch.path())) given.insert(given.end(), line.begin(), line.end());
  const fs::path before = fs::current_path();
  for (const Network& network : networks) {
    if (!expected.contains(network.in_golden)) continue;
    const auto& want = expected.at(network.in_golden);
    if (want.value("exit_status", 0) != 0) continue;  // one dimension only, there
    SCOPED_TRACE(network.model);
    Flags flags = given;
    flags.push_back(std::string("--network-model=") + network.model);
    fs::current_path(scratch.path());
    const Outcome outcome = run_orrery(flags);
    fs::current_path(before);
    ASSERT_EQ(outcome.exit_code, 0) << outcome.error;
    for (const auto& entry : fs::directory_iterator(golden / GetParam() / "expected")) {
      const std::string name = entry.path().filename().string();
      if (name.starts_with("cu_") && network.in_golden == std::string("congestion_unaware")) {
        EXPECT_EQ(read_file_of_any_kind((scratch.path() / name.substr(3)).string()),
                  read_file_of_any_kind(entry.path().string()));
      }
    }
    const Printed printed = parse(outcome.output);
    EXPECT_EQ(printed.order, want.at("finish_order").get<std::vector<int>>());
    for (const auto& [rank, figures] : want.at("npus").items()) {
      for (const auto& [name, value] : figures.items()) {
        const std::string text = value.is_string() ? value.get<std::string>() : value.dump();
        const auto& of_rank = printed.figures.at(std::stoi(rank));
        EXPECT_TRUE(of_rank.contains(name) && of_rank.at(name) == text)
            << name << " of rank " << rank << ": want " << text;
      }
    }
  }
}

TEST_P(ChakraGolden, IsValid) {
  std::vector<std::string> words{"validate"};
  for (const Flags& line : flags_of_case(golden / GetParam()))
    words.insert(words.end(), line.begin(), line.end());
  const fs::path before = fs::current_path();
  fs::current_path(golden / GetParam());
  const Outcome outcome = call_orrery(words);
  fs::current_path(before);
  EXPECT_EQ(outcome.exit_code, 0);
  // Nothing but that ASTRA-sim 2 does not heed keys of 1.0.
  std::istringstream lines(outcome.error);
  for (std::string line; std::getline(lines, line);)
    EXPECT_NE(line.find("has no effect in ASTRA-sim 2"), std::string::npos) << line;
}

INSTANTIATE_TEST_SUITE_P(Cases, ChakraGolden, testing::ValuesIn(all_cases()),
                         [](const auto& instance) { return instance.param; });

}  // namespace
}  // namespace orrery::core::test::chakra_golden_test
