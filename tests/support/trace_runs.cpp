#include "support/trace_runs.hpp"

#include <fmt/format.h>

#include <memory>

namespace orrery::core::test {

TraceProgram program_of(const std::vector<RankTrace>& traces, const TraceMachine& machine) {
  const TraceHost host{machine.topology, machine.system, machine.memory};
  return make_trace_program(traces, host, machine.rules);
}

Recording simulate_traces(const std::vector<RankTrace>& traces, const TraceMachine& machine) {
  const TraceProgram made = program_of(traces, machine);
  return simulate(made.program, machine, plan_simulation(made.program, machine, machine.fold));
}

RankTrace trace_of(const std::vector<TracedCollective>& collectives) {
  chakra::Trace trace;
  trace.texts = {""};
  trace.first_parent = {0};
  const auto add = [&](chakra::Node node) {
    node.id = trace.nodes.size();
    if (!trace.nodes.empty()) trace.parents.push_back(node.id - 1);
    trace.data_parents.push_back(trace.nodes.empty() ? 0 : 1);
    trace.first_parent.push_back(trace.parents.size());
    trace.nodes.push_back(node);
  };
  for (const TracedCollective& collective : collectives) {
    chakra::Node compute;
    compute.type = collective.compute_us > 0 ? chakra::NodeType::compute : chakra::NodeType::invalid;
    compute.duration_us = collective.compute_us;
    add(compute);
    chakra::Node node;
    node.type = chakra::NodeType::collective;
    node.comm_type = collective.type;
    node.comm_size = collective.bytes;
    node.has = chakra::has_comm_type | chakra::has_comm_size;
    if (collective.root) {
      node.comm_root = *collective.root;
      node.has |= chakra::has_comm_root;
    }
    if (!collective.group.empty()) {
      node.pg_name = static_cast<std::uint32_t>(trace.texts.size());
      trace.texts.push_back(collective.group);
      node.has |= chakra::has_pg_name;
    }
    if (collective.dimensions) {
      node.has |= chakra::has_involved_dims;
      node.involved_count = static_cast<std::uint8_t>(collective.dimensions->size());
      for (std::size_t d = 0; d < collective.dimensions->size(); ++d)
        if ((*collective.dimensions)[d]) node.involved_dims |= static_cast<std::uint16_t>(1u << d);
    }
    add(node);
  }
  return {std::make_shared<const chakra::TraceGraph>(chakra::make_graph(trace, "trace.et")), "trace.et",
          nullptr};
}

TraceMachine switched_machine(const std::vector<int>& sizes, Algorithm rooted) {
  TraceMachine machine;
  for (const int size : sizes) {
    Dimension dimension;
    dimension.name = fmt::format("dim{}", machine.topology.dimensions.size());
    dimension.block = Block::switched;
    dimension.size = size;
    dimension.links = 1;
    dimension.link_bandwidth = Bandwidth::from_gb_per_s(1);
    dimension.link_latency_ns = 100;
    machine.topology.dimensions.push_back(dimension);
  }
  machine.dialect = astra_sim_2_dialect;
  machine.system.memory_gb_per_s = 2;
  use_for_rooted(machine, {{rooted}});
  return machine;
}

void use_for_rooted(TraceMachine& machine, const std::vector<AlgorithmChoice>& choices) {
  for (const auto& [word, kind] : collective_kind_words)
    if (!is_symmetric(kind)) machine.system.algorithms[static_cast<std::size_t>(kind)] = choices;
}

}  // namespace orrery::core::test
