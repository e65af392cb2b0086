// Makes operations of the nodes of one rank's trace (docs/models/execution-traces.md, Node types).
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/diagnostics/diagnostics.hpp"
#include "base/units/rank_id.hpp"
#include "collective/plan/system_config.hpp"
#include "memory/remote_memory.hpp"
#include "program/execution_graph.hpp"
#include "topology/topology.hpp"
#include "workload/chakra/program/trace_graph.hpp"
#include "workload/chakra/program/trace_groups.hpp"

namespace orrery::core {

// The machine that traces are made for. Its parts have to outlive whatever they are given to.
struct TraceHost {
  const Topology& topology;
  const SystemConfig& system;
  const RemoteMemory& memory;
};

class NodeOperations {
 public:
  // Keeps references.
  NodeOperations(const TraceHost& host, const TraceRules& rules, TraceGroups& groups,
                 const chakra::TraceGraph& graph, const std::string& file, RankId rank)
      : host_(host), rules_(rules), groups_(groups), graph_(graph), file_(file), rank_(rank) {}

  // Adds the groups that a node defines. Throws InputError with the file and the node, and so do the
  // following functions.
  void define(std::uint32_t number, const std::vector<ProcessGroup>& groups);
  // Returns the operation of a node. Throws InputError where it cannot be run.
  Operation operation_of(std::uint32_t number);

  // Returns whether a node can be wrong for some of the ranks of its trace and right for others.
  static bool depends_on_rank(const ExecutionGraph& graph, ExecutionGraph::Id id, const TraceGroups& groups);

 private:
  void ask(const chakra::Node& node, Operation& operation);
  void scale(Operation& operation) const;
  Bytes scaled(Bytes bytes) const;
  Time stated_time(const chakra::Node& node) const;
  void compute(const chakra::Node& node, Operation& operation) const;
  Time roofline_time(const chakra::Node& node) const;
  Bytes memory_bytes(const chakra::Node& node) const;
  MessageEnd message(const chakra::Node& node) const;
  void collective(const chakra::Node& node, Operation& operation);
  CollectiveKind kind_of(const chakra::Node& node) const;
  std::uint32_t place_of_root(const chakra::Node& node, const CollectiveRequest& request) const;
  void require(const chakra::Node& node, chakra::Attribute attribute, const char* name) const;
  void require_gpu(const chakra::Node& node) const;
  Bytes checked_bytes(std::uint64_t bytes, const char* name) const;
  std::uint32_t ranks() const { return static_cast<std::uint32_t>(host_.topology.npus()); }
  [[noreturn]] void reject(const std::string& what) const;

  const TraceHost& host_;
  const TraceRules& rules_;
  TraceGroups& groups_;
  const chakra::TraceGraph& graph_;
  const std::string& file_;
  RankId rank_;
  std::uint32_t number_ = 0;  // node that is being handled
  TraceGroups::Defined defined_;
};

}  // namespace orrery::core
