// The keys of a computed model that say how it is trained, shared by experiment files.
//
//   strategy: hybrid-customized   # data, model, hybrid-data-model, hybrid-model-data; else as the model says
//   strategies: layers.csv        # under hybrid-customized: layer,strategy
//   memory: mxnet-dgx1            # what the framework keeps in memory
//   optimizer: adam               # sgd, momentum
//   sharding: 1                   # of the optimizer's state, 2: of gradients, too
#pragma once

#include <filesystem>
#include <span>
#include <string_view>

#include "base/file.hpp"
#include "base/yaml_node.hpp"
#include "workload/generate/trained_model.hpp"

namespace orrery {

std::span<const std::string_view> yaml_training_keys();

// Reads these keys of `workload` into `training`, whose device is known. Files are relative to `folder`.
void read_yaml_training(const YamlNode& workload, const std::filesystem::path& folder, const FileLoader& load,
                        Training& training, Warnings& warnings);

}  // namespace orrery
