#include "workload/generate/network_split.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <string_view>

#include "workload/generate/gemm_table.hpp"
#include "workload/generate/trained_model.hpp"
#include "workload/models/model_catalogue.hpp"
#include "workload/models/network_memory.hpp"

namespace orrery::core::network_split_test {
namespace {

constexpr const char* perceptron = R"(
name: perceptron
parameters: { batch: 64 }
input: [512]
layers:
  - { name: a, fully-connected: 256, bias: false }
  - { name: b, fully-connected: 128, bias: false }
)";

constexpr const char* convolutions = R"(
name: net
parameters: { batch: 2 }
input: [3, 8, 8]
convolutions: { batch-norm: true, relu: true }
layers:
  - { name: a, convolution: 8, kernel: 3, pad: 1 }
  - { max-pool: 2 }
  - add:
      - []
      - - { name: b, convolution: 8, kernel: 3, pad: 1, groups: 2, relu: false }
  - { name: c, fully-connected: 10 }
)";

NeuralNetwork split(const char* text, const NetworkStrategy& strategy) {
  Warnings warnings;
  return split_network(read_neural_network(text, "x.yaml"), strategy, warnings);
}

const NetworkLayer& layer_of(const NeuralNetwork& network, std::string_view name) {
  return *std::find_if(network.layers.begin(), network.layers.end(),
                       [&](const NetworkLayer& layer) { return layer.name == name; });
}

// A nanosecond per multiply-accumulate.
class Counter final : public ComputeModel {
 public:
  OperatorCost cost(const Operator& op) const override {
    OperatorCost cost;
    if (const auto* gemm = std::get_if<Gemm>(&op.work))
      cost.seconds = double(gemm->m) * double(gemm->n) * double(gemm->k) * double(gemm->batch) * 1e-9;
    return cost;
  }
};

// 16 NPUs in packages of eight.
const SplitMachine machine{16, 2, 2};

class SameAsProducts : public testing::TestWithParam<TrainingPolicy> {};

// The batch of a data-parallel share makes the same table as the products of the whole batch.
TEST_P(SameAsProducts, FullyConnectedLayersHaveTheGeneratorsRules) {
  Device facts;
  facts.matrix_peak[Datatype::fp16] = 1e12;
  const ComputingDevice device{facts, std::make_shared<const Counter>()};
  Training training;
  training.policy = GetParam();
  training.machine = machine;
  training.device = &device;
  Warnings warnings;
  const LayerTable table =
      train(read_neural_network(perceptron, "x.yaml"), training, warnings, no_files()).table;
  const std::uint64_t batch = 64 * ways_of(GetParam(), machine).data;
  const LayerTable expected =
      gemm_table({{"a", {batch, 256, 512, 1}, {}, {}}, {"b", {batch, 128, 256, 1}, {}, {}}}, *device.model,
                 {GetParam(), machine}, warnings);
  EXPECT_TRUE(warnings.lines().empty());
  EXPECT_EQ(table.policy, expected.policy);
  ASSERT_EQ(table.layers.size(), expected.layers.size());
  for (std::size_t i = 0; i < table.layers.size(); ++i) {
    const auto same = [&](const LayerStep& ours, const LayerStep& theirs) {
      EXPECT_EQ(ours.compute, theirs.compute) << i;
      EXPECT_EQ(ours.collective, theirs.collective) << i;
      EXPECT_EQ(ours.size, theirs.size) << i;
    };
    same(table.layers[i].forward, expected.layers[i].forward);
    same(table.layers[i].weight_gradient, expected.layers[i].weight_gradient);
    if (i > 0) same(table.layers[i].input_gradient, expected.layers[i].input_gradient);  // the first has none
  }
}

INSTANTIATE_TEST_SUITE_P(Strategies, SameAsProducts,
                         testing::Values(TrainingPolicy::data, TrainingPolicy::model,
                                         TrainingPolicy::hybrid_data_model,
                                         TrainingPolicy::hybrid_model_data));

TEST(NetworkSplit, ConvolutionsShareTheirFilters) {
  const NeuralNetwork network = split(convolutions, {TrainingPolicy::model, {}, {4, 1, 2}});
  const NetworkLayer& a = layer_of(network, "a");
  EXPECT_EQ(std::get<Convolution>(a.work).filters, 2u);
  EXPECT_EQ(std::get<Convolution>(a.work).channels, 3u);
  EXPECT_EQ(a.weights, 9u * 3 * 2);
  // Norm, ReLU and pooling work on two channels; what the pooling gives is gathered.
  EXPECT_EQ(layer_of(network, "batch-norm1").biases, 4u);
  EXPECT_EQ(std::get<Elementwise>(layer_of(network, "relu1").work).elements_read, 2u * 2 * 64);
  EXPECT_EQ(a.forward.collective, CollectiveKind::all_gather);
  EXPECT_EQ(a.forward.elements, 2u * 2 * 16);
  EXPECT_FALSE(a.input_gradient.collective);  // of the network's input
  // The second group's filters of b need half of the channels.
  const NetworkLayer& b = layer_of(network, "b");
  EXPECT_EQ(std::get<Convolution>(b.work).groups, 1u);
  EXPECT_EQ(std::get<Convolution>(b.work).channels, 4u);
  EXPECT_EQ(std::get<Convolution>(b.work).filters, 2u);
  EXPECT_EQ(b.input_gradient.collective, CollectiveKind::reduce_scatter);
  EXPECT_EQ(b.input_gradient.elements, 2u * 8 * 16);
  // The addition takes what was gathered.
  EXPECT_EQ(std::get<Elementwise>(layer_of(network, "add1").work).elements_written, 2u * 8 * 16);
}

