// Says which dimensions a layer's collectives use (docs/models/training-loops.md, Participation).
#pragma once

#include <array>
#include <optional>

#include "base/dialect.hpp"
#include "program/execution_graph.hpp"
#include "topology/logical_dimension.hpp"
#include "workload/astra1/layer_table.hpp"

namespace orrery::core {

// The dimensions over which a transformer's model-parallel group extends.
struct GroupLayout {
  std::optional<DimensionSplit> split;  // the dimension in which the group ends, when it ends inside one
  int last_model_dimension = -1;        // logical; -1: no model parallelism
};

// Returns the layout of the model-parallel group. A group that does not fill the dimensions below its last
// one evenly, or is larger than the machine, is an error. Lenient dialects cut it to one that does, or ignore
// it, with a warning. Throws InputError for such a group, and for one that does not divide its last
// dimension.
GroupLayout lay_out_group(const LayerTable& table, const Topology& topology, const Dialect& dialect,
                          Warnings& warnings);

// The dimensions in which a layer's collectives run, by Pass.
using Participation = std::array<DimensionSet, passes_of_a_layer>;
Participation participation(const LayerTable& table, std::size_t layer, const GroupLayout& layout);

}  // namespace orrery::core
