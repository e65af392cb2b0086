// The networks that come with the program, layer by layer and in total, against tables that were derived from
// the published architectures independently (tests/golden/compute).
#include <gtest/gtest.h>

#include <fmt/format.h>

#include <map>
#include <sstream>
#include <string>
#include <vector>

#include "base/files/file.hpp"
#include "support/source_dir.hpp"
#include "workload/models/model_catalogue.hpp"

namespace orrery::core::golden_networks_test {
namespace {

// Returns the rows without the titles, by the network in the first column.
std::map<std::string, std::vector<std::string>> read_rows(const std::string& file) {
  std::istringstream lines(
      read_file_of_any_kind(fmt::format("{}/tests/golden/compute/{}", test::source_dir(), file)));
  std::map<std::string, std::vector<std::string>> rows;
  std::string line;
  std::getline(lines, line);
  while (std::getline(lines, line)) rows[line.substr(0, line.find(','))].push_back(line);
  return rows;
}

// Words of the tables and of our catalogue.
const std::map<std::string, std::string> models{
    {"lenet5", "lenet5"},       {"lenet_224", "lenet224"},
    {"alexnet", "alexnet"},     {"vgg16", "vgg16"},
    {"googlenet", "googlenet"}, {"inception_v3", "inception-v3"},
    {"resnet50", "resnet50"},   {"resnet101", "resnet101"},
    {"resnet152", "resnet152"}, {"resnet110_cifar", "resnet110-cifar"}};

std::uint64_t outputs(const NeuralNetwork& network, std::initializer_list<LayerKind> kinds) {
  std::uint64_t sum = 0;
  for (const NetworkLayer& layer : network.layers)
    for (const LayerKind kind : kinds)
      if (layer.kind == kind) sum += layer.output.elements();
  return sum;
}

std::size_t count(const NeuralNetwork& network, LayerKind kind) {
  std::size_t sum = 0;
  for (const NetworkLayer& layer : network.layers) sum += layer.kind == kind;
  return sum;
}

std::uint64_t parameters(const NeuralNetwork& network, bool of_norms) {
  std::uint64_t sum = 0;
  for (const NetworkLayer& layer : network.layers)
    if ((layer.kind == LayerKind::batch_norm) == of_norms) sum += layer.parameters();
  return sum;
}

TEST(GoldenNetworks, totals) {
  const auto rows = read_rows("cnn_totals.csv");
  ASSERT_EQ(rows.size(), models.size());
  for (const auto& [name, expected] : rows) {
    const NeuralNetwork network = find_model(models.at(name), {}, no_files());
    using enum LayerKind;
    std::string actual =
        fmt::format("{},{},{},{},{},{},{:.0f},{}", name, count(network, convolution),
                    count(network, fully_connected), parameters(network, false), parameters(network, true),
                    network.parameters(), network.multiply_accumulates(), network.input.elements());
    actual += fmt::format(",{}", outputs(network, {convolution, fully_connected}));
    for (const LayerKind kind : {batch_norm, relu, pooling, lrn, concatenation, addition, dropout})
      actual += fmt::format(",{}", outputs(network, {kind}));
    EXPECT_EQ(actual, expected.at(0));
  }
}

TEST(GoldenNetworks, products) {
  const auto rows = read_rows("cnn_layers.csv");
  ASSERT_EQ(rows.size(), models.size());
  for (const auto& [name, expected] : rows) {
    std::vector<std::string> actual;
    for (const NetworkLayer& layer : find_model(models.at(name), {}, no_files()).layers) {
      const auto* convolution = std::get_if<Convolution>(&layer.work);
      const auto* gemm = std::get_if<Gemm>(&layer.work);
      if (!convolution && !gemm) continue;
      const Gemm product = convolution ? product_of(*convolution) : *gemm;
      actual.push_back(fmt::format("{},{},{},{},{},{},{:.0f}", name, actual.size(),
                                   convolution ? "conv" : "fc", product.m, product.n, product.k,
                                   layer.multiply_accumulates()));
    }
    EXPECT_EQ(actual, expected) << name;
  }
}

TEST(GoldenNetworks, a_batch_scales_the_work_and_nothing_else) {
  for (const auto& [word, model] : models) {
    const NeuralNetwork one = find_model(model, {}, no_files()),
                        eight = find_model(model, {}, no_files(), {{"batch", 8, {}}});
    EXPECT_EQ(eight.batch, 8u);
    EXPECT_EQ(one.parameters(), eight.parameters());
    EXPECT_EQ(one.multiply_accumulates(), eight.multiply_accumulates());
    ASSERT_EQ(one.layers.size(), eight.layers.size());
    for (std::size_t i = 0; i < one.layers.size(); ++i) {
      EXPECT_EQ(8 * one.layers[i].multiply_accumulates(), eight.layers[i].multiply_accumulates());
      EXPECT_EQ(one.layers[i].output, eight.layers[i].output);
    }
  }
}

}  // namespace
}  // namespace orrery::core::golden_networks_test
