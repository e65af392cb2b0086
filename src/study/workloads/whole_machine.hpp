// Makes programs that all ranks of a machine run.
#pragma once

#include <optional>
#include <utility>

#include "program/program.hpp"

namespace orrery::core {

// Returns a program in which all ranks run the graph, on the dimensions that it was made for.
inline Program whole_machine_program(ExecutionGraph graph, const Topology& topology,
                                     const std::optional<DimensionSplit>& split) {
  return program_of_equal_ranks(std::move(graph),
                                split ? logical_dimensions(topology, *split) : logical_dimensions(topology),
                                static_cast<std::uint32_t>(topology.npus()));
}

}  // namespace orrery::core
