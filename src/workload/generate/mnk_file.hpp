// Reads the list of matrix products that ASTRA-sim 1.0's workload generator takes.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/diagnostics/diagnostics.hpp"
#include "compute/operator.hpp"
#include "workload/astra1/layer_table.hpp"

namespace orrery::core {

// One layer. M is the minibatch, N the number of output features and K that of input features.
struct MnkLayer {
  std::string name;
  Gemm gemm;
  std::optional<TrainingPolicy> policy;  // set when every layer has its own
  SourceLocation where;
};

// Reads CSV behind a header: `name,m,n,k`, and a strategy with `policy_per_layer`. Without it, a fifth value
// is ignored. Blank lines are skipped. Throws InputError. `file` names the text in messages.
std::vector<MnkLayer> read_mnk_file(std::string_view text, const std::string& file, bool policy_per_layer,
                                    Warnings& warnings);

}  // namespace orrery::core
