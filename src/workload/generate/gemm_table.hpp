// Makes a layer table of a list of matrix products, a strategy and a compute model.
#pragma once

#include <string>
#include <vector>

#include "base/diagnostics.hpp"
#include "compute/compute_model.hpp"
#include "workload/astra1/layer_table.hpp"
#include "workload/generate/layer_split.hpp"
#include "workload/generate/mnk_file.hpp"

namespace orrery {

struct GemmTableOptions {
  TrainingPolicy policy = TrainingPolicy::data;  // one that splits layers, or hybrid_customized
  SplitMachine machine;
  // Computes as ASTRA-sim 1.0's generator: remainders are lost, and all three steps of a layer take as long
  // as its weight gradient.
  bool compat_astra1 = false;
};

// A layer per product. Warns where a layer does not divide evenly. Throws InputError where a layer cannot be
// split or computed.
LayerTable gemm_table(const std::vector<MnkLayer>& layers, const ComputeModel& model,
                      const GemmTableOptions& options, Warnings& warnings);

// The table as ASTRA-sim 1.0's generator writes it: a policy behind each layer whatever the table's, a blank
// before compute times, no line end behind the last.
std::string write_as_astra1_generator(const LayerTable& table);

}  // namespace orrery
