// An experiment file gives the times of traces that ASTRA-sim 2's flags and files give.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "base/files/file.hpp"
#include "report/traces/local_memory.hpp"
#include "study/experiment/experiment.hpp"
#include "study/run/run.hpp"
#include "support/ids.hpp"
#include "support/source_dir.hpp"
#include "support/trace_experiments.hpp"

namespace orrery::core::test::trace_experiments_test {
namespace {

namespace fs = std::filesystem;

fs::path golden() {
  return fs::path(source_dir()) / "tests/golden/chakra";
}

struct Network {
  const char* in_golden;
  NetworkModel model;
};
const Network networks[] = {{"congestion_unaware", &analytical_model}, {"congestion_aware", &link_model}};

class TraceExperiments : public testing::TestWithParam<std::string> {};

TEST_P(TraceExperiments, GiveTheTimesOfFlags) {
  const fs::path folder = golden() / GetParam();
  const auto expected =
      nlohmann::json::parse(read_file_of_any_kind((folder / "expected/expected.json").string()));
  Warnings warnings;
  const Experiment experiment = read_experiment(
      experiment_of_case(folder), (folder / "experiment.yaml").string(), {}, warnings, InputLog());
  ASSERT_EQ(experiment.runs.size(), 1u);
  for (const Network& network : networks) {
    if (!expected.contains(network.in_golden)) continue;
    const auto& want = expected.at(network.in_golden);
    if (want.value("exit_status", 0) != 0) continue;  // one dimension only, there
    SCOPED_TRACE(network.in_golden);
    RunSpec spec = experiment.runs[0];
    spec.network.model = network.model;
    const RunResult result = carry_out(spec, warnings);
    EXPECT_EQ(numbers_of(result.recording.finish_order),
              want.at("finish_order").get<std::vector<std::uint32_t>>());
    std::int64_t last = 0;
    const std::vector<PartMemory> memory = spec.workload->memory_history(result);
    for (const auto& [rank, figures] : want.at("npus").items()) {
      const auto finish = figures.at("finish").get<std::int64_t>();
      EXPECT_EQ(result.recording.finish_of(RankId(std::stoi(rank))).whole_ns(), finish) << "rank " << rank;
      if (figures.contains("peak_mem")) {
        ASSERT_FALSE(memory.empty());
        const PartMemory& of = memory[memory.size() == 1 ? 0 : std::stoul(rank)];
        EXPECT_EQ(memory_words(static_cast<std::uint64_t>(of.peak())),
                  figures.at("peak_mem").get<std::string>());
      }
      last = std::max(last, finish);
    }
    const Summary summary = spec.workload->summary(spec, result);
    EXPECT_EQ(summary.total.whole_ns(), last);
    EXPECT_EQ(summary.total, summary.time.sum());
  }
}

std::vector<std::string> all_cases() {
  std::vector<std::string> cases;
  for (const auto& entry : fs::directory_iterator(golden()))
    if (entry.is_directory()) cases.push_back(entry.path().filename().string());
  std::ranges::sort(cases);
  return cases;
}

INSTANTIATE_TEST_SUITE_P(Cases, TraceExperiments, testing::ValuesIn(all_cases()),
                         [](const auto& instance) { return instance.param; });

}  // namespace
}  // namespace orrery::core::test::trace_experiments_test
