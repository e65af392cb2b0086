// Reads what turns a transformer's training into a step of its inference (the key `inference` of a workload).
//
//   inference: { phase: decode, cache: fp8 }
#pragma once

#include <vector>

#include "base/input/keys.hpp"
#include "compute/device.hpp"
#include "workload/transformer/transformer_plan.hpp"

namespace orrery::core {

// `workload` has the key `inference`. `plan` and `model` are what the other keys say; decoding leaves one
// token of each sequence. Throws InputError for a key that only training has a use for, and for what cannot
// be computed.
void read_yaml_inference(const InputNode& workload, const Device& device, Transformer& model,
                         TransformerPlan& plan);

// Returns the keys that may stand below `inference`: ".phase" and so on.
std::vector<KeyPath> yaml_inference_keys();

}  // namespace orrery::core
