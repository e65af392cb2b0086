#include "workload/models/neural_network_file.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "workload/models/model_catalogue.hpp"

namespace orrery::core::neural_network_file_test {
namespace {

NeuralNetwork read(const std::string& text, const std::vector<ParameterChoice>& choices = {}) {
  return read_neural_network(text, "n.yaml", choices);
}

std::string error_of(const std::string& text, const std::vector<ParameterChoice>& choices = {}) {
  try {
    read(text, choices);
  } catch (const InputError& error) {
    return error.what();
  }
  return "no error";
}

std::vector<std::string> names_of(const NeuralNetwork& network) {
  std::vector<std::string> names;
  for (const NetworkLayer& layer : network.layers) names.push_back(layer.name);
  return names;
}

TEST(NeuralNetworkFile, shapes_run_through) {
  const NeuralNetwork network = read(R"(
input: [3, 10, 8]
layers:
  - { convolution: 4, kernel: [3, 1], stride: 2, pad: [1, 0], relu: true }
  - concatenate:
      - []
      - - { convolution: 6, groups: 2, batch-norm: true }
  - { average-pool: all }
  - { fully-connected: 7, bias: false }
)");
  EXPECT_EQ(names_of(network),
            (std::vector<std::string>{"convolution1", "relu1", "convolution2", "batch-norm1", "concatenate1",
                                      "average-pool1", "fully-connected1"}));
  EXPECT_EQ(network.layers[0].output, (TensorShape{4, 5, 4}));
  EXPECT_EQ(network.layers[0].parameters(), 4u * 3 * 3 + 4);
  EXPECT_EQ(network.layers[2].parameters(),
            6u * 2);  // 3 of 6 filters see 2 of 4 channels; the norm has the bias
  EXPECT_EQ(network.layers[3].parameters(), 12u);
  EXPECT_EQ(network.layers[4].output, (TensorShape{10, 5, 4}));
  EXPECT_EQ(network.layers[6].parameters(), 70u);
  EXPECT_FALSE(network.layers[0].has_input_gradient);
  EXPECT_TRUE(network.layers[2].has_input_gradient);
}

// Lists of products and of convolutions are networks, too.
TEST(NeuralNetworkFile, layers_may_give_their_own_input) {
  const NeuralNetwork network = read(R"(
parameters: { m: 32 }
layers:
  - { gemm: [m, 4 * m, 2 * m / 8] }
  - { input: [64, 56, 56], convolution: 64, kernel: 3, pad: 1 }
  - { input: [512, 7, 7], convolution: 512, kernel: 3 }
)");
  EXPECT_EQ(std::get<Gemm>(network.layers[0].work), (Gemm{32, 128, 8}));
  EXPECT_EQ(network.layers[1].output, (TensorShape{64, 56, 56}));
  EXPECT_EQ(network.layers[2].output, (TensorShape{512, 5, 5}));
}

TEST(NeuralNetworkFile, blocks_and_repetitions) {
  const NeuralNetwork network = read(R"(
parameters: { depth: 3 }
input: [8]
blocks:
  pair: { parameters: [width], layers: [{ fully-connected: width }, { fully-connected: 2 * width }] }
layers:
  - repeat: depth
    index: i
    recompute: true
    layers: [{ name: "in{i}", fully-connected: 4 }, { block: pair, width: 5 * i }]
)");
  ASSERT_EQ(network.layers.size(), 9u);
  EXPECT_EQ(network.layers[3].name, "in2");
  EXPECT_EQ(network.layers[8].output.channels, 30u);
  EXPECT_EQ(network.checkpoints, (std::vector<std::string>{"in1", "in2", "in3"}));
  EXPECT_EQ(network.recomputed_at.at(2), "fully-connected6");
}

TEST(NeuralNetworkFile, errors_have_a_place) {
  const std::string head = "input: [3, 8, 8]\nlayers:\n  - ";
  const auto error = [&](const std::string& layer) { return error_of(head + layer); };
  EXPECT_EQ(error("{ convolution: 4, kernel: 9 }"),
            "n.yaml:3:5: error: a window of 9 x 9 with a padding of 0 x 0 does not fit the input, which is "
            "3 x 8 x 8 (channels x height x width)");
  EXPECT_EQ(error("{ convolution: 4, groups: 2 }"),
            "n.yaml:3:5: error: 2 groups cannot share 3 channels and 4 filters evenly");
  EXPECT_EQ(
      error("add: [[], [{ convolution: 4 }]]"),
      "n.yaml:3:5: error: branches of 3 x 8 x 8 and 4 x 8 x 8 (channels x height x width) cannot be added");
  EXPECT_EQ(
      error("concatenate: [[], [{ convolution: 4, stride: 2 }]]"),
      "n.yaml:3:5: error: branches of 3 x 8 x 8 and 4 x 4 x 4 (channels x height x width) cannot be joined; "
      "height and width have to be the same");
  EXPECT_EQ(error("{ convolution: 4, size: 3 }").find("n.yaml:3:23: error: unknown key `size`"), 0u);
  EXPECT_EQ(error("{ convolution: 4, stride: 0 }"),
            "n.yaml:3:31: error: `stride` has to be at least 1, not `0`");
  EXPECT_EQ(
      error("{ convolution: filters }"),
      "n.yaml:3:20: error: there is no parameter `filters`; numbers, parameters, `*` and `/` may stand here");
  EXPECT_EQ(error("{ fully-connected: 10 / 4 }"),
            "n.yaml:3:24: error: `10 / 4` has to be whole, but 10 is not a multiple of 4");
  EXPECT_EQ(error("{ fully-connected: 10 + 4 }"),
            "n.yaml:3:24: error: `10 + 4` is no expression: `*` or `/` has to stand between two factors");
  EXPECT_EQ(error("{ convolutoin: 4 }")
                .find("n.yaml:3:5: error: a layer has to say what it is, did you mean "
                      "`convolution`?"),
            0u);
  EXPECT_EQ(error("{ block: none }"), "n.yaml:3:14: error: there is no block `none`");
  EXPECT_EQ(error("{ interaction: 5 }"),
            "n.yaml:3:5: error: the input of 192 elements is no number of vectors of 5");
  EXPECT_EQ(
      error("{ repeat: 2, layers: [{ name: a, relu: true, dropout: 0.5 }] }"),
      "n.yaml:3:27: error: there are two layers `a`; put an index into the name, such as `name: conv{i}`");
  EXPECT_EQ(error("{ repeat: 16777216, layers: [{ repeat: 16777216, layers: [{ relu: true }] }] }"),
            "n.yaml:3:63: error: the model has more than 200000 layers");
  EXPECT_EQ(error("{ gemm: [9007199254740992, 2, 1] }"),
            "n.yaml:3:5: error: the output is more than 2^53; check the sizes");
  EXPECT_EQ(error_of("layers: [{ fully-connected: 4 }]"),
            "n.yaml:1:10: error: the shape that enters this layer is not known; give it or the model the key "
            "`input`");
  EXPECT_EQ(error_of("blocks: { a: { layers: [{ block: a }] } }\nlayers: [{ block: a }]"),
            "n.yaml:1:34: error: blocks stand within each other too deeply");
  EXPECT_EQ(error_of("input: [16777216, 16777216, 16777216]\nlayers: [{ relu: true }]"),
            "n.yaml:1:1: error: the input is more than 2^53; check the sizes");
  EXPECT_EQ(error_of("layers: []"),
            "n.yaml:1:9: error: `layers` has to be a list with at least one element, not an empty list");
  EXPECT_EQ(
      error_of("policy: fast\nlayers: [{ operations: 4 }]").find("n.yaml:1:9: error: `policy` has to be"),
      0u);
}

TEST(NeuralNetworkFile, blocks_cannot_grow_without_end) {
  std::string text = "blocks:\n  b0: { layers: [] }\n";
  for (int i = 1; i <= 30; ++i)
    text += fmt::format("  b{}: {{ layers: [{{ block: b{} }}, {{ block: b{} }}] }}\n", i, i - 1, i - 1);
  EXPECT_NE(error_of(text + "layers: [{ block: b30 }]").find("the blocks of this model hold too much"),
            std::string::npos);
}

TEST(NeuralNetworkFile, parameters_can_be_chosen) {
  const std::string text =
      "parameters: { width: { default: 8, multiple-of: 4, at-most: 64 } }\ninput: [width]\n"
      "layers: [{ fully-connected: 1 }]";
  const SourceLocation where{"x.yaml", 7, 9};
  EXPECT_EQ(read(text).input.channels, 8u);
  EXPECT_EQ(read(text, {{"width", 64, where}}).input.channels, 64u);
  EXPECT_EQ(error_of(text, {{"width", 6, where}}),
            "x.yaml:7:9: error: `width` has to be a multiple of 4, but 6 is not");
  EXPECT_EQ(error_of(text, {{"width", 68, where}}),
            "x.yaml:7:9: error: `width` has to be from 1 to 64, not 68");
  EXPECT_EQ(error_of(text, {{"with", 8, where}}),
            "x.yaml:7:9: error: this model has no parameter `with`, did you mean `width`?; it has `width`");
}

TEST(ModelCatalogue, every_model_can_be_read) {
  const std::vector<ModelSummary> summaries = model_summaries();
  ASSERT_EQ(summaries.size(), model_words().size());
  bool found = false;
  for (const ModelSummary& summary : summaries) {
    EXPECT_FALSE(summary.name.empty() || summary.description.empty()) << summary.word;
    EXPECT_GT(summary.layers, 0u) << summary.word;
    EXPECT_GT(summary.flops_per_sample, 0) << summary.word;
    if (summary.word != "resnet50") continue;
    found = true;
    EXPECT_EQ(summary.layers, 54u);
    EXPECT_EQ(summary.parameters, 25'557'032);
    EXPECT_EQ(summary.flops_per_sample, 2.0 * 4'089'184'256);
  }
  EXPECT_TRUE(found);
  EXPECT_THROW(find_model("resnet51", {"x.yaml", 1, 1}, no_files()), InputError);
  EXPECT_THROW(find_model("no/such.yaml", {"x.yaml", 1, 1}, InputLog()), InputError);
}

}  // namespace
}  // namespace orrery::core::neural_network_file_test
