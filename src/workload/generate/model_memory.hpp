// The memory of devices that train a neural network by its layer table.
#pragma once

#include <cstdint>
#include <vector>

#include "memory/memory_verdict.hpp"
#include "workload/astra1/layer_table.hpp"
#include "workload/models/neural_network.hpp"

namespace orrery::core {

// What the devices of a layer table keep.
struct TableMemory {
  // The memory that a device of each stage needs. Where there is no pipeline there is one entry: the device
  // that needs most.
  std::vector<DeviceMemory> stages;
  // By row: the activations that its forward pass of a batch, or of a micro-batch, leaves for its backward
  // pass.
  std::vector<Bytes> activations;
};

struct ModelMemory {
  MemoryVerdict verdict;  // on the stage that needs most
  TableMemory table;
};

// What the memory depends on besides the network.
struct MemoryConditions {
  MemoryProfile profile;
  TrainingDemand demand;  // parameters and elements follow from the network
  Bytes capacity;         // memory of a device
  std::uint64_t npus = 1;
  int stages = 1;  // of the pipeline, if the table has one
};

// Returns the memory. The network is that of one device, and with a pipeline that of one micro-batch. Batches
// of the verdict are those of a training step. The table has to be made from the network.
ModelMemory model_memory(const NeuralNetwork& network, const LayerTable& table,
                         const MemoryConditions& conditions);

}  // namespace orrery::core
