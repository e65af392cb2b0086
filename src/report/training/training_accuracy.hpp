// What measured steps of transformers tell about a step that is predicted.
#pragma once

#include "report/accuracy/measured_errors.hpp"
#include "workload/training/training_setup.hpp"

namespace orrery::core {

RunProperties properties_of(const TrainingSetup& setup);

// Returns the errors of the times of such steps: of training, or of inference.
const MeasuredErrors& step_errors_for(const TrainingSetup& setup);
// Returns how far off the time of the step and its memory may be.
PredictionAccuracy step_accuracy(const TrainingSetup& setup, double share = usual_interval_share);

}  // namespace orrery::core
