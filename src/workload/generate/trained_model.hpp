// A neural network trained on a machine: its layer table, and the memory that training takes on a device.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/diagnostics.hpp"
#include "compute/device_model.hpp"
#include "memory/memory_verdict.hpp"
#include "workload/generate/model_memory.hpp"
#include "workload/generate/network_split.hpp"
#include "workload/models/network_layer_table.hpp"
#include "workload/models/neural_network.hpp"

namespace orrery {

// The choices with which a network is trained.
struct Training {
  std::optional<TrainingPolicy> policy;  // one of strategy_words; none: as the network says itself
  std::vector<LayerStrategy> layers;     // under hybrid_customized
  SplitMachine machine;                  // bytes_per_element does not count here
  const ComputingDevice* device = nullptr;
  std::optional<Datatype> type;          // of the device; none: its usual one
  double flops_per_second = 0;           // in place of a device
  std::optional<int> bytes_per_element;  // none: of the datatype, 2 without a device
  std::string memory_profile = usual_memory_profile;
  Optimizer optimizer = Optimizer::momentum;
  int sharding = 0;                         // stage, over the data-parallel NPUs
  std::optional<PipelineOptions> pipeline;  // then the network's batch is that of one micro-batch
  int stages = 1;                           // of the pipeline
  SourceLocation where;                     // of the description
  SourceLocation policy_where, type_where, memory_where, batch_where;
};

// What stands behind the times of a layer table.
struct ModelOperators {
  std::shared_ptr<const ComputeModel> model;  // of the device; null: there is none
  double flops_per_second = 0;                // in place of a device; 0: the times were given
  std::vector<RowOperators> rows;             // of the table, on a device
};

struct TrainedModel {
  LayerTable table;
  std::optional<MemoryVerdict> memory;  // on a device
  TableMemory table_memory = {};        // likewise
  ModelOperators operators = {};
};

// Sharding divides memory alone: stages 1 and 2 scatter gradients and gather weights, which is what an
// all-reduce of rings does. Throws InputError where the network cannot be split or computed. That memory does
// not suffice is for the caller to judge.
TrainedModel train(const NeuralNetwork& network, const Training& training, Warnings& warnings);

}  // namespace orrery
