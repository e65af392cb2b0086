// A neural network that is trained on a machine: its layer table, and the memory that training takes on a
// device.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/diagnostics/diagnostics.hpp"
#include "base/files/file_loader.hpp"
#include "compute/device_model.hpp"
#include "memory/memory_verdict.hpp"
#include "workload/generate/model_memory.hpp"
#include "workload/generate/network_split.hpp"
#include "workload/models/network_layer_table.hpp"
#include "workload/models/neural_network.hpp"

namespace orrery::core {

// The choices with which a network is trained, or used.
struct Training {
  std::optional<TrainingPolicy> policy;  // one of strategy_words; none: as the network itself says
  std::vector<LayerStrategy> layers;     // under hybrid_customized
  SplitMachine machine;                  // bytes_per_element does not count here
  const ComputingDevice* device = nullptr;
  std::optional<Datatype> type;          // number format of the device; none: its usual one
  double flops_per_second = 0;           // in place of a device
  std::optional<int> bytes_per_element;  // none: those of the datatype, or 2 without a device
  ModelSparsity sparsity;                // of the device's products
  std::string memory_profile = usual_memory_profile;
  Optimizer optimizer = Optimizer::momentum;
  int sharding = 0;                         // stage of sharding, over the data-parallel NPUs
  bool forward_only = false;                // inference; tensors have the datatype everywhere
  std::optional<PipelineOptions> pipeline;  // if set, the network's batch is that of one micro-batch
  int stages = 1;                           // number of stages of the pipeline
  SourceLocation where;                     // place of the description
  SourceLocation policy_where, type_where, memory_where, batch_where;
};

// The operators that the times of a layer table come from.
struct ModelOperators {
  std::optional<ComputingDevice> device;  // none: there is no device
  double flops_per_second = 0;            // in place of a device; 0: the times were given
  std::vector<RowOperators> rows;         // operators of the table's rows, on a device
};

struct TrainedModel {
  LayerTable table;
  std::optional<MemoryVerdict> memory;  // set on a device
  TableMemory table_memory = {};        // set on a device
  ModelOperators operators = {};
  std::string work = {};        // what is trained, "resnet50, batch 32"
  double inferred_samples = 0;  // of a pass on all NPUs together; 0: it is training
};

// Sharding divides only memory: stages 1 and 2 scatter gradients and gather weights, which is what an
// all-reduce of rings does. Throws InputError where the network cannot be split or computed. The caller
// decides what to do if memory does not suffice.
TrainedModel train(const NeuralNetwork& network, const Training& training, Warnings& warnings,
                   const FileLoader& load);

}  // namespace orrery::core
