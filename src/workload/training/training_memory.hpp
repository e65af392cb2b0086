// Whether a transformer's training fits its devices.
#pragma once

#include "base/diagnostics.hpp"
#include "workload/training/training_setup.hpp"
#include "workload/transformer/transformer_memory.hpp"

namespace orrery {

StageMemory memory_of_stage(const TrainingSetup& setup, std::size_t stage);
// Of the stage that needs most, in bytes.
double most_memory(const TrainingSetup& setup);
// Of a device, in bytes.
double usable_memory(const TrainingSetup& setup);

// Throws InputError that says what would fit, or warns when the user allows it.
void require_training_memory(const TrainingSetup& setup, bool allow, Warnings& warnings);

}  // namespace orrery
