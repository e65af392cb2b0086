// Reads SCALE-Sim's topology file, a CSV table of layers.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/diagnostics/diagnostics.hpp"
#include "compute/systolic/systolic_operation.hpp"

namespace orrery::core {

struct TopologyLayer {
  std::string name;
  SystolicOperation operation;
  SourceLocation where;
  // Says which weights are not zero. SCALE-Sim 3 lets them be the first rows of each block of rows.
  BlockPattern sparsity = {};
  SourceLocation sparsity_where = {};
};

// The first line is a header. Every other line is a matrix product, `name, M, N, K`, or a convolution, `name,
// ifmap_h, ifmap_w, filter_h, filter_w, channels, num_filters, stride_h[, stride_w]`; a comma may end it. The
// sparsity of its weights, such as 2:4, may stand behind either. A
// convolution with DP in its name is depth-wise: it has num_filters filters per channel. Text behind the last
// comma that is neither needed nor a stride is ignored, as in the original. Throws InputError. `file` is the
// name of the text in messages.
std::vector<TopologyLayer> read_scale_sim_topology(std::string_view text, const std::string& file,
                                                   Warnings& warnings);

}  // namespace orrery::core
