#include "workload/generate/trained_model.hpp"

#include <gtest/gtest.h>

#include "workload/models/model_catalogue.hpp"

namespace orrery::core::trained_model_test {
namespace {

MemoryVerdict memory_of_model(const char* model, const char* device, Training training,
                              const std::vector<ParameterChoice>& choices = {}) {
  const ComputingDevice computing = find_computing_device(device, {}, no_files());
  training.device = &computing;
  Warnings warnings;
  return *train(find_model(model, {}, no_files(), choices), training, warnings, no_files()).memory;
}

// 16 bytes for each parameter in mixed precision with Adam, 4 of them in fp32 with plain SGD weights.
TEST(TrainedModel, ParametersOfVgg16) {
  constexpr double parameters = 138'357'544;
  Training training;
  training.optimizer = Optimizer::adam;
  EXPECT_EQ(memory_of_model("vgg16", "v100", training).required.parameters.total(), 16 * parameters);
  training.optimizer = Optimizer::sgd;
  training.type = Datatype::fp32;
  const ParameterState state = memory_of_model("vgg16", "v100", training).required.parameters;
  EXPECT_EQ(state.weights, 4 * parameters);
  EXPECT_EQ(state.optimizer, 0);
}

// Exchanges, activations and products without weights are in the device's usual format.
TEST(TrainedModel, EightBitsAreForProductsWithWeights) {
  const ComputingDevice device = find_computing_device("h100", {}, no_files());
  const auto trained = [&](Datatype type) {
    Training training;
    training.device = &device;
    training.type = type;
    Warnings warnings;
    return train(find_model("gpt3", {}, no_files(), {}), training, warnings, no_files());
  };
  const TrainedModel wide = trained(Datatype::fp16), narrow = trained(Datatype::fp8);
  EXPECT_EQ(narrow.memory->required.total(), wide.memory->required.total());
  Time wide_time, narrow_time;
  for (std::size_t i = 0; i < wide.table.layers.size(); ++i) {
    const Layer &one = wide.table.layers[i], &other = narrow.table.layers[i];
    EXPECT_EQ(other.forward.size, one.forward.size) << one.name;
    EXPECT_EQ(other.input_gradient.size, one.input_gradient.size) << one.name;
    EXPECT_EQ(other.weight_gradient.size, one.weight_gradient.size) << one.name;
    EXPECT_LE(other.forward.compute, one.forward.compute) << one.name;
    wide_time += one.forward.compute;
    narrow_time += other.forward.compute;
  }
  EXPECT_LT(narrow_time.ns(), 0.9 * wide_time.ns());
  // Products that take long lower the clock of the device, so that those in 16 bits take more than twice as
  // long.
  EXPECT_GT(narrow_time.ns(), 0.45 * wide_time.ns());
}

// VGG-16 has 138'344'128 weights in products and 13'416 biases. Half of the former are kept, with two bits
// each, and only gradients of these are exchanged.
TEST(TrainedModel, CompressedWeightsTakeLess) {
  constexpr double biases = 13'416, kept = 138'344'128 / 2.0;
  const ComputingDevice device = find_computing_device("a100", {}, no_files());
  Training training;
  training.device = &device;
  training.optimizer = Optimizer::adam;
  training.sparsity.usual.weights = OperandSparsity(BlockPattern{2, 4});
  Warnings warnings;
  const auto trained = [&] {
    return train(find_model("vgg16", {}, no_files(), {}), training, warnings, no_files());
  };
  const TrainedModel dense = trained();
  training.sparsity.usual.stored = WeightStorage::compressed;
  const TrainedModel compressed = trained();
  EXPECT_EQ(dense.memory->required.parameters.total(), 16 * (2 * kept + biases));
  const ParameterState state = compressed.memory->required.parameters;
  EXPECT_NEAR(state.weights, 2 * (kept + biases) + kept / 4, 100)
      << "blocks that are cut keep their first two";
  EXPECT_NEAR(state.optimizer, 12 * (kept + biases), 1000);
  for (std::size_t i = 0; i < dense.table.layers.size(); ++i) {
    const double ratio = compressed.table.layers[i].weight_gradient.size.as_double() /
                         dense.table.layers[i].weight_gradient.size.as_double();
    EXPECT_NEAR(ratio, 0.5, 0.02) << dense.table.layers[i].name;
  }
}

TEST(TrainedModel, ShardingDividesByTheDataParallelNpus) {
  Training training;
  training.machine = {8, 1, 2};
  const double whole = memory_of_model("vgg16", "v100", training).required.parameters.optimizer;
  training.sharding = 1;
  EXPECT_EQ(memory_of_model("vgg16", "v100", training).required.parameters.optimizer, whole / 8);
  training.policy = TrainingPolicy::model;  // nobody holds the same
  const ParameterState shared = memory_of_model("vgg16", "v100", training).required.parameters;
  EXPECT_NEAR(shared.optimizer, whole / 8, whole / 100);
  EXPECT_NEAR(shared.weights, 2 * 138'357'544 / 8, 1e6);
}

TEST(TrainedModel, TooLargeABatchNamesTheLargestThatFits) {
  const auto with_batch = [](std::uint64_t batch) {
    return memory_of_model("resnet50", "v100", {}, {{"batch", batch, {}}});
  };
  const MemoryVerdict verdict = with_batch(1024);
  EXPECT_FALSE(verdict.fits());
  EXPECT_TRUE(with_batch(verdict.largest_batch).fits());
  EXPECT_FALSE(with_batch(verdict.largest_batch + 1).fits());
}

// The memory holds what enters each of 96 blocks, and all outputs of one: 8 times the hidden size, the scores
// and the MLP's.
TEST(TrainedModel, RecomputedBlocksKeepWhatEntersThem) {
  const DeviceMemory memory = memory_of_model("gpt3", "a100", {}).required;
  constexpr double tokens = 16 * 2048, hidden = 12288, scores = 16.0 * 6 * 2048 * 2048;
  const double block = tokens * hidden * (3.0 / 16 + 1.0 / 16 + 1 + 4.0 / 16 + 1) + scores;
  const double head = tokens * 36000 / 16;
  EXPECT_NEAR(memory.activations, 2 * (96 * tokens * hidden + block + head), 1e6);
}

TEST(TrainedModel, TablesOfEmbeddingsAreSpread) {
  Training training;
  training.machine = {8, 1, 2};
  const double eight = memory_of_model("dlrm", "a100", training).required.parameters.weights;
  training.machine = {1, 1, 2};
  const double one = memory_of_model("dlrm", "a100", training).required.parameters.weights;
  EXPECT_NEAR(one - eight, 2 * 26e6 * 16 * 7 / 8, 1);
}

}  // namespace
}  // namespace orrery::core::trained_model_test
