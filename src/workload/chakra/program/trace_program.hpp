// The program of a set of execution traces. It has a part for each graph that ranks share, and the part's
// operations are the trace's nodes (docs/models/execution-traces.md).
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/units/rank_id.hpp"
#include "program/program.hpp"
#include "workload/chakra/program/node_operations.hpp"

namespace orrery::core {

// The trace of one rank; equal ranks share a graph.
struct RankTrace {
  std::shared_ptr<const chakra::TraceGraph> graph;
  std::string file;
  std::shared_ptr<const ProcessGroups> process_groups;  // null: none
};

struct RooflineAverages {                                                     // weighted by duration
  double compute_bound = 0, compute_utilization = 0, memory_utilization = 0;  // shares
  double intensity = 0;                                                       // operations per byte
};

// What a trace says and its program does not need.
struct TraceFacts {
  // Time of compute nodes that are not on the CPU, and of replayed ones.
  Time gpu_time;
  std::optional<RooflineAverages> roofline;  // set where it is used
  // Where local memory is tracked: the tensors that nodes read and write, by the node's index, and the names
  // of these tensors.
  std::vector<chakra::Trace::NodeTensors> tensors;
  std::vector<std::string> texts;
};

// A view of what traces say, whose readers need not know who keeps it.
struct TraceView {
  const Program& program;
  const std::vector<TraceFacts>& facts;       // by part
  const std::vector<std::uint32_t>& part_of;  // by rank

  std::uint32_t ranks() const { return static_cast<std::uint32_t>(part_of.size()); }
  const ExecutionGraph& graph_of(RankId rank) const { return program.parts[part_of[rank.index()]].graph; }
  const TraceFacts& facts_of(RankId rank) const { return facts[part_of[rank.index()]]; }
};

struct TraceProgram {
  Program program;
  std::vector<TraceFacts> facts;       // by part
  std::vector<std::uint32_t> part_of;  // by rank

  operator TraceView() const { return {program, facts, part_of}; }  // NOLINT: it is one
  std::uint32_t ranks() const { return static_cast<std::uint32_t>(part_of.size()); }
  const ExecutionGraph& graph_of(RankId rank) const { return program.parts[part_of[rank.index()]].graph; }
  const TraceFacts& facts_of(RankId rank) const { return facts[part_of[rank.index()]]; }
};

// Takes traces by rank, one after the other, and keeps nothing but the program.
class TraceProgramBuilder {
 public:
  // Called with the error of a node that cannot be run.
  using Fault = std::function<void(const InputError&)>;

  // Keeps references. Without `fault`, add() throws the error of a node that is wrong.
  TraceProgramBuilder(const TraceHost& host, const TraceRules& rules, Fault fault = {});

  // Adds the trace of the next rank.
  void add(const RankTrace& trace);
  [[nodiscard]] TraceProgram take();

 private:
  // The owner of a graph tells it from all other graphs, even if the graph no longer exists.
  using GraphOwner = std::weak_ptr<const chakra::TraceGraph>;

  std::uint32_t add_part(const RankTrace& trace, NodeOperations& nodes);
  void define_groups(const RankTrace& trace, NodeOperations& nodes);
  Operation operation_of(NodeOperations& nodes, std::uint32_t number);
  TraceFacts facts_of(const chakra::TraceGraph& trace, const ExecutionGraph& graph) const;

  const TraceHost host_;
  const TraceRules& rules_;
  const Fault fault_;
  TraceGroups groups_;
  TraceProgram made_;
  std::map<GraphOwner, std::uint32_t, std::owner_less<GraphOwner>> part_with_;  // the part of each graph
  std::vector<std::vector<std::uint32_t>> of_rank_;  // by part: nodes whose errors depend on the rank
};

// Returns the program of all traces. Throws InputError when one of them asks for something that cannot be
// run.
TraceProgram make_trace_program(const std::vector<RankTrace>& traces, const TraceHost& host,
                                const TraceRules& rules);

}  // namespace orrery::core
