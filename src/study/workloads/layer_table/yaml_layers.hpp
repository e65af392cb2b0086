// Reads layers that are written out in an experiment file.
//
//   policy: hybrid-transformer-fwd-in-bckwd
//   layers:
//     - name: mlp
//       forward: { compute: 3429 ns, collective: all-reduce, size: 16 MiB }
//       input-gradient: { compute: 3429 ns }
//       weight-gradient: { compute: 3 us }
//       delay: 1 ns
//   model-parallel-group: 16   # the transformer policies
//   checkpoints: [mlp]         # layers, by name or by index from 0, from which recomputation starts ...
//   recompute-at: [mlp2]       # ... when the backward pass comes to one of these
//   last-bottom-layer: mlp     # the DLRM policies
//
// The policies are those of ASTRA-sim 1.0 in lower case, with hyphens. Under hybrid-customized each layer has
// its own policy.
#pragma once

#include <vector>

#include "base/input/keys.hpp"
#include "workload/astra1/layer_table.hpp"

namespace orrery::core {

// Throws InputError for what the training loops could not run.
LayerTable read_yaml_layers(const InputNode& workload);

// Returns the keys: ".layers[].name" and so on.
std::vector<KeyPath> yaml_layers_keys();

}  // namespace orrery::core
