// What measured steps of models of layers, such as convolutional networks, tell about a step that is
// predicted.
#pragma once

#include <cstdint>

#include "report/accuracy/measured_errors.hpp"

namespace orrery::core {

RunProperties properties_of_model(const Device& device, std::uint64_t npus);

// Returns the errors of measured steps of such models.
const MeasuredErrors& model_errors();

// Returns how far off the time of a step may be.
PredictionAccuracy model_accuracy(const Device& device, std::uint64_t npus, double share);

}  // namespace orrery::core
