// Computes the memory of the stages of a training step over time: what does not change, activations from a
// micro-batch's forward pass to its backward pass, and what backward passes need for a moment. The most that
// a stage keeps is what stages.csv says.
#pragma once

#include <vector>

#include "report/memory/memory_history.hpp"
#include "report/training/training_result.hpp"

namespace orrery::core {

// `result` is that of the program's recording.
std::vector<PartMemory> memory_of_stages(const TrainingResult& result, const Program& program,
                                         const Recording& recording);

}  // namespace orrery::core
