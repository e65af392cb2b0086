// A network while its nodes and cables are added. Names get numbers, and limits are checked.
#pragma once

#include <map>
#include <string>
#include <string_view>

#include "base/diagnostics/diagnostics.hpp"
#include "topology/graph/network_graph.hpp"

namespace orrery::core {

inline constexpr std::uint64_t max_graph_nodes = 1 << 24;
inline constexpr std::uint64_t max_graph_cables = 50'000'000;
inline constexpr int max_in_parallel = 1024;  // cables between two nodes

// Throws InputError when a network has more nodes than are allowed.
void require_graph_room(double nodes, const SourceLocation& where);

// Throws InputError when a network has more cables than are allowed.
void require_cable_room(double cables, const SourceLocation& where);

// A way to join two nodes: equal links side by side.
struct Cable : LinkProperties {
  int count = 1;
  bool one_way = false;
};

// An NVLink, before its properties are read.
inline Cable nvlink_cable() {
  Cable cable;
  cable.striped = true;
  return cable;
}

class GraphDraft {
 public:
  // A network that is too large gives an InputError at `where`.
  explicit GraphDraft(SourceLocation where) : where_(std::move(where)) {}

  // Adds the NPUs "npu0", "npu1" and so on. This has to come before everything else.
  void add_npus(double npus, bool forward);
  // Returns the NPUs one after the other.
  NodeId next_npu() { return NodeId(npus_taken_++); }
  // Adds a node that passes on what is meant for others. Its name is its stem and its number among the nodes
  // of that stem.
  NodeId add(NodeKind kind, const std::string& stem, bool reduces = false, std::uint64_t buffer = 0);
  NodeId add(NetworkNode node);
  void join(NodeId a, NodeId b, const Cable& cable);
  void list_route(NodeId source, NodeId destination, std::vector<LinkId> route) {
    graph_.list_route(source, destination, std::move(route));
  }

  const NetworkGraph& graph() const { return graph_; }
  NetworkGraph finish() { return std::move(graph_); }

 private:
  SourceLocation where_;
  NetworkGraph graph_;
  std::uint32_t npus_taken_ = 0;
  std::uint64_t cables_ = 0;
  std::map<std::string, int, std::less<>> numbers_;  // by stem
};

}  // namespace orrery::core
