// Checks whether a transformer's training fits the memory of its devices.
#pragma once

#include "base/diagnostics/diagnostics.hpp"
#include "workload/training/training_setup.hpp"
#include "workload/transformer/blocks/transformer_memory.hpp"

namespace orrery::core {

// Returns the memory that a stage needs. `parts` must be model_parts() of the setup's model and plan.
StageMemory memory_of_stage(const TrainingSetup& setup, std::size_t stage, const ModelParts& parts);
// Returns the bytes that the stage with the largest need takes on a device.
double max_memory(const TrainingSetup& setup, const ModelParts& parts);
double max_memory(const TrainingSetup& setup);
// Returns the bytes of a device that training may use.
double usable_memory(const TrainingSetup& setup);

// Returns the most sequences of a step of inference that fit, over all replicas; 0: not even one.
std::uint64_t largest_inference_batch(const TrainingSetup& setup);

// Throws InputError that says what would fit, or warns when the user allows that memory does not suffice.
void require_training_memory(const TrainingSetup& setup, bool allow, Warnings& warnings);

}  // namespace orrery::core
