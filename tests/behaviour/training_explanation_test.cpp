// Tests what --explain says about a training step.
#include "report/training/training_explanation.hpp"

#include <gtest/gtest.h>

#include <fmt/format.h>

#include "base/input/input_node.hpp"
#include "base/text/readable.hpp"
#include "study/workloads/transformer/yaml_transformer.hpp"
#include "workload/training/block_time.hpp"
#include "workload/transformer/blocks/transformer_blocks.hpp"

namespace orrery::core::test::training_explanation_test {
namespace {

TrainingSetup setup_of(const std::string& model) {
  const std::string workload =
      "{ model: " + model + ", batch: { global: 4, micro: 1 }, parallelism: { tensor: 8, sequence: true } }";
  Warnings warnings;
  return read_yaml_transformer(
      parse_yaml(workload, "w.yaml"),
      read_platform(parse_yaml("{ base: dgx-a100, stack: none }", "p.yaml"), {}, InputLog()), {}, InputLog(),
      warnings);
}

// s h elements of two bytes: 2048 x 12288.
TEST(TrainingExplanation, CollectivesHaveTheirBytesAndRanks) {
  const std::string text = training_explanation("x", setup_of("gpt3-175b"));
  EXPECT_NE(text.find("x: one of 96 layers, a micro-batch of 1 on one rank, 4 of them a step\n"),
            std::string::npos)
      << text;
  EXPECT_NE(text.find("tensor all-gather"), std::string::npos);
  EXPECT_NE(text.find(" ring "), std::string::npos);
  EXPECT_NE(text.find("48.00 MiB, 8 ranks, 8 a node"), std::string::npos) << text;
  EXPECT_NE(text.find("2048 x 4608 x 12288"), std::string::npos)
      << "the product for queries, keys and values";
}

TEST(TrainingExplanation, OperatorsAddUpToWhatTheLayerComputes) {
  const TrainingSetup setup = setup_of("gpt3-175b");
  const RankBlock block = rank_block(BlockKind::layer, setup.model, setup.plan);
  const BlockTime time =
      time_of_steps(block.forward, {*setup.device.model}, [](const Exchange&) { return Seconds(); });
  const std::string text = training_explanation("x", setup);
  EXPECT_NE(text.find(fmt::format("forward: {} of operators", readable_seconds(time.compute.count()))),
            std::string::npos)
      << text;
}

// 50,257 words make 51,200 with what 8 ranks need, 6,400 on each.
TEST(TrainingExplanation, EmbeddingAndHeadStandAroundTheLayers) {
  const std::string text = training_explanation("x", setup_of("gpt3-175b"));
  const auto embedding = text.find("x: the embedding, a micro-batch"),
             layer = text.find("x: one of 96 layers"), head = text.find("x: the head, a micro-batch"),
             update = text.find("x: once a step\n");
  ASSERT_NE(embedding, std::string::npos);
  EXPECT_LT(embedding, layer);
  EXPECT_LT(layer, head);
  EXPECT_LT(head, update);
  ASSERT_NE(update, std::string::npos);
  EXPECT_NE(text.find("2048 x 6400 x 12288", head), std::string::npos) << text.substr(head);
}

TEST(TrainingExplanation, WhatComesOnceAStep) {
  const std::string text = training_explanation("x", setup_of("gpt3-175b"));
  const std::string end = text.substr(text.find("x: once a step\n"));
  EXPECT_NE(end.find("  stage 0: 21.9"), std::string::npos) << end;  // billion of 175, on each of 8 ranks
  EXPECT_NE(end.find("update"), std::string::npos);
  EXPECT_EQ(end.find("gradients"), std::string::npos) << "one rank has each parameter: " << end;
  EXPECT_EQ(end.find("stage 1"), std::string::npos);
}

TEST(TrainingExplanation, EveryKindOfLayerIsListed) {
  const std::string text = training_explanation("x", setup_of("deepseek-v3"));
  EXPECT_NE(text.find("one of 3 layers, "), std::string::npos);
  EXPECT_NE(text.find("one of 58 layers with experts, "), std::string::npos);
}

}  // namespace
}  // namespace orrery::core::test::training_explanation_test
