// The time that the process which drives all NPUs of a server adds to a training step, because it does things
// one after the other. With n NPUs:
//
//   n * batch * sample     before the first layer's forward pass: every NPU gets its batch
//   (n - 1) * exchange     after a layer's weight gradient, if it is exchanged, for each of its arrays
//   (weights,
//                          biases, ...): the process starts that for every NPU but the one it begins with
//
// NPUs wait meanwhile, so this counts as compute time. It is an effective model, whose constants have to be
// fitted: real frameworks hide some of this time.
#pragma once

#include "workload/astra1/layer_table.hpp"

namespace orrery::core {

// Returns the table with the times of its own host added, on a machine of `npus`. A table without a host is
// returned as it is. Throws InputError when a layer would take more than 30 days.
LayerTable with_host_time(LayerTable table, int npus);

}  // namespace orrery::core
