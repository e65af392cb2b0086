// orrery generate: the original generator's files, and tables that run.
#include <gtest/gtest.h>

#include <filesystem>

#include "base/files/file.hpp"
#include "base/text/text_lines.hpp"
#include "support/cases.hpp"
#include "support/source_dir.hpp"

namespace orrery::core::test::generate_test {
namespace {

namespace fs = std::filesystem;

const fs::path golden = fs::path(test::source_dir()) / "tests/golden/compute";

struct Strategy {
  const char* word;
  const char* inputs;
  const char* expected;
};
void PrintTo(const Strategy& strategy, std::ostream* stream) {
  *stream << strategy.word;
}

class Generate : public testing::TestWithParam<Strategy> {
 protected:
  std::string path(const char* name) const { return (scratch_.path() / name).string(); }

  // The file it writes, for 16 NPUs in two packages.
  std::string generate(const char* name, const std::vector<std::string>& more = {}) const {
    std::vector<std::string> words{"generate",
                                   "--mnk=" + (golden / GetParam().inputs).string(),
                                   std::string("--parallel=") + GetParam().word,
                                   "--num_npus=16",
                                   "--num_packages=2",
                                   "--datatype_size=2",
                                   "--run_name=test",
                                   "--output_file=" + path(name)};
    words.insert(words.end(), more.begin(), more.end());
    const Outcome outcome = call_orrery(words);
    EXPECT_EQ(outcome.exit_code, 0) << outcome.error;
    return read_file_of_any_kind(path(name));
  }

  // Runs what generate() wrote on a ring of eight in each of two packages.
  Outcome run(const char* name) const {
    write_file_atomically(path("network.json"),
                          R"({"dimensions-count": 2, "topologies-per-dim": ["Ring", "Switch"],
                              "units-count": [8, 2], "links-count": [2, 1], "link-latency": [100, 500],
                              "link-bandwidth": [50, 25]})");
    write_file_atomically(path("system.txt"),
                          "scheduling-policy: LIFO\npreferred-dataset-splits: 4\n"
                          "all-reduce-implementation: ring_halvingDoubling\n"
                          "all-gather-implementation: ring_halvingDoubling\n"
                          "reduce-scatter-implementation: ring_halvingDoubling\n"
                          "all-to-all-implementation: direct_direct\ncollective-optimization: baseline\n");
    return run_orrery({"--workload-configuration=" + path(name),
                       "--system-configuration=" + path("system.txt"),
                       "--network-configuration=" + path("network.json"),
                       "--path=" + scratch_.path().string() + "/", "--json"});
  }

 private:
  TemporaryFolder scratch_;
};

TEST_P(Generate, CompatibleWithAstra1) {
  EXPECT_EQ(generate("w.txt", {"--compat-astra1"}),
            read_file_of_any_kind((golden / GetParam().expected).string()));
}

std::vector<std::vector<Token>> layers_of(const std::string& table) {
  std::vector<std::vector<Token>> layers;
  const std::vector<Token> lines = lines_of(table);
  for (std::size_t i = 2; i < lines.size(); ++i) layers.push_back(cells_of(lines[i], '\t'));
  return layers;
}

// All columns but the compute times of forward and input gradient are the original's.
TEST_P(Generate, ComputesEachStep) {
  const std::string expected_table = read_file_of_any_kind((golden / GetParam().expected).string());
  const std::string table = generate("w.txt");
  const auto layers = layers_of(table), expected = layers_of(expected_table);
  ASSERT_EQ(layers.size(), expected.size());
  const bool customized = std::string_view(GetParam().word) == "HYBRID_CUSTOMIZED";
  for (std::size_t i = 0; i < layers.size(); ++i) {
    EXPECT_EQ(layers[i].size(), customized ? 13u : 12u);
    for (std::size_t column = 0; column < layers[i].size(); ++column) {
      const bool other_step = column == 2 || column == 5;
      const bool uneven = layers[i][0].text == "MLP_Top_0" && customized;
      if (other_step || (uneven && column == 8)) continue;
      EXPECT_EQ(layers[i][column].text, expected[i][column].text) << "layer " << i << ", column " << column;
    }
  }
}

TEST_P(Generate, TablesRun) {
  for (const bool compatible : {false, true}) {
    generate("w.txt", compatible ? std::vector<std::string>{"--compat-astra1"} : std::vector<std::string>{});
    const Outcome outcome = run("w.txt");
    EXPECT_EQ(outcome.exit_code, 0) << outcome.error;
    EXPECT_NE(outcome.output.find("\"MLP_Top_2\""), std::string::npos) << outcome.output;
    if (!compatible) {
      EXPECT_EQ(outcome.error, "");
    }
  }
}

// A clock twice as fast halves the times, to the nearest ns.
TEST_P(Generate, FrequencyScalesTimes) {
  const std::string usual_table = generate("a.txt"), fast_table = generate("b.txt", {"--frequency=2GHz"});
  const auto usual = layers_of(usual_table), fast = layers_of(fast_table);
  for (std::size_t i = 0; i < usual.size(); ++i) {
    for (const std::size_t column : {2, 5, 8}) {
      EXPECT_EQ((*parse_unsigned(usual[i][column].text) + 1) / 2, *parse_unsigned(fast[i][column].text));
    }
  }
}

INSTANTIATE_TEST_SUITE_P(
    Strategies, Generate,
    testing::Values(Strategy{"DATA", "mlp.csv", "generator_DATA.txt"},
                    Strategy{"MODEL", "mlp.csv", "generator_MODEL.txt"},
                    Strategy{"HYBRID_DATA_MODEL", "mlp.csv", "generator_HYBRID_DATA_MODEL.txt"},
                    Strategy{"HYBRID_MODEL_DATA", "mlp.csv", "generator_HYBRID_MODEL_DATA.txt"},
                    Strategy{"HYBRID_CUSTOMIZED", "mlp_customized.csv", "generator_CUSTOM.txt"}),
    [](const auto& parameter) { return std::string(parameter.param.word); });

}  // namespace
}  // namespace orrery::core::test::generate_test
