#include "topology/graph/graph_draft.hpp"

#include <fmt/format.h>

#include <utility>

namespace orrery::core {

void require_graph_room(double nodes, const SourceLocation& where) {
  if (nodes > static_cast<double>(max_graph_nodes))
    throw InputError(
        where, fmt::format("the network has more than {} nodes: describe a part of it", max_graph_nodes));
}

void require_cable_room(double cables, const SourceLocation& where) {
  if (cables > static_cast<double>(max_graph_cables))
    throw InputError(
        where, fmt::format("the network has more than {} cables: describe a part of it", max_graph_cables));
}

void GraphDraft::add_npus(double npus, bool forward) {
  require_graph_room(npus, where_);
  for (int npu = 0; npu < static_cast<int>(npus); ++npu)
    graph_.add({NodeKind::npu, fmt::format("npu{}", npu), forward});
}

NodeId GraphDraft::add(NodeKind kind, const std::string& stem, bool reduces, std::uint64_t buffer) {
  return add({kind, fmt::format("{}{}", stem, numbers_[stem]++), true, reduces, buffer});
}

NodeId GraphDraft::add(NetworkNode node) {
  require_graph_room(static_cast<double>(graph_.nodes() + 1), where_);
  return graph_.add(std::move(node));
}

void GraphDraft::join(NodeId a, NodeId b, const Cable& cable) {
  cables_ += static_cast<std::uint64_t>(cable.count);
  require_cable_room(static_cast<double>(cables_), where_);
  for (int i = 0; i < cable.count; ++i) {
    if (cable.one_way)
      graph_.connect(a, b, cable);
    else
      graph_.join(a, b, cable);
  }
}

}  // namespace orrery::core
