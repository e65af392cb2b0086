#include "memory/memory_verdict.hpp"

#include <gtest/gtest.h>

#include <string>

namespace orrery::core::memory_verdict_test {
namespace {

constexpr double gib = 0x1p30;

// 1 GiB each of context and workspace; two copies of 1 Mi products of 4 bytes: 8 MiB per sample.
const MemoryProfile profile{.name = "x",
                            .context = Bytes(1ull << 30),
                            .workspace = Bytes(1ull << 30),
                            .store_on_first = false,
                            .copies = {.products = 2}};
// 16 bytes for each of 2^28 parameters: 4 GiB.
const TrainingDemand demand{.parameters = 0x1p28,
                            .elements = {.products = 0x1p20},
                            .optimizer = Optimizer::adam,
                            .precision = Precision::mixed};

TEST(MemoryVerdict, adds_up_and_compares_with_the_usable_part) {
  const MemoryVerdict verdict = judge_memory(profile, demand, 128, Bytes(8ull << 30), 1);
  EXPECT_EQ(verdict.required.total(), 7 * gib);  // 2 + 4 + 1
  EXPECT_DOUBLE_EQ(verdict.usable(), 0.92 * 8 * gib);
  EXPECT_TRUE(verdict.fits());
  // (7.36 - 6) GiB / 8 MiB = 174.08
  EXPECT_EQ(judge_memory(profile, demand, 256, Bytes(8ull << 30), 1).largest_batch, 174u);
  EXPECT_TRUE(judge_memory(profile, demand, 174, Bytes(8ull << 30), 1).fits());
  EXPECT_FALSE(judge_memory(profile, demand, 175, Bytes(8ull << 30), 1).fits());
}

TEST(MemoryVerdict, says_what_would_fit) {
  const MemoryVerdict verdict = judge_memory(profile, demand, 256, Bytes(8ull << 30), 8);
  EXPECT_FALSE(verdict.fits());
  EXPECT_EQ(verdict.sharding, (Sharding{1, 8}));  // 1 + 3/8 instead of 4 GiB
  EXPECT_EQ(
      message_of(verdict),
      "training needs 8.0 GiB per device at a batch of 256 (4.0 parameters and optimizer, 2.0 activations, "
      "2.0 framework), but 7.4 GiB can be used; a batch of 174 per device, sharding of stage 1 over 8 "
      "ranks or 2 devices in place of one would fit");
  // Only sharding of gradients, too, makes room for 2 + 1 + 0.5 / 8 ... GiB on a device of 4 GiB.
  EXPECT_EQ(judge_memory(profile, demand, 64, Bytes(4ull << 30), 8).sharding, (Sharding{2, 8}));
  const MemoryVerdict hopeless = judge_memory(profile, demand, 1, Bytes(2ull << 30), 8);
  EXPECT_FALSE(hopeless.sharding);
  EXPECT_EQ(hopeless.largest_batch, 0u);
  EXPECT_EQ(hopeless.devices, 0u);
  EXPECT_NE(message_of(hopeless).find("the framework's part alone does not fit"), std::string::npos);
}

TEST(MemoryVerdict, is_an_error_or_a_warning) {
  MemoryVerdict verdict = judge_memory(profile, demand, 256, Bytes(8ull << 30), 1);
  verdict.where = {"a.yaml", 3, 5};
  Warnings warnings;
  EXPECT_THROW(require_memory(verdict, false, warnings), InputError);
  require_memory(verdict, true, warnings);
  ASSERT_EQ(warnings.lines().size(), 1u);
  EXPECT_EQ(warnings.lines()[0].substr(0, 40), "a.yaml:3:5: warning: training needs 8.0 ");
  require_memory(judge_memory(profile, demand, 128, Bytes(8ull << 30), 1), false, warnings);
  require_memory(judge_memory(profile, demand, 256, Bytes(), 1), false, warnings);  // of unknown size
  EXPECT_EQ(warnings.lines().size(), 1u);
}

TEST(MemoryVerdict, names_every_part) {
  EXPECT_EQ(
      text_of(judge_memory(profile, demand, 128, Bytes(8ull << 30), 1)),
      "7.00 of 8.0 GiB per device: 0.50 weights, 0.50 gradients, 3.00 optimizer, 1.00 activations, 2.00 "
      "workspace (x)");
}

TEST(MemoryVerdict, optimizer_on_the_first_device) {
  MemoryProfile store = profile;
  store.store_on_first = true;
  const double first = memory_of_training(store, demand, 1, DevicePlace::first).total();
  const double other = memory_of_training(store, demand, 1, DevicePlace::other).total();
  EXPECT_EQ(first - other, 4 * gib);  // all of the state
  EXPECT_EQ(memory_of_training(store, demand, 1, DevicePlace::other).parameters.total(), gib);
  EXPECT_EQ(judge_memory(store, demand, 1, Bytes(8ull << 30), 1).required.total(), first);
}

}  // namespace
}  // namespace orrery::core::memory_verdict_test
