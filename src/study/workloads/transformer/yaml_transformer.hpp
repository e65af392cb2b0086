// Reads the workload of a run on a platform: a transformer, and how ranks share its training.
//
//   { model: gpt3-175b, batch: { global: 1536, micro: 1 }, parallelism: { tensor: 8, pipeline: 8, data: 16 }
//   }
#pragma once

#include <filesystem>
#include <vector>

#include "base/files/file_loader.hpp"
#include "base/input/keys.hpp"
#include "workload/training/platform.hpp"

namespace orrery::core {

// Returns what a run of such a workload does. Its platform is read for this purpose.
Purpose purpose_of(const InputNode& workload);

// Reads a transformer's training. Throws InputError for the first thing that does not fit, with the legal
// values nearby.
TrainingSetup read_yaml_transformer(const InputNode& workload, const Platform& platform,
                                    const std::filesystem::path& folder, const FileLoader& load,
                                    Warnings& warnings);

// Returns the keys that may stand below `workload` for a transformer: ".parallelism.tensor" and so on.
std::vector<KeyPath> yaml_transformer_keys();

}  // namespace orrery::core
