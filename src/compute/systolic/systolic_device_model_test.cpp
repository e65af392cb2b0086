#include "compute/systolic/systolic_device_model.hpp"

#include <gtest/gtest.h>

#include "compute/device_file.hpp"
#include "compute/device_model.hpp"
#include "support/plain_device.hpp"

namespace orrery::core::systolic_device_model_test {
namespace {

// 1 TB/s, and a peak that the data sheet rounds down.
Device two_arrays() {
  Device device = with_two_arrays(plain_device(2));
  device.matrix_peak = device.vector_peak = {};
  device.matrix_peak[Datatype::bf16] = 65e12;
  device.matrix_peak[Datatype::int8] = 131.072e12;
  device.memory_bandwidth = Bandwidth::from_gb_per_s(1000);
  return device;
}

double seconds(const Device& device, Gemm gemm, Datatype type = Datatype::bf16) {
  return SystolicDeviceModel(device).cost({"a", gemm, type}).seconds;
}

// M is split between the arrays; 64 folds of 4096 + 3 * 128 - 2 cycles.
TEST(SystolicDeviceModel, ProductsTakeTheirCycles) {
  const double cycles = 64.0 * (4096 + 382) - 1;
  EXPECT_DOUBLE_EQ(seconds(two_arrays(), {8192, 1024, 1024, 1}), cycles * 1e-9);
  Device device = two_arrays();
  device.roofline.launch_seconds = 1e-6;
  EXPECT_DOUBLE_EQ(seconds(device, {8192, 1024, 1024, 1}), 1e-6 + cycles * 1e-9);
}

// The same products as for themselves, without their scores in main memory.
TEST(SystolicDeviceModel, AttentionTakesItsProducts) {
  const Device device = two_arrays();
  const Attention attention{1024, 1024, 16, 16, 128, 128, false, false};
  const double products = seconds(device, {1024, 1024, 128, 16}) + seconds(device, {1024, 128, 1024, 16});
  const SystolicDeviceModel model(device);
  EXPECT_DOUBLE_EQ(model.cost({"a", attention, Datatype::bf16}).seconds, products);
  Attention masked = attention;
  masked.causal = true;
  EXPECT_DOUBLE_EQ(model.cost({"a", masked, Datatype::bf16}).seconds, products / 2);
  Attention backward = attention;
  backward.backward = true;
  EXPECT_GT(model.cost({"a", backward, Datatype::bf16}).seconds, 2 * products);
}

double seconds_with(const Device& device, const Gemm& gemm, const ProductSparsity& sparsity) {
  return SystolicDeviceModel(device).cost({"a", gemm, Datatype::bf16, sparsity}).seconds;
}

// Arrays that hold half of the weights have half of the folds along K: 4 of 128 rows in place of 8, and each
// fold takes 4096 + 3 * 128 - 2 cycles. One of four weights is held as two of four, or by itself where the
// device knows 1:4.
TEST(SystolicDeviceModel, PatternsOfWeightsTakeFewerFolds) {
  Device device = two_arrays();
  device.roofline.structured_speedup = 2;
  const Gemm gemm{8192, 1024, 1024, 1};
  const OperandSparsity half(BlockPattern{2, 4}), quarter(BlockPattern{1, 4});
  constexpr double fold = 4096 + 382;
  EXPECT_DOUBLE_EQ(seconds_with(device, gemm, {{}, half}), (32 * fold - 1) * 1e-9);
  EXPECT_DOUBLE_EQ(seconds_with(device, gemm, {{}, quarter}), (32 * fold - 1) * 1e-9);
  device.roofline.structured_pattern = {1, 4};
  EXPECT_DOUBLE_EQ(seconds_with(device, gemm, {{}, quarter}), (32 * fold - 1) * 1e-9)
      << "as the speedup says";
  device.roofline.structured_speedup = 4;
  EXPECT_DOUBLE_EQ(seconds_with(device, gemm, {{}, quarter}), (16 * fold - 1) * 1e-9);
}

TEST(SystolicDeviceModel, ZerosAnywhereTakeTimeUnlessTheyAreSkipped) {
  Device device = two_arrays();
  const Gemm gemm{8192, 1024, 1024, 1};
  const ProductSparsity zeros{OperandSparsity(0.5), OperandSparsity(0.8)};
  EXPECT_DOUBLE_EQ(seconds_with(device, gemm, zeros), seconds(device, gemm));
  device.roofline.zero_skipping = 0.5;
  EXPECT_DOUBLE_EQ(seconds_with(device, gemm, zeros), seconds(device, gemm) * (1 - 0.5 * (1 - 0.5 * 0.2)));
}

TEST(SystolicDeviceModel, FormatsOfTwiceThePeakTakeHalfAsLong) {
  EXPECT_DOUBLE_EQ(seconds(two_arrays(), {8192, 1024, 1024, 1}, Datatype::int8),
                   seconds(two_arrays(), {8192, 1024, 1024, 1}) / 2);
  EXPECT_THROW(seconds(two_arrays(), {8192, 1024, 1024, 1}, Datatype::fp16), InputError);
}

// 1 x 4096 by 4096 x 4096: all weights have to come in, 32 MiB and a little.
TEST(SystolicDeviceModel, ThinProductsWaitForMemory) {
  Device device = two_arrays();
  device.memory_bandwidth = Bandwidth::from_gb_per_s(10);
  const OperatorCost cost = SystolicDeviceModel(device).cost({"a", Gemm{1, 4096, 4096, 1}, Datatype::bf16});
  EXPECT_DOUBLE_EQ(cost.seconds, 2.0 * (4096.0 * 4096 + 2 * 4096) / 10 * 1e-9);
  EXPECT_EQ(cost.bound, OperatorCost::Bound::memory);
}

// Each array takes half of a batch of small products, which is faster than sharing each.
TEST(SystolicDeviceModel, BatchesAreSharedOut) {
  EXPECT_DOUBLE_EQ(seconds(two_arrays(), {128, 128, 128, 9}), 5 * ((128 + 382) - 1) * 1e-9);
}

TEST(SystolicDeviceModel, EverythingElseIsTheRooflines) {
  const Device device = two_arrays();
  const Operator op{"a", Elementwise{1000, 1000, 1000}, Datatype::bf16};
  EXPECT_EQ(SystolicDeviceModel(device).cost(op).seconds, RooflineModel(device).cost(op).seconds);
}

// Large products reach nearly the published peak, with every TPU of the catalogue, through the factory.
TEST(DeviceModel, TpusAreSystolicArrays) {
  int found = 0;
  for (const std::string_view name : device_names()) {
    const ComputingDevice device = find_computing_device(std::string(name), {}, no_files());
    EXPECT_EQ(dynamic_cast<const SystolicDeviceModel*>(device.model.get()) != nullptr,
              device.facts.systolic.has_value());
    if (!device.facts.systolic) continue;
    ++found;
    const Datatype type = usual_datatype(device.facts);
    EXPECT_EQ(type, Datatype::bf16) << name;
    const double utilization = device.model->cost({"a", Gemm{1 << 20, 8192, 8192, 1}, type}).utilization;
    EXPECT_GT(utilization, 0.98) << name;
    EXPECT_LE(utilization, 1) << name;  // also where the data sheet rounds the peak down
  }
  EXPECT_EQ(found, 5);
}

TEST(DeviceModel, TheUsualDatatypeIsOneTheDeviceHas) {
  EXPECT_EQ(usual_datatype(find_device("v100", {}, no_files())), Datatype::fp16);
  EXPECT_EQ(usual_datatype(Device{}), Datatype::fp32);
}

TEST(DeviceModel, ArraysNeedAClock) {
  Device device = two_arrays();
  device.clock_hz = 0;
  EXPECT_THROW(computing_device(device), InputError);
}

}  // namespace
}  // namespace orrery::core::systolic_device_model_test
