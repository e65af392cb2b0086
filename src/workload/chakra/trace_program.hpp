// The program of a set of execution traces: a part for each graph that ranks share, whose operations are the
// trace's nodes (docs/models/execution-traces.md).
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "program/program.hpp"
#include "workload/chakra/node_operations.hpp"

namespace orrery {

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

// What a trace says that its program does not need.
struct TraceFacts {
  Time gpu_time;                             // of compute nodes that are not on the CPU, and of replayed ones
  std::optional<RooflineAverages> roofline;  // where it is in use
  // Where local memory is tracked: what nodes read and write, by their index, and the names of that.
  std::vector<chakra::Trace::NodeTensors> tensors;
  std::vector<std::string> texts;
};

// Whoever asks what traces say need not know who keeps it.
struct TraceView {
  const Program& program;
  const std::vector<TraceFacts>& facts;       // by part
  const std::vector<std::uint32_t>& part_of;  // by rank

  std::uint32_t ranks() const { return static_cast<std::uint32_t>(part_of.size()); }
  const ExecutionGraph& graph_of(std::uint32_t rank) const { return program.parts[part_of[rank]].graph; }
  const TraceFacts& facts_of(std::uint32_t rank) const { return facts[part_of[rank]]; }
};

struct TraceProgram {
  Program program;
  std::vector<TraceFacts> facts;       // by part
  std::vector<std::uint32_t> part_of;  // by rank

  operator TraceView() const { return {program, facts, part_of}; }  // NOLINT: it is one
  std::uint32_t ranks() const { return static_cast<std::uint32_t>(part_of.size()); }
  const ExecutionGraph& graph_of(std::uint32_t rank) const { return program.parts[part_of[rank]].graph; }
  const TraceFacts& facts_of(std::uint32_t rank) const { return facts[part_of[rank]]; }
};

// Takes traces by rank, one after the other, and keeps nothing of them but the program.
class TraceProgramBuilder {
 public:
  // Hears of a node that cannot be run.
  using Fault = std::function<void(const InputError&)>;

  // Keeps references. Without `fault`, add() throws what is wrong with a node.
  TraceProgramBuilder(const TraceHost& host, const TraceRules& rules, Fault fault = {});

  // The trace is that of the next rank.
  void add(const RankTrace& trace);
  TraceProgram take();

 private:
  // The owner of a graph, which has gone by now, tells it from all others.
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
  std::map<GraphOwner, std::uint32_t, std::owner_less<GraphOwner>> part_with_;  // each graph
  std::vector<std::vector<std::uint32_t>> of_rank_;  // by part: nodes whose faults depend on the rank
};

// Returns the program of all of them. Throws InputError when one asks for what cannot be.
TraceProgram make_trace_program(const std::vector<RankTrace>& traces, const TraceHost& host,
                                const TraceRules& rules);

}  // namespace orrery
