// The workload of an experiment file: a model of src/workload/models/model_catalogue.hpp, or layers written
// out.
//
//   { model: vgg16, peak: 46 TiFLOP/s, batch: 1 }
//   { model: models/my-network.yaml, peak: 100 TFLOP/s }
//   { model: resnet50, batch: 32 }, on a device
//   { policy: data, layers: [ { name: conv1, forward: { compute: 3429 ns }, ... } ] }
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "base/file.hpp"
#include "base/yaml_node.hpp"
#include "compute/compute_model.hpp"
#include "workload/astra1/layer_table.hpp"

namespace orrery {

// A model file that the workload names is relative to `folder`. `device` computes models; null where they
// name a peak. Throws InputError.
LayerTable read_yaml_workload(const YamlNode& workload, const std::filesystem::path& folder = {},
                              const ComputeModel* device = nullptr, const FileLoader& load = read_text_file);

// What may stand below `workload`: ".model", ".layers[].name" and so on.
std::vector<std::string> yaml_workload_keys();

}  // namespace orrery
