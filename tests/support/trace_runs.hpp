// Runs of execution traces made in memory, for tests that check times by hand.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "simulate/run/simulation.hpp"
#include "workload/chakra/program/trace_program.hpp"

namespace orrery::core::test {

// A collective of a rank's trace, and how long the rank computes before it.
struct TracedCollective {
  chakra::CommType type = chakra::CommType::broadcast;
  std::uint64_t bytes = 0;
  std::optional<std::uint32_t> root = {};
  std::string group = {};                            // pg_name
  std::optional<std::vector<bool>> dimensions = {};  // involved_dim
  std::uint64_t compute_us = 0;
};

// A machine of ASTRA-sim 2, and the rules by which traces run on it.
struct TraceMachine : Machine {
  TraceRules rules;
  bool fold = true;
};

TraceProgram program_of(const std::vector<RankTrace>& traces, const TraceMachine& machine);
Recording simulate_traces(const std::vector<RankTrace>& traces, const TraceMachine& machine);

// A trace that does these one after the other. Collective k is node 2k + 1, behind its compute.
RankTrace trace_of(const std::vector<TracedCollective>& collectives);

// NPUs behind switches of 100 ns a link and 1 byte per ns, an endpoint delay of 10 ns, a memory of 2 GB/s,
// and one algorithm for all rooted collectives.
TraceMachine switched_machine(const std::vector<int>& sizes, Algorithm rooted);
// Gives all rooted collectives these algorithms.
void use_for_rooted(TraceMachine& machine, const std::vector<AlgorithmChoice>& choices);

}  // namespace orrery::core::test
