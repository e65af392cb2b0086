// summary.json tells what its results were made of.
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "base/encoding/sha256.hpp"
#include "base/files/file.hpp"
#include "support/cases.hpp"

namespace orrery::test::origin_test {
namespace {

constexpr const char* experiment = R"(
network: [ { topology: ring, size: 2, bandwidth: 10 GB/s, latency: 100 ns } ]
workload: layers.txt
compute-jitter: { spread: 0.1, seed: 7 }
)";
constexpr const char* layers = "DATA\n1\na -1 10 NONE 0 10 NONE 0 10 ALLREDUCE 1024 1\n";

TEST(Origin, NamesCommandOverridesInputsAndSeeds) {
  const TemporaryFolder scratch;
  const std::string at = scratch.path().string() + "/";
  write_file_atomically(at + "e.yaml", experiment);
  write_file_atomically(at + "layers.txt", layers);
  const Flags flags{at + "e.yaml", "--output=" + at + "out", "--set", "passes=2"};
  const Outcome outcome = run_orrery(flags);
  ASSERT_EQ(outcome.exit_code, 0) << outcome.error;
  const std::string file = read_text_file(at + "out/e/summary.json");
  const nlohmann::json origin = nlohmann::json::parse(file)["origin"];
  EXPECT_EQ(origin["command"], (nlohmann::json{"run", flags[0], flags[1], flags[2], flags[3]}));
  EXPECT_EQ(origin["overrides"], (nlohmann::json{"passes=2"}));
  EXPECT_EQ(origin["seeds"], (nlohmann::json{"7"}));
  EXPECT_EQ(origin["inputs"], (nlohmann::json{{{"file", at + "e.yaml"}, {"sha256", sha256(experiment)}},
                                              {{"file", at + "layers.txt"}, {"sha256", sha256(layers)}}}));
  run_orrery(flags);
  EXPECT_EQ(read_text_file(at + "out/e/summary.json"), file) << "the same command writes the same";
}

TEST(Origin, OfOneExperimentKnowsNothingOfTheOther) {
  const TemporaryFolder scratch;
  const std::string at = scratch.path().string() + "/";
  write_file_atomically(at + "layers.txt", layers);
  for (const char* name : {"a.yaml", "b.yaml"}) write_file_atomically(at + name, experiment);
  ASSERT_EQ(run_orrery({at + "a.yaml", at + "b.yaml", "--output=" + at + "out"}).exit_code, 0);
  const nlohmann::json summary = nlohmann::json::parse(read_text_file(at + "out/b/summary.json"));
  ASSERT_EQ(summary["origin"]["inputs"].size(), 2u);
  EXPECT_EQ(summary["origin"]["inputs"][0]["file"], at + "b.yaml");
}

}  // namespace
}  // namespace orrery::test::origin_test
