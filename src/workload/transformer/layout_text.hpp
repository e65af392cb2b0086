// Says in words how ranks share the training of a transformer.
#pragma once

#include <string>

#include "workload/transformer/transformer_plan.hpp"

namespace orrery::core {

// Returns, for example, "tensor 8, data 4": axes of more than one rank, and what else the ranks agree on.
// What changes nothing in the plan, such as ZeRO where no two ranks have the same parameters, is not said.
std::string layout_text(const TransformerPlan& plan);

}  // namespace orrery::core
