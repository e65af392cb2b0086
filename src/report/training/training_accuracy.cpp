#include "report/training/training_accuracy.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace orrery::core {

namespace {

// The scales are round numbers with which intervals hold what they promise (docs/models/accuracy.md).
constexpr NumberProperty step_numbers[] = {
    {"device", 1, peak_of_products},
    {"device", 2, bandwidth_of_memory},
    {"gpus", 5},
    {"utilization", 0.4},  // hardware FLOP use: where it is low, hosts and exchanges decide and not products
};
constexpr WordProperty step_words[] = {
    {"stack", 0.2},
    {"scope", 0.8},
    {"model", 0.6},
    {"bits", 0.8},
};
constexpr Properties step_properties{step_numbers, step_words};
// Memory does not depend on how quickly devices compute.
constexpr Properties memory_properties{std::span(step_numbers).first(3), step_words};
constexpr double bits_per_byte = 8;

// The errors of the memory of the fullest device in training.
const MeasuredErrors& memory_errors() {
  static const MeasuredErrors errors = measured_errors_named(memory_properties, "memory");
  return errors;
}

}  // namespace

RunProperties properties_of(const TrainingSetup& setup, double utilization) {
  const Device& device = setup.device.facts;
  const bool in_a_node = setup.gpus() <= static_cast<std::uint64_t>(setup.gpus_per_node());
  return {{std::log(peak_of_products(device)), std::log(bandwidth_of_memory(device)),
           std::log(static_cast<double>(setup.gpus())), std::log(utilization)},
          {setup.stack.name, in_a_node ? "node" : "across", setup.model.moe ? "moe" : "dense",
           fmt::format("{}", bits_per_byte * bytes_of(setup.plan.linear_type.value_or(setup.plan.type)))}};
}

const MeasuredErrors& step_errors_for(const TrainingSetup& setup) {
  static const MeasuredErrors training = measured_errors_named(step_properties, "training"),
                              inference = measured_errors_named(step_properties, "inference");
  return setup.plan.forward_only ? inference : training;
}

PredictionAccuracy step_accuracy(const TrainingSetup& setup, double utilization, double share) {
  RunProperties of = properties_of(setup, utilization);
  PredictionAccuracy accuracy{step_errors_for(setup).interval_for(of, share),
                              {},
                              fmt::format("{}, {}", setup.device.facts.name, setup.stack.name)};
  // No step is so short that devices would exceed their peak.
  accuracy.time.low = std::max(accuracy.time.low, utilization);
  of.logarithms.pop_back();
  if (!setup.plan.forward_only) accuracy.memory = memory_errors().interval_for(of, share);
  return accuracy;
}

}  // namespace orrery::core
