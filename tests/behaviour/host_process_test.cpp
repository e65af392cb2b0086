// Tests the process that drives the devices of a server (docs/models/host-process.md), the stages of
// training, and epochs of which only the first steps are simulated, against times worked out by hand.
#include <gtest/gtest.h>

#include <string>

#include "orrery/experiment.hpp"

namespace orrery::core::host_process_test {
namespace {

orrery::Runs run_of(const std::string& text) {
  const auto parsed = orrery::Experiment::from(orrery::Document::parse(text).value());
  EXPECT_TRUE(parsed.ok()) << text;
  orrery::Runs runs = parsed.value().simulate();
  EXPECT_TRUE(runs.ok()) << text;
  return runs;
}

// Returns a cell of runs.csv, or -1 where it is empty.
double cell(const orrery::Runs& runs, const std::string& column) {
  return runs.table("runs").value().real(0, column).value_or(-1);
}

// Two layers on two NPUs. An all-reduce of 20 MB takes 2 ms and some latencies.
std::string two_layers(const std::string& more) {
  return "network: [ { topology: ring, size: 2, bandwidth: 5 GB/s, latency: 1 us } ]\n"
         "workload:\n"
         "  host: { batch-time: 5 ms, sample-time: 1 ms, call-time: 1 ms, exchange-time: 3 ms, metric-time: "
         "500 us }\n" +
         more +
         "  layers:\n"
         "    - { name: a, forward: { compute: 1 ms }, weight-gradient: { compute: 2 ms, collective: "
         "all-reduce, size: "
         "20 MB } }\n"
         "    - { name: b, forward: { compute: 1 ms }, input-gradient: { compute: 3 ms },\n"
         "        weight-gradient: { compute: 2 ms, collective: all-reduce, size: 20 MB } }\n";
}

double sum_of_stages(const orrery::Runs& runs) {
  return cell(runs, "forward_us") + cell(runs, "backward_us") + cell(runs, "weight_update_us") +
         cell(runs, "evaluation_us") + cell(runs, "idle_us");
}

// Of the exchanges, that of the second layer is hidden, and half of the first layer's behind the evaluation.
TEST(HostProcess, StagesOfTrainingAreWhatItAndDevicesTake) {
  const orrery::Runs runs = run_of(two_layers(""));
  EXPECT_NEAR(cell(runs, "forward_us"), 5000 + 2 * 1000 + 2 * 1000, 1e-3);
  EXPECT_NEAR(cell(runs, "backward_us"), 2000 + 3000 + 2000, 1e-3);
  EXPECT_NEAR(cell(runs, "evaluation_us"), 2 * 500, 1e-3);
  EXPECT_NEAR(cell(runs, "weight_update_us"), 2 * (2 * 1000 + 3000) + 1000, 50);
  EXPECT_NEAR(cell(runs, "host_us"), 7000 + 10000 + 1000, 1e-3);
  EXPECT_NEAR(cell(runs, "device_utilization"), 9000 / cell(runs, "total_us"), 1e-6);
  EXPECT_NEAR(sum_of_stages(runs), cell(runs, "total_us"), 1e-3);
}

TEST(HostProcess, StartsABucketOnce) {
  const orrery::Runs runs = run_of(two_layers("  gradient-buckets: { size: 1 GiB, first: 1 GiB }\n"));
  EXPECT_NEAR(cell(runs, "host_us"), 7000 + 2 * 2000 + 3000 + 1000, 1e-3);
  EXPECT_NEAR(cell(runs, "weight_update_us"), 2 * 2000 + 3000 + 4000 - 1000, 50);
}

TEST(HostProcess, DrivesThoseWhoPushAndPull) {
  const orrery::Runs runs = run_of(two_layers("  parameter-server: { servers: sharded }\n"));
  EXPECT_NEAR(cell(runs, "forward_us"), 9000, 1e-3);
  EXPECT_NEAR(cell(runs, "backward_us"), 7000, 1e-3);
  EXPECT_NEAR(cell(runs, "host_us"), 18000, 1e-3);
  EXPECT_NEAR(sum_of_stages(runs), cell(runs, "total_us"), 1e-3);
}

std::string epochs(int passes, const std::string& epoch) {
  return "network: [ { topology: ring, size: 4, bandwidth: 10 GB/s, latency: 1 us } ]\n"
         "workload: { model: lenet5, batch: 8, peak: 1 TFLOP/s, host: { batch-time: 1 ms }" +
         epoch + " }\npasses: " + std::to_string(passes) + "\n";
}

// 3,200 samples are 100 steps of 8 samples on each of 4 NPUs.
TEST(HostProcess, AnEpochIsAsLongAsAllOfItsSteps) {
  const double all = cell(run_of(epochs(100, "")), "total_us");
  for (const int passes : {2, 3, 7})
    EXPECT_NEAR(1e6 * cell(run_of(epochs(passes, ", epoch: 3200")), "epoch_s"), all, 1e-3) << passes;
  EXPECT_NEAR(1e6 * cell(run_of(epochs(2, ", epoch: 3169")), "epoch_s"), all, 1e-3);
  EXPECT_EQ(cell(run_of(epochs(2, "")), "epoch_s"), -1);
}

TEST(HostProcess, AnEpochHasStepsThatFollowOthers) {
  for (const auto& [passes, epoch] : {std::pair(1, ", epoch: 3200"), std::pair(4, ", epoch: 96")}) {
    const auto parsed = orrery::Experiment::from(orrery::Document::parse(epochs(passes, epoch)).value());
    ASSERT_TRUE(parsed.ok());
    EXPECT_FALSE(parsed.value().simulate().ok()) << passes;
  }
}

}  // namespace
}  // namespace orrery::core::host_process_test
