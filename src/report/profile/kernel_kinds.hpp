// Tells the kinds of kernels and collectives from their names.
#pragma once

#include <optional>
#include <string_view>

#include "program/execution_graph.hpp"
#include "report/profile/activity.hpp"

namespace orrery::core {

// Returns what a kernel of PyTorch, cuBLAS, cuDNN, Triton and the like computes, or `other`. For a kernel
// that communicates, returns what kind of communication it is.
ActivityKind kind_of_kernel(std::string_view name);

// Returns the kind of communication that has this name in PyTorch, such as `_allgather_base`. None: it is not
// known.
std::optional<ActivityKind> kind_of_collective(std::string_view name);

// Returns the kind of an operator that is simulated.
ActivityKind kind_of_work(const WorkName& work);

}  // namespace orrery::core