// Outputs within a row are shared, what is gathered is whole.
TEST(NetworkSplit, MemoryHoldsSharesAndWhatIsGathered) {
  const NeuralNetwork network = split(convolutions, {TrainingPolicy::model, {}, {4, 1, 2}});
  const ActivationClasses elements = activation_elements(network);
  EXPECT_EQ(elements.products, 2 * 64 + 2 * 16 + 10);
  EXPECT_EQ(elements.pooling, 8 * 16);
  EXPECT_EQ(elements.in_place, 2 * 2 * 64 + 8 * 16 + 8 * 16);
}

TEST(NetworkSplit, RemaindersCountAsTheLargestShare) {
  Warnings warnings;
  const NeuralNetwork network = split_network(read_neural_network(convolutions, "x.yaml"),
                                              {TrainingPolicy::model, {}, {4, 1, 2}}, warnings);
  EXPECT_EQ(std::get<Gemm>(layer_of(network, "c").work).n, 3u);
  EXPECT_EQ(layer_of(network, "c").biases, 3u);
  ASSERT_EQ(warnings.lines().size(), 1u);
  EXPECT_NE(
      warnings.lines()[0].find("x.yaml:12:5: warning: layer `c`: 10 output features do not divide evenly "
                               "among 4 NPUs"),
      std::string::npos)
      << warnings.lines()[0];
}

std::string error_of(const char* text, const NetworkStrategy& strategy) {
  try {
    split(text, strategy);
  } catch (const InputError& error) {
    return error.what();
  }
  return "no error";
}

TEST(NetworkSplit, NobodyMayBeLeftWithNothing) {
  EXPECT_EQ(error_of(convolutions, {TrainingPolicy::model, {}, machine}),
            "x.yaml:7:5: error: layer `a`: 16 NPUs cannot share 8 output features, let at most 8, best 8 or "
            "4 share "
            "it, or choose another strategy");
}

TEST(NetworkSplit, ModelsThatSayItThemselvesAreLeftAlone) {
  Warnings warnings;
  for (const char* name : {"gpt3", "dlrm"})
    EXPECT_THROW(
        split_network(find_model(name, {}, no_files()), {TrainingPolicy::data, {}, machine}, warnings),
        InputError);
}

TEST(NetworkSplit, LayersOfTheirOwnStrategySeeAllBatchesOfThoseThatShareThem) {
  const NetworkStrategy strategy{
      TrainingPolicy::hybrid_customized, {{"b", TrainingPolicy::hybrid_data_model, {}}}, machine};
  const NeuralNetwork network = split(perceptron, strategy);
  const NetworkLayer &a = layer_of(network, "a"), &b = layer_of(network, "b");
  EXPECT_EQ(a.policy, TrainingPolicy::data);
  EXPECT_EQ(std::get<Gemm>(a.work), (Gemm{64, 256, 512, 1}));
  EXPECT_FALSE(a.forward.collective);
  EXPECT_EQ(b.policy, TrainingPolicy::hybrid_data_model);
  EXPECT_EQ(std::get<Gemm>(b.work), (Gemm{64 * 8, 16, 256, 1}));
  EXPECT_EQ(b.forward.elements, 64u * 8 * 16);
  EXPECT_EQ(activation_elements(network).products, 256 + 8 * 128);
  EXPECT_NE(
      error_of(perceptron,
               {TrainingPolicy::hybrid_customized, {{"bb", TrainingPolicy::model, {"s.csv", 2, 1}}}, machine})
          .find("s.csv:2:1: error: no layer `bb` with weights is in this model"),
      std::string::npos);
}

TEST(NetworkSplit, EmbeddingsShareTheirColumns) {
  constexpr const char* text =
      "name: e\nparameters: { batch: 4 }\nlayers:\n  - { name: e, embedding: 2, rows: 100, width: 8, "
      "pooling: 3 }\n";
  const NeuralNetwork network = split(text, {TrainingPolicy::model, {}, {4, 1, 2}});
  EXPECT_EQ(network.layers[0].weights, 2u * 100 * 8 / 4);
  EXPECT_EQ(std::get<Elementwise>(network.layers[0].work).elements_read, 4u * 2 * 8 * 3 / 4);
  EXPECT_EQ(network.layers[0].forward.elements, 4u * 2 * 8 / 4);
}

TEST(NetworkSplit, DataParallelNpus) {
  Warnings warnings;
  const NeuralNetwork network = split_network(read_neural_network(perceptron, "x.yaml"),
                                              {TrainingPolicy::hybrid_data_model, {}, machine}, warnings);
  EXPECT_EQ(data_parallel_npus(network, machine), 2u);
  EXPECT_EQ(data_parallel_npus(find_model("gpt3", {}, no_files()), {64, 1, 2}), 4u);
  EXPECT_EQ(data_parallel_npus(find_model("dlrm", {}, no_files()), machine), 16u);
}

TEST(LayerStrategies, AreReadLayerByLayer) {
  Warnings warnings;
  const auto layers =
      read_layer_strategies("layer,strategy\nfc1, model\n\nfc2,hybrid-data-model\n", "s.csv", warnings);
  ASSERT_EQ(layers.size(), 2u);
  EXPECT_EQ(layers[1].layer, "fc2");
  EXPECT_EQ(layers[1].policy, TrainingPolicy::hybrid_data_model);
  EXPECT_THROW(read_layer_strategies("h\nfc1,hybrid-customized\n", "s.csv", warnings), InputError);
  EXPECT_THROW(read_layer_strategies("h\nfc1\n", "s.csv", warnings), InputError);
  EXPECT_THROW(read_layer_strategies("h\nfc1,data\nfc1,model\n", "s.csv", warnings), InputError);
}

}  // namespace
}  // namespace orrery::core::network_split_test
