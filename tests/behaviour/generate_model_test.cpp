// orrery generate --model, and experiments that split the same model the same way.
#include <gtest/gtest.h>

#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>

#include "base/files/file.hpp"
#include "support/cases.hpp"
#include "workload/models/model_catalogue.hpp"

namespace orrery::core::test::generate_model_test {
namespace {

class GenerateModel : public testing::TestWithParam<const char*> {
 protected:
  std::string path(const char* name) const { return (scratch_.path() / name).string(); }

  // The one run of an experiment on two packages of eight NPUs, as summary.json has it.
  nlohmann::json run(const std::string& workload) const {
    write_file_atomically(path("e.yaml"),
                          "network:\n"
                          "  - { topology: ring, size: 8, bandwidth: 50 GB/s, latency: 100 ns }\n"
                          "  - { topology: switch, size: 2, bandwidth: 25 GB/s, latency: 500 ns }\n" +
                              workload);
    const Outcome outcome = run_orrery({path("e.yaml"), "--output=" + path("out"), "--json"});
    EXPECT_EQ(outcome.exit_code, 0) << outcome.error;
    return nlohmann::json::parse(outcome.output).at("runs").at(0);
  }

  Outcome generate(std::vector<std::string> more) const {
    std::vector<std::string> words{"generate", "--output_file=" + path("w.txt")};
    words.insert(words.end(), more.begin(), more.end());
    return call_orrery(words);
  }

 private:
  TemporaryFolder scratch_;
};

// The layer table, and the experiment that makes it by itself, take equally long. A table does not say what
// collectives take from computation.
TEST_P(GenerateModel, RunsAsTheExperimentDoes) {
  const std::string strategy = GetParam();
  std::vector<std::string> flags{"--model=vgg16", "--device=v100", "--batch=4",
                                 "--npus=16",     "--packages=2",  "--strategy=" + strategy};
  std::string keys = "{ model: vgg16, batch: 4, strategy: " + strategy;
  if (strategy == "hybrid-customized") {
    write_file_atomically(
        path("s.csv"), "layer,strategy\nfc1,model\nfc2,hybrid-data-model\nblock5_conv1,hybrid-model-data\n");
    flags.push_back("--strategies=" + path("s.csv"));
    keys += ", strategies: s.csv";
  }
  const Outcome outcome = generate(flags);
  ASSERT_EQ(outcome.exit_code, 0) << outcome.error;
  EXPECT_NE(outcome.output.find("memory: "), std::string::npos) << outcome.output;
  const nlohmann::json table = run("workload: w.txt\n"),
                       model = run("device: { base: v100, collective-processors: 0 }\nworkload: " + keys +
                                   " }\n");
  EXPECT_EQ(table.at("total_us"), model.at("total_us"));
  EXPECT_EQ(table.at("layers"), model.at("layers"));
  EXPECT_GT(table.at("exposed_us"), 0);
  EXPECT_FALSE(table.contains("memory"));
  EXPECT_TRUE(model.at("memory").at("fits").get<bool>());
}

INSTANTIATE_TEST_SUITE_P(Strategies, GenerateModel,
                         testing::Values("data", "model", "hybrid-data-model", "hybrid-model-data",
                                         "hybrid-customized"));

// Every model of the catalogue, on a GPU and on a TPU, gives a table that `orrery validate` takes.
TEST_F(GenerateModel, EveryModelOfTheCatalogue) {
  for (const std::string_view model : model_words()) {
    for (const char* device : {"a100", "tpu-v5p"}) {
      const Outcome outcome =
          generate({"--model=" + std::string(model), std::string("--device=") + device, "--allow-oom"});
      EXPECT_EQ(outcome.exit_code, 0) << model << outcome.error;
      const Outcome validated = call_orrery({"validate", path("w.txt")});
      EXPECT_EQ(validated.exit_code, 0) << model << validated.error;
    }
  }
}

TEST_F(GenerateModel, ParametersAreSet) {
  generate(
      {"--model=vgg16", "--device=v100", "--set", "classes=10", "--set=image-size=64", "--datatype=fp32"});
  const std::string table = read_file_of_any_kind(path("w.txt"));
  EXPECT_NE(table.find("ALLREDUCE\t" + std::to_string(4 * 4097 * 10)), std::string::npos) << table;
}

TEST_F(GenerateModel, MemoryIsShown) {
  write_file_atomically(path("e.yaml"),
                        "network: [{ topology: ring, size: 8, bandwidth: 50 GB/s, latency: 100 ns }]\n"
                        "device: v100\nworkload: { model: vgg16, optimizer: adam }\n");
  const Outcome outcome = run_orrery({path("e.yaml"), "--output=" + path("out")});
  EXPECT_NE(
      outcome.output.find("  memory                   2.10 of 29.8 GiB per device: 0.26 weights,\n"
                          "                           0.26 gradients, 1.55 optimizer, 0.04 activations,\n"
                          "                           0.00 workspace (plain counting)\n"),
      std::string::npos)
      << outcome.output;
}

}  // namespace
}  // namespace orrery::core::test::generate_model_test
