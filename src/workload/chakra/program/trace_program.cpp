#include "workload/chakra/program/trace_program.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace orrery::core {

using chakra::Node;
using chakra::NodeType;

namespace {

RooflineAverages averages_of(const chakra::TraceGraph& trace, const ExecutionGraph& graph,
                             const Roofline& roofline) {
  RooflineAverages sums;
  double weights = 1;
  const double peak = roofline.peak_tflop_per_s * 1e12, memory = roofline.memory_gb_per_s * 1e9;
  for (std::uint32_t n = 0; n < graph.size(); ++n) {
    if (graph.kind(n) != OperationKind::compute) continue;
    const Node node = trace.nodes[n];
    if (node.tensor_size == 0 || node.num_ops == 0) continue;
    const double duration = graph.duration(n).ns();
    const double intensity = static_cast<double>(node.num_ops) / static_cast<double>(node.tensor_size);
    const double rate = roofline.rate(intensity);
    weights += duration;
    sums.compute_utilization += rate / peak * duration;
    sums.memory_utilization += rate / intensity / memory * duration;
    sums.intensity += intensity * duration;
    if (rate == peak) sums.compute_bound += duration;
  }
  return {sums.compute_bound / weights, sums.compute_utilization / weights, sums.memory_utilization / weights,
          sums.intensity / weights};
}

// "rank 3", "rank 0 and 3 more".
std::string name_of_part(const std::vector<RankId>& ranks) {
  return fmt::format("rank {}{}", ranks[0].value(),
                     ranks.size() > 1 ? fmt::format(" and {} more", ranks.size() - 1) : std::string());
}

}  // namespace

TraceProgramBuilder::TraceProgramBuilder(const TraceHost& host, const TraceRules& rules, Fault fault)
    : host_(host),
      rules_(rules),
      fault_(std::move(fault)),
      groups_(logical_dimensions(host.topology), rules) {
  made_.program.messages_name_ranks = true;
  made_.program.issue = OperationIssue::slots;
}

void TraceProgramBuilder::add(const RankTrace& trace) {
  const RankId rank(made_.part_of.size());
  made_.program.files.push_back(trace.file);
  NodeOperations nodes(host_, rules_, groups_, *trace.graph, trace.file, rank);
  const auto [known, is_new] = part_with_.try_emplace(trace.graph, 0);
  if (is_new) {
    known->second = add_part(trace, nodes);
  } else if (!of_rank_[known->second].empty()) {
    define_groups(trace, nodes);
    for (const std::uint32_t number : of_rank_[known->second]) operation_of(nodes, number);
  }
  made_.part_of.push_back(known->second);
  made_.program.parts[known->second].ranks.push_back(rank);
}

std::uint32_t TraceProgramBuilder::add_part(const RankTrace& trace, NodeOperations& nodes) {
  const chakra::NodeList& list = trace.graph->nodes;
  const auto number = static_cast<std::uint32_t>(made_.program.parts.size());
  ExecutionGraph& graph = made_.program.parts.emplace_back().graph = ExecutionGraph(trace.graph->parents);
  std::size_t letters = 0;
  for (std::uint32_t node = 0; node < list.size(); ++node) letters += list.name(node).size();
  graph.reserve(list.size(), letters);
  define_groups(trace, nodes);
  std::vector<std::uint32_t>& of_rank = of_rank_.emplace_back();
  for (std::uint32_t node = 0; node < list.size(); ++node) {
    graph.append(operation_of(nodes, node), list.name(node), list.id(node));
    if (NodeOperations::depends_on_rank(graph, node, groups_)) of_rank.push_back(node);
  }
  made_.facts.push_back(facts_of(*trace.graph, graph));
  return number;
}

void TraceProgramBuilder::define_groups(const RankTrace& trace, NodeOperations& nodes) {
  if (!trace.process_groups || rules_.replay_only) return;
  for (const auto& [node, groups] : *trace.process_groups) {
    try {
      nodes.define(node, groups);
    } catch (const InputError& error) {
      if (!fault_) throw;
      fault_(error);
    }
  }
}

// Where faults are collected, nodes with faults do nothing.
Operation TraceProgramBuilder::operation_of(NodeOperations& nodes, std::uint32_t number) {
  try {
    return nodes.operation_of(number);
  } catch (const InputError& error) {
    if (!fault_) throw;
    fault_(error);
    return {.kind = OperationKind::unknown, .skipped = true};
  }
}

TraceFacts TraceProgramBuilder::facts_of(const chakra::TraceGraph& trace, const ExecutionGraph& graph) const {
  TraceFacts facts;
  for (std::uint32_t id = 0; id < graph.size(); ++id) {
    const bool counts = rules_.replay_only || graph.kind(id) == OperationKind::compute;
    if (counts && graph.is_timed(id) && graph.slot(id) != Slot::host)
      facts.gpu_time = saturated_sum(facts.gpu_time, graph.duration(id));
  }
  if (rules_.roofline.enabled) facts.roofline = averages_of(trace, graph, rules_.roofline);
  if (rules_.track_local_memory) {
    facts.tensors = trace.tensors;
    facts.texts = trace.texts;
  }
  return facts;
}

TraceProgram TraceProgramBuilder::take() {
  Program& program = made_.program;
  program.communicators = groups_.take();
  if (program.parts.size() == 1) {
    program.parts[0].all_ranks = made_.ranks();
    program.parts[0].ranks.clear();
  } else {
    for (ProgramPart& part : program.parts) part.name = name_of_part(part.ranks);
  }
  const std::vector<std::string>& files = program.files;
  if (std::ranges::adjacent_find(files, std::ranges::not_equal_to()) == files.end()) program.files.resize(1);
  return std::move(made_);
}

TraceProgram make_trace_program(const std::vector<RankTrace>& traces, const TraceHost& host,
                                const TraceRules& rules) {
  TraceProgramBuilder builder(host, rules);
  for (const RankTrace& trace : traces) builder.add(trace);
  return builder.take();
}

}  // namespace orrery::core
