// summary.json tells what its results were made of.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>
#include <thread>
#include <vector>

#include "base/encoding/sha256.hpp"
#include "base/files/file.hpp"
#include "base/files/input_log.hpp"
#include "study/experiment/experiment.hpp"
#include "support/cases.hpp"
#include "support/trace_text.hpp"

namespace orrery::core::test::origin_test {
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
  const std::string file = read_file_of_any_kind(at + "out/e/summary.json");
  const nlohmann::json origin = nlohmann::json::parse(file)["origin"];
  EXPECT_EQ(origin["command"], (nlohmann::json{"run", flags[0], flags[1], flags[2], flags[3]}));
  EXPECT_EQ(origin["overrides"], (nlohmann::json{"passes=2"}));
  EXPECT_EQ(origin["seeds"], (nlohmann::json{"7"}));
  EXPECT_EQ(origin["inputs"], (nlohmann::json{{{"file", at + "e.yaml"}, {"sha256", sha256(experiment)}},
                                              {{"file", at + "layers.txt"}, {"sha256", sha256(layers)}}}));
  run_orrery(flags);
  EXPECT_EQ(read_file_of_any_kind(at + "out/e/summary.json"), file) << "the same command writes the same";
}

TEST(Origin, OfOneExperimentKnowsNothingOfTheOther) {
  const TemporaryFolder scratch;
  const std::string at = scratch.path().string() + "/";
  write_file_atomically(at + "layers.txt", layers);
  for (const char* name : {"a.yaml", "b.yaml"}) write_file_atomically(at + name, experiment);
  ASSERT_EQ(run_orrery({at + "a.yaml", at + "b.yaml", "--output=" + at + "out"}).exit_code, 0);
  const nlohmann::json summary = nlohmann::json::parse(read_file_of_any_kind(at + "out/b/summary.json"));
  ASSERT_EQ(summary["origin"]["inputs"].size(), 2u);
  EXPECT_EQ(summary["origin"]["inputs"][0]["file"], at + "b.yaml");
}

// Files that are read when a run is built are named, too.
TEST(Origin, NamesLibrariesAndAlgorithms) {
  const TemporaryFolder scratch;
  const std::string at = scratch.path().string() + "/";
  write_file_atomically(at + "own.0.et", "first");
  write_file_atomically(at + "own.1.et", "second");
  write_file_atomically(at + "by-node.yaml", "7: own\n");
  write_file_atomically(at + "t.et", trace_of_text("compute 1 name=c duration=5\n"));
  write_file_atomically(at + "library.yaml", "name: mine\n");
  const std::string file = at + "e.yaml";
  const std::string text =
      "network: [ { topology: ring, size: 2, bandwidth: 10 GB/s, latency: 100 ns } ]\n"
      "runs:\n"
      "  - { name: a, workload: { traces: t, memory-bandwidth: 1 GB/s, node-algorithms: by-node.yaml } }\n"
      "  - { name: b, workload: { traces: t, memory-bandwidth: 1 GB/s }, system: { library: " +
      at + "library.yaml } }\n";
  const InputLog inputs(InputLog::Holds::paths);
  Warnings warnings;
  read_experiment(text, file, {}, warnings, inputs);
  const std::vector<std::string> paths = inputs.paths();
  for (const char* name : {"own.0.et", "own.1.et", "by-node.yaml", "library.yaml", "t.et"})
    EXPECT_EQ(std::ranges::count(paths, at + name), 1) << name;
}

// Reads an experiment whose network and layers are files in its folder.
std::vector<std::string> inputs_of_experiment(const std::string& folder) {
  const InputLog inputs(InputLog::Holds::paths);
  const std::string file = folder + "e.yaml";
  Warnings warnings;
  read_experiment(inputs.read(file), file, {}, warnings, inputs);
  return inputs.paths();
}

TEST(Origin, OfAnExperimentKnowsNothingOfThatOfAnotherThread) {
  const TemporaryFolder scratch;
  const std::vector<std::string> folders{scratch.path().string() + "/a/", scratch.path().string() + "/b/"};
  for (const std::string& at : folders) {
    std::filesystem::create_directory(at);
    write_file_atomically(at + "network.yaml",
                          "build: fat-tree\nlink: { bandwidth: 100 Gbit/s, latency: 1 us }\n"
                          "levels: [ { size: 2 } ]\n");
    write_file_atomically(at + "layers.txt", layers);
    write_file_atomically(at + "e.yaml", "network: network.yaml\nworkload: layers.txt\n");
  }
  constexpr int times = 50;
  std::array<std::vector<std::string>, 2> found;
  const auto read = [&](std::size_t i) {
    for (int k = 0; k < times; ++k) found[i] = inputs_of_experiment(folders[i]);
  };
  { const std::jthread one(read, 0), other(read, 1); }
  for (std::size_t i = 0; i < 2; ++i)
    EXPECT_EQ(found[i],
              (std::vector{folders[i] + "e.yaml", folders[i] + "network.yaml", folders[i] + "layers.txt"}));
}

}  // namespace
}  // namespace orrery::core::test::origin_test
