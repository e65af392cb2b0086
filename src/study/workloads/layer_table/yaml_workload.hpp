// Reads the workload of an experiment file: a model of src/workload/models/model_catalogue.hpp, or layers
// that are written out.
//
//   { model: vgg16, peak: 46 TiFLOP/s, batch: 1 }
//   { model: models/my-network.yaml, peak: 100 TFLOP/s }
//   { model: resnet50, strategy: data, batch: 32 }, on a device
//   { policy: data, layers: [ { name: conv1, forward: { compute: 3429 ns }, ... } ] }
#pragma once

#include <filesystem>
#include <vector>

#include "base/files/file_loader.hpp"
#include "base/input/keys.hpp"
#include "topology/topology.hpp"
#include "workload/generate/trained_model.hpp"

namespace orrery::core {

// The things that a workload depends on besides its own keys.
struct WorkloadContext {
  std::filesystem::path folder = {};        // files that it names are relative to this
  const ComputingDevice* device = nullptr;  // computes models; null where they name a peak
  SplitMachine machine = {};                // the machine whose NPUs share the model
  const Topology* topology = nullptr;       // of that machine
};

// Layers that are written out have no memory. Throws InputError.
TrainedModel read_yaml_workload(const InputNode& workload, const WorkloadContext& context, Warnings& warnings,
                                const FileLoader& load);

// Returns the keys of a model, without its own parameters.
std::vector<KeyPath> yaml_model_keys();
// Returns the keys that may stand below `workload`: ".model", ".layers[].name" and so on.
std::vector<KeyPath> yaml_workload_keys();

}  // namespace orrery::core
