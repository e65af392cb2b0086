// Tests what devices keep in memory over time while they train a model by its layers.
#include <gtest/gtest.h>

#include <algorithm>

#include "study/experiment/experiment.hpp"
#include "study/run/run.hpp"

namespace orrery::core::test::model_memory_test {
namespace {

constexpr const char* network = R"(
network:
  - { name: inner, topology: ring, size: 2, bandwidth: 50 GB/s, latency: 500 ns }
  - { name: outer, topology: switch, size: 4, bandwidth: 10 GB/s, latency: 1 us }
passes: 2
)";

struct History {
  explicit History(const std::string& workload) {
    Warnings warnings;
    const RunSpec spec = read_experiment(network + workload, "x.yaml", {}, warnings, InputLog()).runs.at(0);
    const RunResult result = carry_out(spec, warnings);
    parts = spec.workload->memory_history(result);
    need = spec.workload->summary(spec, result).memory;
    end = result.recording.end();
  }

  std::vector<PartMemory> parts;
  std::optional<MemoryVerdict> need;
  Time end;
};

// Expects that one interval follows the other and that the kinds of memory add up, with no activations at
// both ends.
void expect_sound(const History& history) {
  for (const PartMemory& part : history.parts) {
    SCOPED_TRACE(part.part);
    Time last;
    for (const MemoryInterval& interval : part.intervals) {
      EXPECT_EQ(interval.start, last);
      last = interval.end;
      double sum = 0;
      for (const std::optional<double>& kept : interval.kept) sum += kept.value_or(0);
      EXPECT_EQ(sum, interval.total);
      EXPECT_GE(*interval[MemoryKind::activations], 0);
    }
    EXPECT_EQ(last, history.end);
    EXPECT_EQ(*part.intervals.back()[MemoryKind::activations], 0);
  }
}

// All activations are there when the forward pass has ended.
TEST(ModelMemory, PeaksAtWhatTrainingNeeds) {
  for (const char* model : {"resnet50", "vgg16", "googlenet"}) {
    SCOPED_TRACE(model);
    const History history(std::string("device: a100\nworkload: { model: ") + model + ", batch: 32 }\n");
    ASSERT_EQ(history.parts.size(), 1u);
    EXPECT_EQ(history.parts[0].part, "all");
    EXPECT_NEAR(history.parts[0].peak(), history.need->required.total(), 1);
    expect_sound(history);
    const auto most = std::ranges::max_element(history.parts[0].intervals, {}, &MemoryInterval::total);
    EXPECT_NEAR(*(*most)[MemoryKind::activations], history.need->required.activations, 1);
  }
}

// Stages keep what is in flight, at most what the verdict counts.
TEST(ModelMemory, StagesKeepTheirMicroBatches) {
  const History history(
      "device: a100\nworkload: { model: resnet50, batch: 48, pipeline: { micro-batches: 6 } }\n");
  ASSERT_EQ(history.parts.size(), 4u);
  expect_sound(history);
  double most = 0;
  for (const PartMemory& part : history.parts) most = std::max(most, part.peak());
  EXPECT_LE(most, history.need->required.total() + 1);
  EXPECT_GT(most, history.need->required.parameters.total() + 0.5 * history.need->required.activations);
}

TEST(ModelMemory, IsNotKnownOfLayersThatGiveTheirTimes) {
  const History history("workload: { layers: [ { name: a, forward: { compute: 5 us } } ] }\n");
  EXPECT_TRUE(history.parts.empty());
}

}  // namespace
}  // namespace orrery::core::test::model_memory_test
