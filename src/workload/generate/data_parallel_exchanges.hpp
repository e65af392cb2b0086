// Works out what PyTorch's DistributedDataParallel exchanges besides the gradients (Li et al., "PyTorch
// Distributed", VLDB 2020, sections 3 and 4).
//
// Before training, rank 0 broadcasts the states of the model: as many bytes as there are gradients. Where a
// step may leave parameters out, each rank keeps a map of those that it used, a number of 4 bytes for each
// array of parameters, and the maps are added up by an all-reduce of their own behind the last bucket's. The
// next step waits for it, as for all buckets. Gradients that several passes accumulate are exchanged in the
// last of them, because the others run under `no_sync`.
#pragma once

#include "workload/astra1/layer_table.hpp"

namespace orrery::core {

// Returns the table with the sizes of these exchanges, or the table as it is if it is not trained so.
LayerTable with_data_parallel_exchanges(LayerTable table);

}  // namespace orrery::core
