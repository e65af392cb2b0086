// Says in words how ranks share the training of a transformer.
#pragma once

#include <string>

#include "workload/transformer/transformer_plan.hpp"

namespace orrery {

// Returns, for example, "tensor 8, data 4": axes of more than one rank, and what else the ranks agree on.
std::string layout_text(const TransformerPlan& plan);

}  // namespace orrery
