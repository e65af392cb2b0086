// Reads execution traces as the workload of an experiment file.
//
//   { traces: traces/step, groups: groups.json, peak: 312 TFLOP/s, memory-bandwidth: 2 TB/s }
#pragma once

#include <filesystem>
#include <memory>
#include <vector>

#include "base/files/file_loader.hpp"
#include "base/input/keys.hpp"
#include "compute/device.hpp"
#include "study/run/workload.hpp"

namespace orrery::core {

// The parts of an experiment on which traces depend, besides their own keys.
struct TraceContext {
  std::filesystem::path folder;  // files that the map names are relative to this
  // Computes nodes; null: they take their durations, or the map says at what rate they compute.
  const Device* device;
  SourceLocation where_of_device;
};

// Throws InputError.
std::shared_ptr<const Workload> read_yaml_traces(const InputNode& workload, const TraceContext& context,
                                                 Warnings& warnings, const FileLoader& load);

// Returns the keys that may stand below `workload` for traces: ".traces" and so on.
std::vector<KeyPath> yaml_trace_keys();

}  // namespace orrery::core
