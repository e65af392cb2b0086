// Counts the bytes that training takes on one device.
//
//   context + workspace + parameter state + batch * bytes per element * sum over classes (copies * elements)
//
// and on the first device of a machine, where the optimizer runs there: weights + gradients + its state
// again. Valid for networks whose tensors all live until the backward pass; no recomputation, no pipelines.
#pragma once

#include <cstdint>

#include "memory/memory_profile.hpp"
#include "memory/parameter_state.hpp"

namespace orrery::core {

// A network and the way it is trained, as far as they decide the memory.
struct TrainingDemand {
  double parameters = 0;        // parameters that the device holds, before sharding
  double index_bytes = 0;       // that say where weights which are stored compressed belong
  ActivationClasses elements;   // of one sample
  double activation_bytes = 4;  // per element
  Optimizer optimizer = Optimizer::momentum;
  Precision precision = Precision::fp32;
  Sharding sharding = {};
  // Inference: weights have the format of activations, and of these only the most that exist at once are
  // kept.
  bool forward_only = false;
  double most_at_once = 0;  // elements of one sample
};

// The bytes that training takes on a device.
struct DeviceMemory {
  double context = 0, workspace = 0;
  ParameterState parameters;
  double store = 0;  // bytes of the optimizer that runs on the first device
  double activations = 0;

  double total() const { return context + workspace + parameters.total() + store + activations; }
};

enum class DevicePlace : std::uint8_t { first, other };

DeviceMemory memory_before_training(const MemoryProfile& profile, const TrainingDemand& demand,
                                    std::uint64_t batch);
DeviceMemory memory_of_training(const MemoryProfile& profile, const TrainingDemand& demand,
                                std::uint64_t batch, DevicePlace place);

}  // namespace orrery::core
