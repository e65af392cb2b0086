// Times against closed forms on a device of round numbers, with 108 processors as the A100 has.
#include "compute/roofline/roofline_model.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "base/diagnostics/diagnostics.hpp"
#include "support/plain_device.hpp"

namespace orrery::core::roofline_model_test {
namespace {

// Small tiles and slow memory: products of few rows wait for memory.
Device slow_memory_device() {
  Device device = plain_device(108);
  device.memory_bandwidth = Bandwidth::from_gb_per_s(1000);
  device.roofline.tiles = {{16, 128}};
  return device;
}

double seconds(const RooflineModel& model, const Gemm& gemm, Datatype type = Datatype::fp16) {
  return model.cost({"", gemm, type}).seconds;
}

constexpr double tile_flops(double k) {
  return 2.0 * 256 * 128 * k;
}

// 1792 = 7 * 256 = 14 * 128: 98 tiles, one wave. One more row and column: 8 * 15 = 120 tiles, two waves.
TEST(RooflineModel, TilesAndWaves) {
  const RooflineModel model(plain_device(108));
  const double wave = tile_flops(4096) / 1e12;
  EXPECT_DOUBLE_EQ(seconds(model, {1792, 1792, 4096}), wave);
  EXPECT_DOUBLE_EQ(seconds(model, {1793, 1793, 4096}), 2 * wave);
  EXPECT_NEAR(model.cost({"", Gemm{1792, 1792, 4096}, Datatype::fp16}).utilization, 98.0 / 108, 1e-12);
  EXPECT_EQ(model.plan({1793, 1793, 4096}, Datatype::fp16).waves, 2);
}

TEST(RooflineModel, BatchesShareWaves) {
  const RooflineModel model(plain_device(108));
  EXPECT_DOUBLE_EQ(seconds(model, {256, 128, 65536, 108}), tile_flops(65536) / 1e12);
}

TEST(RooflineModel, MemoryBound) {
  const RooflineModel model(slow_memory_device());
  const OperatorCost cost = model.cost({"", Gemm{16, 27648, 8192}, Datatype::fp16});
  const double bytes = 2.0 * (16 * 8192 + 27648.0 * 8192 + 16 * 27648.0);
  EXPECT_DOUBLE_EQ(cost.seconds, bytes / 1e12);
  EXPECT_EQ(cost.bound, OperatorCost::Bound::memory);
  EXPECT_DOUBLE_EQ(cost.bytes_read + cost.bytes_written, bytes);
}

// The product is one tile for 108 processors: K is in 16 parts, and a pass goes over 16 partial sums of four
// bytes.
// Weights, keys and values in a narrower format are fewer bytes to read, and are multiplied as before.
TEST(RooflineModel, StoredFormats) {
  const RooflineModel model(slow_memory_device());
  Operator product{"", Gemm{16, 27648, 8192}, Datatype::fp16};
  const OperatorCost wide = model.cost(product);
  product.stored = Datatype::int8;
  const OperatorCost narrow = model.cost(product);
  EXPECT_DOUBLE_EQ(wide.bytes_read - narrow.bytes_read, 27648.0 * 8192);
  EXPECT_EQ(wide.flops, narrow.flops);
  EXPECT_LT(narrow.seconds, wide.seconds);
  Operator attention{"", Attention{1, 4096, 64, 8, 128, 128}, Datatype::fp16};
  const double read = model.cost(attention).bytes_read;
  attention.stored = Datatype::fp8;
  EXPECT_DOUBLE_EQ(read - model.cost(attention).bytes_read, 2 * 4096.0 * 8 * 128);
}

TEST(RooflineModel, SplitsK) {
  const RooflineModel model(plain_device(108));
  const Gemm gemm{256, 128, 1 << 20};
  EXPECT_DOUBLE_EQ(seconds(model, gemm), tile_flops(1 << 16) / 1e12 + 16 * 4.0 * 256 * 128 / 1e13);
  EXPECT_EQ(model.plan(gemm, Datatype::fp16).split_k, 16);
}

TEST(RooflineModel, TheLoadOfATileLimits) {
  Device device = plain_device(108);
  device.roofline.load_bandwidth = 1e9;  // of both operands: (256 + 128) rows of 4096 x 2 bytes
  EXPECT_DOUBLE_EQ(seconds(RooflineModel(device), {1792, 1792, 4096}), (256 + 128) * 4096 * 2.0 / 1e9);
}

TEST(RooflineModel, Overheads) {
  Device device = plain_device(108);
  device.roofline.launch_seconds = 5e-6;
  device.roofline.tile_seconds = 1e-6;
  device.roofline.exposed_share = 0.5;
  const double wave = tile_flops(4096) / 1e12, memory = 2 * 3 * 1792.0 * 1792 / 1e13;
  const Gemm gemm{1792, 1792, 1792};
  EXPECT_DOUBLE_EQ(seconds(RooflineModel(device), gemm), 5e-6 + 1e-6 + wave * 1792 / 4096 + 0.5 * memory);
  EXPECT_EQ(RooflineModel(device).cost({"", Gemm{8, 8, 8}, Datatype::fp16}).bound,
            OperatorCost::Bound::launch);
}

// fp16: 16 bytes are 8 elements. Loads of 8, 4 and 2 bytes are each a third of the way down.
TEST(RooflineModel, Alignment) {
  Device device = plain_device(108);
  device.roofline.unaligned_slowdown = 4;
  const RooflineModel model(device);
  const double aligned = seconds(model, {1792, 1792, 4096});
  EXPECT_DOUBLE_EQ(seconds(model, {1792, 1792, 4096 - 4}), 2 * aligned);
  EXPECT_DOUBLE_EQ(seconds(model, {1792, 1792, 4096 - 2}), 3 * aligned);
  EXPECT_DOUBLE_EQ(seconds(model, {1792, 1792, 4096 - 1}), 4 * aligned);
  EXPECT_DOUBLE_EQ(seconds(model, {1792, 1791, 4096}), 4 * aligned) << "rows of the output, too";
  EXPECT_DOUBLE_EQ(seconds(model, {1791, 1792, 4096}), aligned);
}

TEST(RooflineModel, AVectorHasNoRowsToAlign) {
  Device slow = plain_device(108);
  slow.roofline.unaligned_slowdown = 4;
  for (const Gemm gemm : {Gemm{1792, 1, 4096}, Gemm{1792, 1792, 1}}) {
    const double whole = seconds(RooflineModel(plain_device(108)), gemm);
    EXPECT_DOUBLE_EQ(seconds(RooflineModel(slow), gemm), whole) << gemm.n << " columns, K of " << gemm.k;
  }
}

double seconds(const Device& device, const Gemm& gemm, const ProductSparsity& sparsity) {
  return RooflineModel(device).cost({"", gemm, Datatype::fp16, sparsity}).seconds;
}

ProductSparsity zeros(double weights, double activations) {
  return {OperandSparsity(activations), OperandSparsity(weights)};
}

const OperandSparsity two_of_four(BlockPattern{2, 4});

TEST(RooflineModel, Sparsity) {
  Device device = plain_device(108);
  const Gemm large{1792, 1792, 65536}, small{16, 27648, 8192};
  const double dense = seconds(RooflineModel(device), large);
  EXPECT_DOUBLE_EQ(seconds(device, large, zeros(0.9, 0.5)), dense) << "zeros are multiplied all the same";
  device.roofline.zero_skipping = 0.5;
  EXPECT_DOUBLE_EQ(seconds(device, large, zeros(0.9, 0.5)), dense * (1 - 0.5 * (1 - 0.1 * 0.5)));
  // Stored: a tenth of the weights, and a bit for each.
  const double bytes = 16 * 8192 * 2.0 + 27648.0 * 8192 * (0.1 * 2 + 0.125) + 16 * 27648 * 2.0;
  EXPECT_NEAR(seconds(slow_memory_device(), small, zeros(0.9, 0)), bytes / 1e12, 1e-15);
  device.roofline.structured_speedup = 2;
  EXPECT_DOUBLE_EQ(seconds(device, large, {{}, two_of_four}), dense / 2);
  EXPECT_DOUBLE_EQ(seconds(device, large, {two_of_four, {}}), dense / 2) << "either operand may have it";
}

// Half of the weights and 2 bits for each of them: (2 + 2 / 8) / 2 bytes for each weight. What fits the
// device's pattern is stored as that is; 4 bits find one of 16.
TEST(RooflineModel, PatternsAreStoredWithTheirPlaces) {
  Device device = slow_memory_device();
  device.roofline.structured_speedup = 2;
  const Gemm small{16, 27648, 8192};
  const auto seconds_with = [&](double weight_bytes) {
    return (16 * 8192 * 2.0 + 27648.0 * 8192 * weight_bytes + 16 * 27648 * 2.0) / 1e12;
  };
  EXPECT_NEAR(seconds(device, small, {{}, two_of_four}), seconds_with(1.125), 1e-15);
  EXPECT_NEAR(seconds(device, small, {{}, OperandSparsity(BlockPattern{1, 4})}), seconds_with(1.125), 1e-15);
  device.roofline.structured_pattern = {3, 16};
  EXPECT_NEAR(seconds(device, small, {{}, OperandSparsity(BlockPattern{3, 16})}),
              seconds_with(3 / 16.0 * (2 + 4 / 8.0)), 1e-15);
}

// 3 x 3 with a padding of 1 keeps 32 x 32 places; 64 images of them are the rows, 9 * 128 is K.
TEST(RooflineModel, ConvolutionIsAnImplicitGemm) {
  const RooflineModel model(plain_device(108));
  Convolution convolution{32, 32, 128, 256, 3, 3, 1, 1, 1, 1, 1, 64};
  const OperatorCost cost = model.cost({"", convolution, Datatype::fp16});
  EXPECT_DOUBLE_EQ(cost.seconds, seconds(model, {64 * 1024, 256, 9 * 128}));
  EXPECT_DOUBLE_EQ(cost.flops, 2.0 * 64 * 1024 * 256 * 9 * 128);
  EXPECT_DOUBLE_EQ(cost.bytes_read, 2.0 * (64 * 1024 * 128 + 9 * 128 * 256)) << "pixels are read once";
  convolution.stride_height = convolution.stride_width = 2;
  EXPECT_DOUBLE_EQ(model.cost({"", convolution, Datatype::fp16}).bytes_written, 2.0 * 64 * 256 * 256);
}

// Depthwise: columns of 1 would leave 127 of 128 cells of a tile idle; vector units are faster.
TEST(RooflineModel, DepthwiseConvolutionRunsOnVectorUnits) {
  const RooflineModel model(plain_device(108));
  const Convolution depthwise{32, 32, 512, 512, 3, 3, 1, 1, 1, 1, 512, 64};
  const double flops = 2.0 * 64 * 1024 * 512 * 9, bytes = 2.0 * (2 * 64 * 1024.0 * 512 + 512 * 9);
  EXPECT_DOUBLE_EQ(model.cost({"", depthwise, Datatype::fp16}).seconds,
                   std::max(flops / 27e12, bytes / 1e13));
}

TEST(RooflineModel, Elementwise) {
  const RooflineModel model(plain_device(108));
  const OperatorCost add = model.cost({"", Elementwise{1e6, 2'000'000, 1'000'000}, Datatype::fp16});
  EXPECT_DOUBLE_EQ(add.seconds, 6e6 / 1e13);
  EXPECT_EQ(add.bound, OperatorCost::Bound::memory);
  EXPECT_DOUBLE_EQ(model.cost({"", Elementwise{1e12, 1, 1}, Datatype::bf16}).seconds, 0.1) << "as fp32";
}

// 64 queries in each of 4 heads, and 256 keys, of which half are masked.
TEST(RooflineModel, AttentionByItsKernel) {
  Device device = plain_device(108);
  device.exponential_rate = 1e12;
  device.attention_kernel = {.forward = 0.5, .backward = 0.25, .exponentials = 3, .more_keys = 16};
  const RooflineModel model(device);
  Attention attention{64, 256, 4, 4, 128, 128, true};
  const double scores = 64 * 4 * (128 + 16), peak = 108e12;
  EXPECT_NEAR(model.cost({"", attention, Datatype::fp16}).seconds, scores * (4 * 128 / (0.5 * peak) + 3e-12),
              1e-18);
  attention.backward = true;
  EXPECT_NEAR(model.cost({"", attention, Datatype::fp16}).seconds,
              scores * (10 * 128 / (0.25 * peak) + 3e-12), 1e-18);
  EXPECT_DOUBLE_EQ(model.explain({"", attention, Datatype::fp16}).cost.seconds,
                   model.cost({"", attention, Datatype::fp16}).seconds);
}

TEST(RooflineModel, KernelsPassMoreOftenOverMemory) {
  Device device = plain_device(108);
  device.pointwise.passes[static_cast<std::size_t>(PointwiseKind::norm)] = {2, 3};
  const RooflineModel model(device);
  const auto bytes = [&](PointwiseKind kind, bool backward) {
    const OperatorCost cost =
        model.cost({"", Elementwise{0, 2'000'000, 1'000'000, kind, backward}, Datatype::fp16});
    EXPECT_DOUBLE_EQ(cost.seconds, (cost.bytes_read + cost.bytes_written) / 1e13);
    return cost.bytes_read + cost.bytes_written;
  };
  EXPECT_EQ(bytes(PointwiseKind::norm, false), 12e6);
  EXPECT_EQ(bytes(PointwiseKind::norm, true), 18e6);
  EXPECT_EQ(bytes(PointwiseKind::loss, true), 6e6);
}

// Power leaves 0.8 of the speed after the first millisecond.
TEST(RooflineModel, LongProductsAreSlowedByPower) {
  Device device = plain_device(108);
  device.roofline.boost_seconds = 1e-3;
  device.roofline.sustained_share = 0.8;
  const auto at_full_speed = [](const Gemm& gemm) { return seconds(RooflineModel(plain_device(108)), gemm); };
  const Gemm quick{1792, 1792, 8192}, slow{1792, 1792, 1 << 17};
  ASSERT_LT(at_full_speed(quick), 1e-3);
  EXPECT_DOUBLE_EQ(seconds(RooflineModel(device), quick), at_full_speed(quick));
  EXPECT_NEAR(seconds(RooflineModel(device), slow), 1e-3 + (at_full_speed(slow) - 1e-3) / 0.8, 1e-12);
  const CostExplanation why = RooflineModel(device).explain({"", slow, Datatype::fp16});
  double sum = why.ideal_seconds;
  for (const auto& [word, loss] : loss_words) sum += why.lost_to(loss);
  EXPECT_NEAR(sum, why.cost.seconds, 1e-12);
}

TEST(RooflineModel, ProductsInFp32HaveConstantsOfTheirOwn) {
  Device device = plain_device(108);
  device.roofline.fp32 = ProductConstants{
      .launch_seconds = 5e-6, .matrix_efficiency = 0.5, .memory_efficiency = 1, .tiles = {{256, 128}}};
  const Gemm gemm{1792, 1792, 4096};
  const double wave = tile_flops(4096) / (10e12 / 108 * 0.5);
  EXPECT_DOUBLE_EQ(seconds(RooflineModel(device), gemm, Datatype::fp32), 5e-6 + wave);
  EXPECT_DOUBLE_EQ(seconds(RooflineModel(device), gemm), seconds(RooflineModel(plain_device(108)), gemm));
}

TEST(RooflineModel, UnknownDatatype) {
  try {
    seconds(RooflineModel(plain_device(108)), {8, 8, 8}, Datatype::fp8);
    FAIL();
  } catch (const InputError& error) {
    EXPECT_EQ(std::string(error.what()), "error: plain has no peak for fp8; use `fp32` or `fp16`");
  }
}

// Extents whose product is beyond 64 bits.
TEST(RooflineModel, HugeProducts) {
  constexpr std::uint64_t extent = 1ull << 40;
  const OperatorCost cost =
      RooflineModel(plain_device(108)).cost({"", Gemm{extent, extent, extent, extent}, Datatype::fp16});
  EXPECT_DOUBLE_EQ(cost.flops, std::pow(2.0, 161));
  EXPECT_NEAR(cost.utilization, 1, 1e-6);
}

}  // namespace
}  // namespace orrery::core::roofline_model_test
