// Works out the time that the process which drives all NPUs of a server adds to a training step, because it
// does things one after the other (docs/models/host-process.md).
#pragma once

#include "workload/astra1/layer_table.hpp"

namespace orrery::core {

// Returns the table with the times in which NPUs wait for the table's own host, on a machine of `npus`. A
// table without a host is returned as it is. Gradients are not in their buckets yet. Throws InputError when
// an NPU would wait for more than 30 days at once.
LayerTable with_host_time(LayerTable table, int npus);

}  // namespace orrery::core
