// Tests the law of docs/models/contention.md.
#include "compute/contention.hpp"

#include <gtest/gtest.h>

#include <random>

#include "base/files/file_loader.hpp"
#include "compute/device_file.hpp"

namespace orrery::core::contention_test {
namespace {

ComputingDevice device_named(const std::string& name) {
  return find_computing_device(name, {}, FileLoader(InputLog()));
}

// Sums of two vectors, which memory bounds.
Operator sum_of(std::uint64_t elements) {
  return {"sum", Elementwise{double(elements), 2 * elements, elements}, Datatype::fp16};
}
Operator product(std::uint64_t m, std::uint64_t n, std::uint64_t k) {
  return {"product", Gemm{m, n, k, 1}, Datatype::fp16};
}

double slowdown(const ComputingDevice& device, const Operator& op, const EndpointLoad& load) {
  const OperatorCost alone = device.model->cost(op);
  return 1 + ContendedDevice(device, load).more_seconds(op, alone) / alone.seconds;
}

TEST(Contention, LoadIsThatOfTheSlowerOfLinksAndNetwork) {
  const Device h100 = device_named("h100").facts;
  EXPECT_EQ(endpoint_load(h100, 50e9, memory_passes_of_copies), (EndpointLoad{24, 100e9}));
  EXPECT_EQ(endpoint_load(h100, 1e15, memory_passes_of_reductions), (EndpointLoad{24, 3 * 450e9}));
}

TEST(Contention, NothingIsTakenFromDevicesWithEnginesForCollectives) {
  EXPECT_EQ(endpoint_load(device_named("tpu-v4").facts, 100e9, 3), EndpointLoad());
  ComputingDevice h100 = device_named("h100");
  h100.facts.collective_processors = 0;
  const EndpointLoad load = endpoint_load(h100.facts, 100e9, 3);
  EXPECT_EQ(slowdown(h100, product(4096, 4096, 4096), load), 1);
  EXPECT_EQ(slowdown(h100, sum_of(1 << 28), load), 1);
  EXPECT_EQ(ContendedDevice(h100, load).slows(h100.model->cost(sum_of(1 << 28))), 0);
}

// Both ask the memory for all that it has: each gets half.
TEST(Contention, UsersOfTheMemoryShareItByWhatTheyAskFor) {
  const ComputingDevice h100 = device_named("h100");
  const double reached =
      h100.facts.memory_bandwidth.bytes_per_ns() * 1e9 * h100.facts.roofline.memory_efficiency;
  const Operator sum = sum_of(std::uint64_t{1} << 32);
  EXPECT_NEAR(slowdown(h100, sum, {1, reached}), 2, 0.01);
  EXPECT_NEAR(slowdown(h100, sum, {1, reached / 4}), 1.25, 0.01);
  EXPECT_NEAR(ContendedDevice(h100, {1, reached}).slows(h100.model->cost(sum)), 0.5, 0.01);
}

// On all 132 processors there is one wave of tiles, on fewer there are two.
TEST(Contention, AProductThatFillsTheProcessorsTakesASecondWave) {
  const ComputingDevice h100 = device_named("h100");
  const Operator full = product(11 * 128, 12 * 256, 65536);
  EXPECT_GT(slowdown(h100, full, {24, 0}), 1.6);
  EXPECT_LT(slowdown(h100, product(16384, 16384, 4096), {24, 0}), 1.35);
  EXPECT_GT(slowdown(h100, product(16384, 16384, 4096), {24, 0}), 132.0 / 108 - 0.05);
}

// A collective that leaves the memory to products loses nothing.
TEST(Contention, ProductsSlowNoCollectiveDown) {
  const ComputingDevice h100 = device_named("h100");
  const ContendedDevice contended(h100, endpoint_load(h100.facts, 50e9, memory_passes_of_copies));
  EXPECT_EQ(contended.slows(h100.model->cost(product(8192, 8192, 8192))), 0);
}

TEST(Contention, NoOperatorIsFasterAndNoCollectiveEither) {
  std::mt19937 random(1);
  const auto up_to = [&](std::uint64_t most) {
    return std::uniform_int_distribution<std::uint64_t>(1, most)(random);
  };
  for (const std::string name : {"v100", "a100", "h100", "b200", "mi300x"}) {
    const ComputingDevice device = device_named(name);
    for (int i = 0; i < 400; ++i) {
      const EndpointLoad load = endpoint_load(device.facts, double(up_to(500)) * 1e9, i % 2 ? 2 : 3);
      const ContendedDevice contended(device, load);
      const Operator op = i % 3 ? product(up_to(5000), up_to(5000), up_to(5000)) : sum_of(up_to(1 << 28));
      const OperatorCost alone = device.model->cost(op);
      EXPECT_GE(contended.more_seconds(op, alone), 0);
      EXPECT_GE(contended.slows(alone), 0);
      EXPECT_LT(contended.slows(alone), 1);
    }
  }
}

}  // namespace
}  // namespace orrery::core::contention_test
