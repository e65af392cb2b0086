// What --explain says of a training step.
#include "report/training_explanation.hpp"

#include <gtest/gtest.h>

#include <fmt/format.h>

#include "base/yaml_node.hpp"
#include "study/yaml_transformer.hpp"
#include "workload/training/block_time.hpp"
#include "workload/transformer/transformer_blocks.hpp"

namespace orrery::test {
namespace {

TrainingSetup setup_of(const std::string& model) {
  const std::string workload =
      "{ model: " + model + ", batch: { global: 4, micro: 1 }, parallelism: { tensor: 8, sequence: true } }";
  return read_yaml_transformer(
      parse_yaml(workload, "w.yaml"),
      read_platform(parse_yaml("{ base: dgx-a100, stack: { name: none } }", "p.yaml")), {}, read_text_file);
}

// s h elements of two bytes: 2048 x 12288.
TEST(TrainingExplanation, CollectivesHaveTheirBytesAndRanks) {
  const std::string text = training_explanation("x", setup_of("gpt3-175b"));
  EXPECT_EQ(text.rfind("x: one of 96 layers, a micro-batch of 1 on one rank, 4 of them a step\n", 0), 0u)
      << text;
  EXPECT_NE(text.find("tensor all-gather"), std::string::npos);
  EXPECT_NE(text.find("48.00 MiB among 8 ranks, 8 in a node, ring"), std::string::npos) << text;
  EXPECT_NE(text.find("2048 x 4608 x 12288"), std::string::npos)
      << "the product for queries, keys and values";
}

TEST(TrainingExplanation, OperatorsAddUpToWhatTheLayerComputes) {
  const TrainingSetup setup = setup_of("gpt3-175b");
  const RankBlock block = layer_block(setup.model, setup.plan, false);
  const BlockTime time =
      time_of_steps(block.forward, *setup.device.model, [](const Exchange&) { return 0.0; }, {});
  const std::string text = training_explanation("x", setup);
  EXPECT_NE(text.find(fmt::format("forward: {:.1f} us of operators", time.compute * 1e6)), std::string::npos)
      << text;
}

TEST(TrainingExplanation, EveryKindOfLayerIsListed) {
  const std::string text = training_explanation("x", setup_of("deepseek-v3"));
  EXPECT_NE(text.find("one of 3 layers, "), std::string::npos);
  EXPECT_NE(text.find("one of 58 layers with experts, "), std::string::npos);
}

}  // namespace
}  // namespace orrery::test
