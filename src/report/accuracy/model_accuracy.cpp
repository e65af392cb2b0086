#include "report/accuracy/model_accuracy.hpp"

#include <cmath>

namespace orrery::core {

namespace {

// The scales are those of transformers (report/training/training_accuracy.cpp).
constexpr NumberProperty model_numbers[] = {
    {"device", 1, peak_of_products},
    {"device", 2, bandwidth_of_memory},
    {"gpus", 5},
};
constexpr Properties model_properties{model_numbers, {}};

}  // namespace

RunProperties properties_of_model(const Device& device, std::uint64_t npus) {
  return {{std::log(peak_of_products(device)), std::log(bandwidth_of_memory(device)),
           std::log(static_cast<double>(npus))},
          {}};
}

const MeasuredErrors& model_errors() {
  static const MeasuredErrors errors = measured_errors_named(model_properties, "models");
  return errors;
}

PredictionAccuracy model_accuracy(const Device& device, std::uint64_t npus, double share) {
  return {model_errors().interval_for(properties_of_model(device, npus), share), {}, device.name};
}

}  // namespace orrery::core
