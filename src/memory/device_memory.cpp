#include "memory/device_memory.hpp"

namespace orrery::core {
namespace {

double kept_elements(const ActivationClasses& elements, const ActivationClasses& copies) {
  return elements.input * copies.input + elements.products * copies.products +
         elements.pooling * copies.pooling + elements.concatenation * copies.concatenation +
         elements.in_place * copies.in_place;
}

// Returns the state that a device holds. If the optimizer runs elsewhere, that is weights and gradients
// alone.
ParameterState state_on_device(const MemoryProfile& profile, const TrainingDemand& demand) {
  if (demand.forward_only)
    return {.weights = demand.parameters * demand.activation_bytes + demand.index_bytes};
  ParameterState state =
      parameter_state(demand.parameters, demand.optimizer, demand.precision, demand.sharding);
  state.weights += demand.index_bytes;
  if (profile.store_on_first) state.optimizer = 0;
  return state;
}

}  // namespace

DeviceMemory memory_before_training(const MemoryProfile& profile, const TrainingDemand& demand,
                                    std::uint64_t batch) {
  DeviceMemory memory;
  memory.context = profile.context.as_double();
  memory.parameters = state_on_device(profile, demand);
  memory.activations = double(batch) * demand.activation_bytes * demand.elements.input * profile.copies.input;
  return memory;
}

DeviceMemory memory_of_training(const MemoryProfile& profile, const TrainingDemand& demand,
                                std::uint64_t batch, DevicePlace place) {
  DeviceMemory memory;
  memory.context = profile.context.as_double();
  memory.workspace = profile.workspace.as_double();
  memory.parameters = state_on_device(profile, demand);
  if (profile.store_on_first && place == DevicePlace::first && !demand.forward_only)
    memory.store = parameter_state(demand.parameters, demand.optimizer, demand.precision, {}).total();
  const double elements =
      demand.forward_only ? demand.most_at_once : kept_elements(demand.elements, profile.copies);
  memory.activations = double(batch) * demand.activation_bytes * elements;
  return memory;
}

}  // namespace orrery::core
