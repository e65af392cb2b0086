#include "report/training/training_accuracy.hpp"

#include <fmt/format.h>

#include <cmath>

namespace orrery::core {

namespace {

// The scales are round numbers with which intervals hold what they promise (docs/models/accuracy.md).
constexpr NumberProperty step_numbers[] = {
    {"device", 0.7, peak_of_products},
    {"device", 1.4, bandwidth_of_memory},
    {"gpus", 5},
};
constexpr WordProperty step_words[] = {
    {"stack", 0.25},
    {"scope", 0.6},
    {"model", 0.4},
    {"bits", 0.4},
};
constexpr double bits_per_byte = 8;
constexpr Properties step_properties{step_numbers, step_words};

// The errors of the memory of the fullest device in training.
const MeasuredErrors& memory_errors() {
  static const MeasuredErrors errors = measured_errors_named(step_properties, "memory");
  return errors;
}

}  // namespace

RunProperties properties_of(const TrainingSetup& setup) {
  const Device& device = setup.device.facts;
  const bool in_a_node = setup.gpus() <= static_cast<std::uint64_t>(setup.gpus_per_node());
  return {{std::log(peak_of_products(device)), std::log(bandwidth_of_memory(device)),
           std::log(static_cast<double>(setup.gpus()))},
          {setup.stack.name, in_a_node ? "node" : "across", setup.model.moe ? "moe" : "dense",
           fmt::format("{}", bits_per_byte * bytes_of(setup.plan.linear_type.value_or(setup.plan.type)))}};
}

const MeasuredErrors& step_errors_for(const TrainingSetup& setup) {
  static const MeasuredErrors training = measured_errors_named(step_properties, "training"),
                              inference = measured_errors_named(step_properties, "inference");
  return setup.plan.forward_only ? inference : training;
}

PredictionAccuracy step_accuracy(const TrainingSetup& setup, double share) {
  const RunProperties of = properties_of(setup);
  PredictionAccuracy accuracy{step_errors_for(setup).interval_for(of, share),
                              {},
                              fmt::format("{}, {}", setup.device.facts.name, setup.stack.name)};
  if (!setup.plan.forward_only) accuracy.memory = memory_errors().interval_for(of, share);
  return accuracy;
}

}  // namespace orrery::core
