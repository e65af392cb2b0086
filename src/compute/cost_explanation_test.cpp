// The time of an ideal device and what is lost beside that add up to what a model says that an operator
// takes.
#include "compute/cost_explanation.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <memory>
#include <numeric>

#include "base/random.hpp"
#include "compute/aligned_batches.hpp"
#include "compute/device_file.hpp"
#include "compute/device_model.hpp"
#include "compute/measured/measured_model.hpp"
#include "compute/roofline/roofline_model.hpp"
#include "compute/systolic/systolic_model.hpp"
#include "support/plain_device.hpp"

namespace orrery::core::cost_explanation_test {
namespace {

CostExplanation explain(const Device& device, const Gemm& gemm) {
  return RooflineModel(device).explain({"a", gemm, Datatype::fp16});
}

constexpr double tile_flops(double k) {
  return 2.0 * 256 * 128 * k;
}

// 100 tiles are a wave in which nothing is lost.
TEST(CostExplanation, FullWavesLoseNothing) {
  const CostExplanation e = explain(plain_device(100), {2560, 1280, 4096});
  EXPECT_DOUBLE_EQ(e.ideal_seconds, e.cost.seconds);
  EXPECT_EQ(e.limit, Limit::matrix_units);
  ASSERT_TRUE(e.tiles);
  EXPECT_EQ(e.tiles->waves, 1);
  EXPECT_DOUBLE_EQ(e.tiles->last_wave, 1);
  EXPECT_DOUBLE_EQ(e.tiles->covered, 1);
}

// 11 * 10 tiles are two waves, of which the second has 10 tiles. A tile takes 2 * 256 * 128 * 4096 FLOP at 1
// TFLOP/s.
TEST(CostExplanation, TheLastWaveHasIdleProcessors) {
  const CostExplanation e = explain(plain_device(100), {2816, 1280, 4096});
  const double tile = tile_flops(4096) / 1e12;
  EXPECT_NEAR(e.lost_to(Loss::last_wave), 0.9 * tile, 1e-12);
  EXPECT_NEAR(e.lost_to(Loss::edges), 0, 1e-12);
  EXPECT_NEAR(e.tiles->last_wave, 0.1, 1e-12);
  EXPECT_EQ(e.largest_loss(), Loss::last_wave);
}

// Half of the last row of tiles is no output: 10 * 10 tiles for an area of 9.5 * 10.
TEST(CostExplanation, TilesHangOverEdges) {
  const CostExplanation e = explain(plain_device(100), {2432, 1280, 4096});
  const double tile = tile_flops(4096) / 1e12;
  EXPECT_NEAR(e.lost_to(Loss::edges), 0.05 * tile, 1e-12);
  EXPECT_NEAR(e.tiles->covered, 0.95, 1e-12);
  EXPECT_EQ(e.largest_loss(), Loss::edges);
}

TEST(CostExplanation, EachConstantHasItsLoss) {
  const double tile = tile_flops(4096) / 1e12;
  Device device = plain_device(100);
  device.roofline.matrix_efficiency = 0.5;
  EXPECT_NEAR(explain(device, {2560, 1280, 4096}).lost_to(Loss::rates), tile, 1e-12);
  device = plain_device(100);
  device.roofline.tile_seconds = 1e-6;
  EXPECT_NEAR(explain(device, {2560, 1280, 4096}).lost_to(Loss::filling), 1e-6, 1e-12);
  device = plain_device(100);
  device.roofline.load_bandwidth = 384 * 4096 * 2 / (3 * tile);  // of a tile's operands, three times too slow
  EXPECT_NEAR(explain(device, {2560, 1280, 4096}).lost_to(Loss::loading), 2 * tile, 1e-12);
  EXPECT_EQ(explain(device, {2560, 1280, 4096}).limit, Limit::loading);
  device = plain_device(100);
  device.roofline.launch_seconds = 7e-6;
  EXPECT_NEAR(explain(device, {2560, 1280, 4096}).lost_to(Loss::launch), 7e-6, 1e-12);
  device = plain_device(100);
  device.roofline.unaligned_slowdown = 4;
  EXPECT_NEAR(explain(device, {2560, 1279, 4096}).lost_to(Loss::alignment), 3 * tile, 1e-12);
}

// A batch of products of rows that are not aligned leaves the matrix units.
TEST(CostExplanation, BatchesOnVectorUnitsSaySo) {
  const Device device = plain_device(100);
  const AlignedBatches model(std::make_shared<RooflineModel>(device), device);
  const Operator op{"a", Gemm{256, 128, 100, 100}, Datatype::fp16};
  const CostExplanation e = model.explain(op);
  EXPECT_EQ(e.cost.seconds, model.cost(op).seconds);
  EXPECT_EQ(e.limit, Limit::vector_units);
  EXPECT_EQ(e.largest_loss(), Loss::other_units);
}

// Two arrays of 128 x 128 at 1 GHz share 8192 rows: 64 folds of 4096 steps each, and of 382 cycles beside
// them.
TEST(CostExplanation, ArraysFillAndEmptyInEachFold) {
  Device device = with_two_arrays(plain_device(100));
  device.matrix_peak[Datatype::bf16] = 65.536e12;
  const CostExplanation e =
      computing_device(device).model->explain({"a", Gemm{8192, 1024, 1024, 1}, Datatype::bf16});
  EXPECT_EQ(e.source, CostSource::systolic);
  EXPECT_EQ(e.limit, Limit::systolic_arrays);
  EXPECT_NEAR(e.lost_to(Loss::filling), (64 * 382 - 1) * 1e-9, 1e-12);
  ASSERT_TRUE(e.folds);
  EXPECT_EQ(e.folds->folds, 64);
  EXPECT_EQ(e.folds->mapped, 1);
  EXPECT_NEAR(e.folds->streaming, 4096.0 / 4478, 1e-5);
}

TEST(CostExplanation, MeasuredTimesSayHowTheyWereFound) {
  const MeasuredModel model(read_shape_table("m,n,k,time_us\n64,64,64,10\n256,64,64,40\n", "t.csv"),
                            Datatype::fp16, std::make_shared<RooflineModel>(plain_device(100)));
  const auto source = [&](const Gemm& gemm) { return model.explain({"a", gemm, Datatype::fp16}).source; };
  EXPECT_EQ(source({64, 64, 64}), CostSource::measured);
  EXPECT_EQ(source({128, 64, 64}), CostSource::interpolated);
  EXPECT_EQ(source({512, 512, 64}), CostSource::nearest_rate);
  const CostExplanation e = model.explain({"a", Gemm{64, 64, 64}, Datatype::fp16});
  EXPECT_DOUBLE_EQ(e.cost.seconds, 10e-6);
  EXPECT_DOUBLE_EQ(e.lost_to(Loss::unexplained), 10e-6 - e.ideal_seconds);
  EXPECT_FALSE(e.tiles);
}

Operator random_operator(Random& random, Datatype type) {
  const auto extent = [&](int most) { return static_cast<std::uint64_t>(random.between(1, most)); };
  switch (random.between(0, 3)) {
    case 0:
      return {"a", Gemm{extent(9000), extent(9000), extent(9000), extent(random.chance(50) ? 1 : 64)}, type};
    case 1: {
      Convolution c;
      c.height = c.width = extent(112) + 6;
      c.groups = random.chance(50) ? 1 : 8;
      c.channels = c.groups * extent(64);
      c.filters = c.groups * extent(64);
      c.filter_height = c.filter_width = extent(7);
      c.batch = extent(64);
      return {"a", c, type};
    }
    case 2:
      return {"a", Elementwise{1e9 * random.fraction(), extent(1 << 24), extent(1 << 24)}, type};
    default: {
      const std::uint64_t length = extent(4096), heads = extent(64);
      return {"a", Attention{length, length, heads, heads, 128, 128, random.chance(50), random.chance(50)},
              type};
    }
  }
}

void expect_sum(const ComputeModel& model, const Operator& op) {
  const OperatorCost cost = model.cost(op);
  const CostExplanation e = model.explain(op);
  EXPECT_EQ(e.cost.seconds, cost.seconds);
  EXPECT_EQ(e.cost.bound, cost.bound);
  EXPECT_EQ(e.cost.utilization, cost.utilization);
  EXPECT_NEAR(std::accumulate(e.lost.begin(), e.lost.end(), e.ideal_seconds), cost.seconds,
              1e-9 * cost.seconds);
  for (const auto& [word, loss] : loss_words) EXPECT_GE(e.lost_to(loss), -1e-9 * cost.seconds) << word;
  if (e.tiles) {
    EXPECT_GT(e.tiles->last_wave, 0);
    EXPECT_LE(e.tiles->last_wave, 1 + 1e-9);
    EXPECT_LE(e.tiles->covered, 1 + 1e-9);
  }
}

// This holds for every device of the catalogue.
TEST(CostExplanation, AddsUpToWhatTheModelSays) {
  Random random(1);
  for (const std::string_view name : device_names()) {
    const ComputingDevice device = find_computing_device(std::string(name), {}, no_files());
    const Datatype type = usual_datatype(device.facts);
    if (device.facts.product_peak(type) == 0) continue;
    const AlignedBatches aligned(device.model, device.facts);
    for (int i = 0; i < 60; ++i) {
      const Operator op = random_operator(random, type);
      SCOPED_TRACE(testing::Message() << name << ", operator " << i);
      expect_sum(*device.model, op);
      expect_sum(aligned, op);
    }
  }
}

TEST(CostExplanation, AddsUpOnArraysAlone) {
  Random random(2);
  SystolicArray array;
  array.bandwidth = 10;
  for (int i = 0; i < 100; ++i) expect_sum(SystolicModel(array), random_operator(random, Datatype::fp16));
}

TEST(CostExplanation, ModelsThatDoNotExplainThemselvesHaveOneLoss) {
  class OneSecond final : public ComputeModel {
    OperatorCost cost(const Operator&) const override {
      return {1, 10, 0, 0, OperatorCost::Bound::compute, 0.5};
    }
  };
  const OneSecond second;
  const ComputeModel& model = second;
  expect_sum(model, {"a", Gemm{}, Datatype::fp16});
  EXPECT_EQ(model.explain({"a", Gemm{}, Datatype::fp16}).source, CostSource::unknown);
}

}  // namespace
}  // namespace orrery::core::cost_explanation_test
