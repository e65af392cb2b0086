// Steps of inference, from experiments to their results.
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "base/files/file.hpp"
#include "support/cases.hpp"

namespace orrery::core::test::inference_test {
namespace {

constexpr double gb = 1e9;

Outcome run(const std::string& experiment, const std::vector<std::string>& flags) {
  const TemporaryFolder folder;
  const std::string file = (folder.path() / "experiment.yaml").string();
  write_file_atomically(file, experiment);
  std::vector<std::string> words{"run", file, "--output=" + (folder.path() / "out").string()};
  words.insert(words.end(), flags.begin(), flags.end());
  Outcome outcome = call_orrery(words);
  EXPECT_EQ(outcome.exit_code, 0) << outcome.error;
  return outcome;
}

nlohmann::json summary_of(const std::string& experiment) {
  return nlohmann::json::parse(run(experiment, {"--json"}).output)["runs"][0];
}

constexpr const char* h100 = "platform: { base: dgx-h100, stack: none }\n";

nlohmann::json step(const std::string& workload) {
  return summary_of(h100 + ("workload: { " + workload + " }\n"));
}

// Llama 2 7B has 13.5 GB of weights in 16 bits, of which the embedding's 0.26 GB are only looked up; an H100
// reads 3350 GB/s.
TEST(Inference, DecodingWaitsForWeights) {
  const auto decode = [](const std::string& more) {
    return step("model: llama2-7b, sequence: 128, batch: { global: 1 }, inference: { phase: decode" + more +
                " }");
  };
  const nlohmann::json wide = decode(""), narrow = decode(", weights: int8");
  const double read = (2 * 6.738 - 0.262) * gb / (3350 * gb) * 1e6;
  EXPECT_GT(wide["total_us"], read);
  EXPECT_LT(wide["total_us"], 1.6 * read);  // with the launches of 355 kernels
  EXPECT_LT(narrow["total_us"], 0.7 * wide["total_us"].get<double>());
  EXPECT_DOUBLE_EQ(wide["tokens_per_second"].get<double>() * wide["total_us"].get<double>() / 1e6, 1);
}

// A prompt's tokens share each weight that is read.
TEST(Inference, PrefillTakesLessThanItsTokensOneByOne) {
  const double prompt = step(
      "model: llama2-7b, sequence: 512, batch: { global: 1 }, inference: { phase: prefill }")["total_us"];
  const double token =
      step("model: llama2-7b, sequence: 512, batch: { global: 1 }, inference: { phase: decode }")["total_us"];
  EXPECT_GT(prompt, token);
  EXPECT_LT(prompt, 512 * token / 20);
}

// With many sequences most of what is read are keys and values: half a MiB a token.
TEST(Inference, KeysAndValuesAreRead) {
  const auto decode = [](const std::string& cache) {
    return step("model: llama2-7b, sequence: 2048, batch: { global: 32 }, inference: { phase: decode" +
                cache + " }");
  };
  const nlohmann::json wide = decode(""), narrow = decode(", cache: fp8");
  const double bytes = 32 * 2048 * 524288.0;
  EXPECT_EQ(wide["training"]["inference"]["cache_bytes"], bytes);
  EXPECT_EQ(narrow["training"]["inference"]["cache_bytes"], bytes / 2);
  const double saved = wide["total_us"].get<double>() - narrow["total_us"].get<double>();
  EXPECT_NEAR(saved, bytes / 2 / (3350 * gb * 0.9456) * 1e6, 0.1 * saved);
}

// The largest batch fits, and one more sequence does not.
TEST(Inference, TheLargestBatchFits) {
  const std::string front =
      "model: llama2-7b, sequence: 2048, inference: { phase: decode }, batch: { global: ";
  const std::uint64_t most = step(front + "1 }")["training"]["inference"]["largest_batch"];
  EXPECT_GT(most, 40u);
  step(front + std::to_string(most) + " }");
  const TemporaryFolder folder;
  const std::string file = (folder.path() / "experiment.yaml").string();
  write_file_atomically(file, h100 + ("workload: { " + front + std::to_string(most + 1) + " } }\n"));
  const Outcome outcome = call_orrery({"run", file, "--output=" + (folder.path() / "out").string()});
  EXPECT_EQ(outcome.exit_code, 2);
  EXPECT_NE(outcome.error.find("a batch of " + std::to_string(most) + " would fit"), std::string::npos)
      << outcome.error;
}

// Two all-reduces a layer, of a vector for each sequence, and one of the largest logit.
TEST(Inference, TensorParallelismSumsUpOnAnyNetwork) {
  const std::string workload =
      "workload: { model: llama2-7b, sequence: 512, batch: { global: 4 }, parallelism: { tensor: 4 }, "
      "inference: { phase: decode } }\n";
  const nlohmann::json by_library = summary_of(h100 + workload);
  EXPECT_GT(by_library["exposed_by_axis_us"]["tensor"], 0);
  EXPECT_EQ(by_library["collectives_by_axis"]["tensor"], "all-reduce");
  for (const char* const model : {"analytical", "link", "fluid"}) {
    const nlohmann::json run = summary_of(
        h100 +
        ("network: [ { topology: switch, size: 4, bandwidth: 450 GB/s, latency: 1 us } ]\nnetwork-model: " +
         std::string(model) + "\n" + workload));
    EXPECT_GT(run["messages"], 0) << model;
    EXPECT_GT(run["total_us"], run["compute_us"]) << model;
  }
}

// One micro-batch goes through the stages one after the other, so each waits for the other half of the time.
TEST(Inference, StagesWaitForOneMicroBatch) {
  const auto stages = [](const std::string& micro) {
    return step("model: llama2-7b, sequence: 512, batch: { global: 8" + micro +
                " }, parallelism: { pipeline: 2 }, inference: { phase: decode }");
  };
  const nlohmann::json whole = stages(""), cut = stages(", micro: 4");
  EXPECT_NEAR(
      whole["bubble_share"].get<double>() + whole["idle_us"].get<double>() / whole["total_us"].get<double>(),
      0.5, 0.05);
  // Two halves read the weights twice, but the stages work at the same time.
  EXPECT_LT(cut["total_us"], 1.6 * whole["total_us"].get<double>());
}

TEST(Inference, IsExplainedWithoutABackwardPass) {
  const std::string text =
      run(h100 + std::string(
                     "workload: { model: llama2-7b, batch: { global: 1 }, inference: { phase: prefill } }\n"),
          {"--explain"})
          .output;
  EXPECT_NE(text.find("forward:"), std::string::npos);
  EXPECT_EQ(text.find("backward"), std::string::npos) << text;
  EXPECT_NE(text.find("largest batch"), std::string::npos);
}

// Experts that all have tokens are all read.
TEST(Inference, ExpertsAreRead) {
  const nlohmann::json run = step(
      "model: mixtral-8x7b, sequence: 512, batch: { global: 8 }, parallelism: { tensor: 4 }, inference: { "
      "phase: decode }");
  EXPECT_GT(run["total_us"], 46.0 * 2 / 4 * gb / (3350 * gb) * 1e6);
}

nlohmann::json resnet(const std::string& more) {
  return summary_of(
      "device: t4\nnetwork: [ { topology: ring, size: 2, bandwidth: 12 GB/s, latency: 2 us } ]\n"
      "workload: { model: resnet50, batch: 64" +
      more + " }\n");
}

// Nothing follows the forward pass of a convolutional network, so it is more than three times as fast as
// training.
TEST(Inference, OfModelsIsTheForwardPass) {
  const nlohmann::json training = resnet(""), forward = resnet(", inference: true"),
                       narrow = resnet(", inference: true, datatype: int8");
  EXPECT_LT(3 * forward["step_us"].get<double>(), training["step_us"]);
  EXPECT_LT(narrow["step_us"], 0.75 * forward["step_us"].get<double>());
  EXPECT_NEAR(forward["samples_per_second"].get<double>(), 128 / forward["step_us"].get<double>() * 1e6, 1);
  EXPECT_FALSE(training.contains("samples_per_second"));
  EXPECT_EQ(forward["exposed_us"], 0);
  EXPECT_EQ(forward["memory"]["gradients_bytes"], 0);
  EXPECT_EQ(2 * narrow["memory"]["weights_bytes"].get<double>(), forward["memory"]["weights_bytes"]);
}

}  // namespace
}  // namespace orrery::core::test::inference_test
