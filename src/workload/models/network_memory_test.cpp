// The memory model against what the five networks of the DGX-1 study took (tests/golden/memory). All three
// columns are scored, with the three constants of share/orrery/memory/mxnet-dgx1.yaml for all networks.
#include "workload/models/network_memory.hpp"
#include "support/source_dir.hpp"

#include <gtest/gtest.h>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <map>
#include <sstream>
#include <string>
#include <vector>

#include "base/files/file.hpp"
#include "memory/memory_verdict.hpp"
#include "workload/models/model_catalogue.hpp"

namespace orrery::core::network_memory_test {
namespace {

constexpr double gib = 0x1p30;

struct Measurement {
  TrainingDemand demand;
  std::uint64_t batch;
  double before_training, first, other;  // GiB
};

std::vector<Measurement> read_measurements() {
  const std::map<std::string, std::string> models{{"LeNet", "lenet224"},
                                                  {"AlexNet", "alexnet"},
                                                  {"ResNet", "resnet101"},
                                                  {"GoogLeNet", "googlenet"},
                                                  {"Inception-v3", "inception-v3"}};
  std::istringstream lines(
      read_file_of_any_kind(fmt::format("{}/tests/golden/memory/dgx1_mxnet_2019.csv", test::source_dir())));
  std::string line;
  std::getline(lines, line);
  std::vector<Measurement> measurements;
  while (std::getline(lines, line)) {
    std::vector<std::string> cells;
    std::istringstream fields(line);
    for (std::string cell; std::getline(fields, cell, ',');) cells.push_back(cell);
    // The last column is that of the other GPUs without its misprint.
    measurements.push_back({training_demand(find_model(models.at(cells[0]), {}, no_files())),
                            std::stoull(cells[1]), std::stod(cells[2]), std::stod(cells[3]),
                            std::stod(cells[6])});
  }
  return measurements;
}

struct Errors {  // percent
  double mean = 0, worst = 0;
};

Errors errors_of(const std::function<double(const Measurement&)>& predicted, double Measurement::*measured) {
  const std::vector<Measurement> measurements = read_measurements();
  EXPECT_EQ(measurements.size(), 15u);
  Errors errors;
  for (const Measurement& m : measurements) {
    const double error = 100 * std::abs(predicted(m) / gib / (m.*measured) - 1);
    errors.mean += error / double(measurements.size());
    errors.worst = std::max(errors.worst, error);
  }
  return errors;
}

// Bounds a little above what the fit gives (scripts/fit-memory); 5 % and 12 % are the aim.
TEST(NetworkMemory, measured_on_a_dgx1) {
  const MemoryProfile profile = find_memory_profile("mxnet-dgx1", {}, no_files());
  const Errors before =
      errors_of([&](auto& m) { return memory_before_training(profile, m.demand, m.batch).total(); },
                &Measurement::before_training);
  EXPECT_LT(before.mean, 3.8);
  EXPECT_LT(before.worst, 6.6);
  const Errors other = errors_of(
      [&](auto& m) { return memory_of_training(profile, m.demand, m.batch, DevicePlace::other).total(); },
      &Measurement::other);
  EXPECT_LT(other.mean, 3.9);
  EXPECT_LT(other.worst, 10.9);
  const Errors first = errors_of(
      [&](auto& m) { return memory_of_training(profile, m.demand, m.batch, DevicePlace::first).total(); },
      &Measurement::first);
  EXPECT_LT(first.mean, 4.9);
  EXPECT_LT(first.worst, 11.2);
}

// On that machine's cards of 16 GB a batch of 64 fitted for every network, and a batch of 128 did not fit for
// Inception-v3.
TEST(NetworkMemory, verdicts) {
  const MemoryProfile profile = find_memory_profile("mxnet-dgx1", {}, no_files());
  const Bytes capacity(16ull << 30);
  for (const Measurement& m : read_measurements())
    EXPECT_TRUE(judge_memory(profile, m.demand, m.batch, capacity, 8).fits());
  const TrainingDemand inception = training_demand(find_model("inception-v3", {}, no_files()));
  const MemoryVerdict verdict = judge_memory(profile, inception, 128, capacity, 8);
  EXPECT_FALSE(verdict.fits());
  EXPECT_FALSE(verdict.sharding);
  EXPECT_GE(verdict.largest_batch, 64u);
  EXPECT_LT(verdict.largest_batch, 128u);
}

TEST(NetworkMemory, classes_of_layers) {
  const ActivationClasses elements = activation_elements(find_model("googlenet", {}, no_files()));
  EXPECT_EQ(elements.input, 150'528);
  EXPECT_EQ(elements.products, 3'227'160 + 802'816);  // with LRN
  EXPECT_EQ(elements.pooling, 1'418'496);
  EXPECT_EQ(elements.concatenation, 1'235'584);
  EXPECT_EQ(elements.in_place, 3'226'160);
}

}  // namespace
}  // namespace orrery::core::network_memory_test
