#include "report/network/graph_dot.hpp"

#include <fmt/format.h>

#include <iterator>

#include "base/text/readable.hpp"
#include "report/network/graph_edges.hpp"

namespace orrery::core {
namespace {

std::string_view shape_of(NodeKind kind) {
  switch (kind) {
    case NodeKind::npu:
      return "box";
    case NodeKind::nic:
      return "cds";
    case NodeKind::cpu:
      return "octagon";
    case NodeKind::pcie_switch:
      return "diamond";
    case NodeKind::network_switch:
      break;
  }
  return "ellipse";
}

std::string dot_text(std::string_view name) {
  std::string text = "\"";
  for (const char c : name) text.append(c == '"' || c == '\\' ? "\\" : "").push_back(c);
  return text + '"';
}

}  // namespace

std::string graph_dot(const NetworkGraph& graph) {
  std::string text = "digraph network {\n";
  const auto out = std::back_inserter(text);
  for (const NodeId node : graph.all_nodes())
    fmt::format_to(out, "  {} [shape={}];\n", dot_text(graph.node(node).name),
                   shape_of(graph.node(node).kind));
  for (const GraphEdge& edge : edges_of(graph)) {
    const NetworkLink& link = graph.link(edge.link);
    fmt::format_to(
        out, "  {} -> {} [label=\"{}{}\"{}];\n", dot_text(graph.node(link.from).name),
        dot_text(graph.node(link.to).name), edge.cables > 1 ? fmt::format("{} x ", edge.cables) : "",
        readable_count(link.bandwidth.bytes_per_ns() * 1e9, "B/s"), edge.both_ways ? " dir=none" : "");
  }
  return text + "}\n";
}

}  // namespace orrery::core
