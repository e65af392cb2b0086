// Makes a layer table from a list of matrix products, a strategy and a compute model.
#pragma once

#include <string>
#include <vector>

#include "base/diagnostics/diagnostics.hpp"
#include "compute/compute_model.hpp"
#include "workload/astra1/layer_table.hpp"
#include "workload/generate/layer_split.hpp"
#include "workload/generate/mnk_file.hpp"

namespace orrery::core {

struct GemmTableOptions {
  TrainingPolicy policy = TrainingPolicy::data;  // a policy that splits layers, or hybrid_customized
  SplitMachine machine;
  // Computes as ASTRA-sim 1.0's generator does: remainders are lost, and all three steps of a layer take as
  // long as its weight gradient.
  bool compat_astra1 = false;
};

// Returns a table with a layer for each product. Warns where a layer does not divide evenly. Throws
// InputError where a layer cannot be split or computed.
LayerTable gemm_table(const std::vector<MnkLayer>& layers, const ComputeModel& model,
                      const GemmTableOptions& options, Warnings& warnings);

// Returns the table as ASTRA-sim 1.0's generator writes it: a policy follows each layer whatever the table's
// policy is, a blank comes before compute times, and there is no line end after the last line.
std::string write_as_astra1_generator(const LayerTable& table);

}  // namespace orrery::core
