// Memory of the stages of a pipeline.
#pragma once

#include "memory/memory_verdict.hpp"
#include "workload/astra1/layer_table.hpp"
#include "workload/models/neural_network.hpp"

namespace orrery {

// Judges the memory of the stage that needs most: parameters of its layers, and activations of as many
// micro-batches as are in flight there. `network` must be that of one micro-batch and `table` made from it;
// `demand` gives everything but parameters and elements. Batches of the verdict are those of a training step.
MemoryVerdict judge_pipeline_memory(const NeuralNetwork& network, const LayerTable& table, int stages,
                                    const MemoryProfile& profile, const TrainingDemand& demand,
                                    Bytes capacity);

}  // namespace orrery
