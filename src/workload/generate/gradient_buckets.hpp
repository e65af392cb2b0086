// Puts gradients of several layers into one all-reduce, as PyTorch's DistributedDataParallel does (Li et al.,
// "PyTorch Distributed", VLDB 2020).
//
// Layers are taken from the last to the first. A bucket is full when its gradients have reached its size, and
// its all-reduce starts when the last of them is there. The rest makes the last bucket. A layer is never cut,
// so one that is larger than a bucket fills it alone or with those before it. The layer that completes a
// bucket is the lowest in it. Whoever waits for that layer's gradients before its forward pass, as the
// training loops do, waits for the whole bucket before any of its layers.
#pragma once

#include "workload/astra1/layer_table.hpp"

namespace orrery::core {

// Returns the table with its own buckets, or the table as it is if it has none. Throws InputError where
// gradients are exchanged by another collective than an all-reduce.
LayerTable in_buckets(LayerTable table);

}  // namespace orrery::core
