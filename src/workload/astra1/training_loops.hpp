// The training loops of the layer table, one per policy. (spec: workload and reports, sections 2.2 and 7.2)
#pragma once

#include "workload/astra1/program.hpp"

namespace orrery {

// What every rank does in `iterations` training iterations. Throws InputError when the table asks for a
// collective that does not exist.
ExecutionGraph training_graph(const LayerTable& table, const GroupLayout& layout, int iterations,
                              const Dialect& dialect, const Scales& scales);

}  // namespace orrery
