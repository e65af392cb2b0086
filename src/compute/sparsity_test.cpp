#include "compute/sparsity.hpp"

#include <gtest/gtest.h>

#include "compute/layer_sparsity.hpp"
#include "support/plain_device.hpp"

namespace orrery::core::sparsity_test {
namespace {

TEST(BlockPattern, SaysWhatItKeeps) {
  const BlockPattern two_of_four{2, 4};
  EXPECT_EQ(two_of_four.zeros(), 0.5);
  EXPECT_EQ(two_of_four.kept_of(250), 126u) << "62 blocks, and 2 of the rest";
  EXPECT_EQ(two_of_four.index_bits(), 2);
  EXPECT_EQ((BlockPattern{1, 2}).index_bits(), 1);
  EXPECT_EQ((BlockPattern{4, 9}).index_bits(), 4);
}

// Every block of four has two at most.
TEST(BlockPattern, FitsWhatKeepsMoreOfEveryBlock) {
  const BlockPattern two_of_four{2, 4};
  for (const BlockPattern fits : {BlockPattern{2, 4}, {1, 4}, {1, 2}, {2, 8}, {1, 16}})
    EXPECT_TRUE(fits.fits(two_of_four)) << text_of(fits);
  for (const BlockPattern other : {BlockPattern{3, 4}, {4, 8}, {1, 3}, {3, 8}, {2, 2}})
    EXPECT_FALSE(other.fits(two_of_four)) << text_of(other);
}

TEST(BlockPattern, IsReadFromItsText) {
  EXPECT_EQ(parse_block_pattern("2:4"), (BlockPattern{2, 4}));
  for (const char* text : {"", "2", "0:4", "5:4", "2:", ":4", "2:4:8", "a:4", "1:1048577"})
    EXPECT_FALSE(parse_block_pattern(text)) << text;
}

// Weights are an operand of the forward pass and of the input gradient, activations of the forward pass and
// of the weight gradient, and patterns hold in the forward pass alone unless they can be transposed.
TEST(LayerSparsity, GoesWithItsOperands) {
  LayerSparsity layer{OperandSparsity(0.9), OperandSparsity(0.5)};
  EXPECT_EQ(layer.forward().columns.zeros, 0.9);
  EXPECT_EQ(layer.forward().rows.zeros, 0.5);
  EXPECT_EQ(layer.input_gradient().columns.zeros, 0.9);
  EXPECT_EQ(layer.input_gradient().rows, OperandSparsity());
  EXPECT_EQ(layer.weight_gradient().rows.zeros, 0.5);
  EXPECT_EQ(layer.weight_gradient().columns, OperandSparsity());
  layer.weights = OperandSparsity(BlockPattern{2, 4});
  EXPECT_TRUE(layer.forward().has_pattern());
  EXPECT_EQ(layer.input_gradient().columns, OperandSparsity());
  layer.transposable = true;
  EXPECT_EQ(layer.input_gradient().columns, layer.weights);
  EXPECT_FALSE(layer.weight_gradient().has_pattern());
}

// 2:4 keeps 500 of a thousand weights with two bits each, and 4:9 keeps 445 with four. Where zeros are
// anywhere, each of the thousand has a bit.
TEST(LayerSparsity, IsStoredCompressedWhereTheUserSaysSo) {
  LayerSparsity layer{OperandSparsity(BlockPattern{2, 4}), {}};
  EXPECT_EQ(layer.stored_weights(1000), 1000u);
  EXPECT_EQ(layer.index_bytes(1000), 0);
  layer.stored = WeightStorage::compressed;
  EXPECT_EQ(layer.stored_weights(1000), 500u);
  EXPECT_EQ(layer.index_bytes(1000), 500 * 2 / 8.0);
  layer.weights = OperandSparsity(BlockPattern{4, 9});
  EXPECT_EQ(layer.stored_weights(1000), 111u * 4 + 1);
  EXPECT_EQ(layer.index_bytes(1000), (111 * 4 + 1) * 4 / 8.0);
  layer.weights = OperandSparsity(0.9);
  EXPECT_EQ(layer.stored_weights(1000), 100u);
  EXPECT_EQ(layer.index_bytes(1000), 1000 / 8.0);
  layer.weights = {};
  EXPECT_EQ(layer.stored_weights(1000), 1000u);
  EXPECT_EQ(layer.index_bytes(1000), 0);
}

std::string error_of(const ProductSparsity& sparsity, const Device& device) {
  try {
    require_pattern(sparsity, device, {"x.yaml", 1, 2});
  } catch (const InputError& error) {
    return error.what();
  }
  return "no error";
}

TEST(Sparsity, IsRefusedWhereTheDeviceHasNoUseForItsPattern) {
  Device device = plain_device(8);
  const OperandSparsity half(BlockPattern{2, 4}), other(BlockPattern{3, 4});
  EXPECT_EQ(error_of({OperandSparsity(0.5), OperandSparsity(0.9)}, device), "no error");
  EXPECT_EQ(
      error_of({{}, half}, device),
      "x.yaml:1:2: error: plain does not know 2:4 sparsity (its `structured-speedup` is 1); use another "
      "device, or write the share of zeros, 0.5, which may be anywhere");
  device.roofline.structured_speedup = 2;
  EXPECT_EQ(error_of({{}, half}, device), "no error");
  EXPECT_EQ(error_of({half, {}}, device), "no error");
  EXPECT_NE(error_of({half, half}, device).find("in one operand of a product only"), std::string::npos);
  EXPECT_NE(error_of({{}, other}, device).find("multiplies 2:4 faster, which 3:4 does not fit"),
            std::string::npos);
  EXPECT_NE(error_of({half, {}}, with_two_arrays(device)).find("hold weights"), std::string::npos);
  EXPECT_EQ(error_of({{}, half}, with_two_arrays(device)), "no error");
}

TEST(Sparsity, OfCalculatorsIsAShare) {
  Device device = plain_device(8);
  EXPECT_THROW(calculated_sparsity(1, 0, SparsityPattern::unstructured, device), InputError);
  EXPECT_THROW(calculated_sparsity(0.5, 0, SparsityPattern::two_of_four, device), InputError);
  device.roofline.structured_speedup = 2;
  EXPECT_THROW(calculated_sparsity(0.6, 0, SparsityPattern::two_of_four, device), InputError);
  EXPECT_EQ(calculated_sparsity(0.5, 0.25, SparsityPattern::two_of_four, device).rows.zeros, 0.25);
}

}  // namespace
}  // namespace orrery::core::sparsity_test
