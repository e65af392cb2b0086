// Machines and a run of a single collective on them, for tests that check times by hand.
#pragma once

#include <gtest/gtest.h>

#include "base/units/rank_id.hpp"
#include "simulate/run/simulation.hpp"
#include "support/whole_machine.hpp"

namespace orrery::core::test {

inline Dimension make_dimension(Block block, int size, int links, Bandwidth link_bandwidth,
                                double latency_ns) {
  Dimension dimension;
  dimension.block = block;
  dimension.size = size;
  dimension.links = links;
  dimension.link_bandwidth = link_bandwidth;
  dimension.link_latency_ns = latency_ns;
  return dimension;
}

// All kinds of collectives use the same algorithms, one per dimension.
inline Machine make_machine(std::vector<Dimension> dimensions, const std::vector<AlgorithmChoice>& algorithms,
                            const Dialect& dialect = astra_sim_1_dialect) {
  Machine machine;
  machine.topology.dimensions = std::move(dimensions);
  machine.system.algorithms.fill(algorithms);
  machine.dialect = dialect;
  return machine;
}

// Issued by everyone at time 0, on all dimensions. Of every message; that folding agrees is checked on the
// way.
inline Recording simulate_one(const Machine& machine, CollectiveKind kind, Bytes size, Time delay = {}) {
  ExecutionGraph graph;
  graph.layer_names = {"layer"};
  Operation begin{OperationKind::begin, Pass::forward, -1, 0, {}, {}, {}};
  Operation collective{
      OperationKind::collective, Pass::forward, 0, 0, {}, {kind, size, ~DimensionSet(), false}, delay};
  Operation end{OperationKind::end, Pass::forward, -1, 0, {}, {}, {}};
  const ExecutionGraph::Id first = graph.add(begin, {});
  const ExecutionGraph::Id second = graph.add(collective, std::vector{first});
  graph.add(end, std::vector{first, second});
  const Program program = on_all_ranks(std::move(graph), machine.topology);
  const Recording folded = simulate(program, machine, plan_simulation(program, machine));
  const Recording recording = simulate(program, machine, plan_simulation(program, machine, false));
  EXPECT_EQ(folded.finish_of(RankId(0)), recording.finish_of(RankId(0)));
  EXPECT_EQ(folded.messages, recording.messages);
  return recording;
}

}  // namespace orrery::core::test
