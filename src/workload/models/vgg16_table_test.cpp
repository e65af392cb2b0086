// The layer table of models/vgg16.yaml.

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include "workload/models/model_catalogue.hpp"
#include "workload/models/network_layer_table.hpp"

namespace orrery::core::vgg16_table_test {
namespace {

LayerTable vgg16(const LayerTableOptions& options, const std::vector<ParameterChoice>& choices = {}) {
  return layer_table_of(find_model("vgg16", {}, no_files(), choices), options);
}

const LayerTableOptions tutorial{.flops_per_second = 46 * 0x1p40};

std::int64_t ns(const Layer& layer) {
  return layer.forward.compute.whole_ns();
}

TEST(Vgg16, layers_follow_the_formulas) {
  const LayerTable table = vgg16(tutorial);
  EXPECT_EQ(table.policy, TrainingPolicy::data);
  ASSERT_EQ(table.layers.size(), 16u);
  const double peak = 46 * 0x1p40;

  // 3 x 3 x 3 weights for each of 64 channels at 224 x 224 places: 2 * 27 * 64 * 50176 = 173'408'256
  // operations.
  EXPECT_EQ(table.layers[0].name, "block1_conv1");
  EXPECT_NEAR(173'408'256 / peak * 1e9, 3428.56, 0.01);
  EXPECT_EQ(ns(table.layers[0]), 3429);
  EXPECT_EQ(table.layers[0].weight_gradient.size, Bytes(2 * (27 * 64 + 64)));
  // After three poolings, 28 x 28: 2 * 9 * 256 * 512 * 784.
  EXPECT_EQ(table.layers[7].name, "block4_conv1");
  EXPECT_EQ(ns(table.layers[7]), std::llround(2.0 * 9 * 256 * 512 * 784 / peak * 1e9));
  EXPECT_EQ(table.layers[7].weight_gradient.size, Bytes(2 * (9 * 256 * 512 + 512)));
  // 7 x 7 places of 512 channels to 4096 features.
  EXPECT_EQ(table.layers[13].name, "fc1");
  EXPECT_EQ(table.layers[13].weight_gradient.size, Bytes(2 * (25'088 * 4096 + 4096)));
  EXPECT_EQ(table.layers[15].name, "predictions");
  EXPECT_EQ(ns(table.layers[15]), std::llround(2.0 * 4096 * 1000 / peak * 1e9));

  for (const Layer& layer : table.layers) {
    EXPECT_EQ(layer.input_gradient.compute, layer.forward.compute);
    EXPECT_EQ(layer.weight_gradient.compute, layer.forward.compute);
    EXPECT_FALSE(layer.forward.collective || layer.input_gradient.collective);
    EXPECT_EQ(layer.weight_gradient.collective, CollectiveKind::all_reduce);
    EXPECT_EQ(layer.delay, Time::from_ns(1));
  }
}

TEST(Vgg16, totals) {
  const LayerTable table = vgg16(tutorial);
  std::int64_t time = 0;
  std::uint64_t bytes = 0;
  for (const Layer& layer : table.layers) {
    time += ns(layer);
    bytes += layer.weight_gradient.size.count();
  }
  // The first layer needs no input gradient, which leaves 47 computations.
  EXPECT_EQ(3 * time - ns(table.layers[0]), 1'831'809);
  EXPECT_EQ(bytes, 2u * 138'357'544);  // the parameters of VGG-16, as published
}

TEST(Vgg16, options_scale_the_layers) {
  const LayerTable table = vgg16({.flops_per_second = 1e12, .bytes_per_element = 4},
                                 {{"batch", 4, {}}, {"image-size", 32, {}}, {"classes", 10, {}}});
  EXPECT_EQ(ns(table.layers[0]), std::llround(2.0 * 27 * 64 * 32 * 32 * 4 / 1e12 * 1e9));
  EXPECT_EQ(table.layers[0].weight_gradient.size, Bytes(4 * (27 * 64 + 64)));
  EXPECT_EQ(table.layers[13].weight_gradient.size, Bytes(4 * (512 * 4096 + 4096)));  // one place is left
  EXPECT_EQ(table.layers[15].weight_gradient.size, Bytes(4 * (4096 * 10 + 10)));
}

TEST(Vgg16, refuses_bad_options) {
  const auto with_rate = [](double rate, int bytes) {
    return LayerTableOptions{.flops_per_second = rate, .bytes_per_element = bytes};
  };
  EXPECT_THROW(vgg16(LayerTableOptions{}), InputError);
  EXPECT_THROW(vgg16(with_rate(std::numeric_limits<double>::quiet_NaN(), 2)), InputError);
  EXPECT_THROW(vgg16(with_rate(1e-9, 2)), InputError);  // longer than 30 days
  EXPECT_THROW(vgg16(with_rate(1e12, 0)), InputError);
  EXPECT_THROW(vgg16(tutorial, {{"batch", 0, {}}}), InputError);
  EXPECT_THROW(vgg16(tutorial, {{"image-size", 100, {}}}), InputError);
  EXPECT_THROW(vgg16(tutorial, {{"image-size", 65536, {}}}), InputError);
  EXPECT_THROW(vgg16(tutorial, {{"classes", 0, {}}}), InputError);
}

}  // namespace
}  // namespace orrery::core::vgg16_table_test
