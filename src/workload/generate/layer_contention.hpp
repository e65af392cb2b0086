// Says of the layers of a table by how much computation and collectives slow each other down on the device
// that computes them (docs/models/contention.md).
#pragma once

#include "compute/contention.hpp"
#include "workload/astra1/layer_table.hpp"
#include "workload/generate/trained_model.hpp"

namespace orrery::core {

// Returns the table with what each step and collectives beside it cost each other. `operators` are those of
// the table's rows, on a device. The table has not been changed since they were found.
LayerTable with_contention(LayerTable table, const ModelOperators& operators, const EndpointLoad& load);

}  // namespace orrery::core
