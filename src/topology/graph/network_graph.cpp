#include "topology/graph/network_graph.hpp"

#include <algorithm>
#include <cassert>
#include <utility>

namespace orrery::core {

NodeId NetworkGraph::add(NetworkNode node) {
  if (node.kind == NodeKind::npu) {
    assert(npus_ == nodes_.size() && "NPUs come before all other nodes");
    ++npus_;
  }
  nodes_.push_back(std::move(node));
  from_.emplace_back();
  to_.emplace_back();
  return NodeId(nodes_.size() - 1);
}

void NetworkGraph::keep_npus(std::size_t npus) {
  for (std::size_t node = npus; node < npus_; ++node) nodes_[node].kind = NodeKind::cpu;
  npus_ = std::min(npus_, npus);
}

LinkId NetworkGraph::connect(NodeId from, NodeId to, const LinkProperties& properties) {
  assert(from != to && from.index() < nodes_.size() && to.index() < nodes_.size());
  const LinkId id(links_.size());
  NetworkLink& link = links_.emplace_back();
  static_cast<LinkProperties&>(link) = properties;
  link.from = from;
  link.to = to;
  reverse_.push_back(LinkId::none);
  from_[from.index()].push_back(id);
  to_[to.index()].push_back(id);
  return id;
}

LinkId NetworkGraph::join(NodeId a, NodeId b, const LinkProperties& properties) {
  const LinkId there = connect(a, b, properties), back = connect(b, a, properties);
  reverse_[there.index()] = back;
  reverse_[back.index()] = there;
  return there;
}

}  // namespace orrery::core
