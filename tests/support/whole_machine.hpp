// Programs that all ranks of a machine run, for tests.
#pragma once

#include "program/program.hpp"
#include "simulate/machine.hpp"

namespace orrery::core::test {

inline Program on_all_ranks(ExecutionGraph graph, const Topology& topology) {
  return program_of_equal_ranks(std::move(graph), logical_dimensions(topology),
                                static_cast<std::uint32_t>(topology.npus()));
}

}  // namespace orrery::core::test
