// Reads the zeros of a model's weights and activations, which both kinds of models have.
#pragma once

#include <vector>

#include "base/input/keys.hpp"
#include "compute/device.hpp"
#include "compute/layer_sparsity.hpp"

namespace orrery::core {

// Throws InputError where the device has no use for a pattern. Warns where it saves bytes alone. Whether the
// layers exist is for ModelSparsity::require_layers() to say.
ModelSparsity read_yaml_sparsity(const InputNode& node, const Device& device, Warnings& warnings);

std::vector<KeyPath> yaml_sparsity_keys();

}  // namespace orrery::core
