// Finds the NPUs that pass messages on, one after the other, where they have to or shall.
//
// Each of these NPUs receives the whole message and sends it on. Where messages are passed on only if they
// would not arrive otherwise, a route has the fewest such NPUs possible, and of those routes the fewest
// links. Where they are always passed on if that is shorter, it has the fewest links, and of those routes the
// fewest such NPUs.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <utility>
#include <vector>

#include "topology/graph/network_graph.hpp"
#include "topology/graph/relays/relaying.hpp"

namespace orrery::core {

class RelaySearch {
 public:
  // Keeps a reference to the graph, which must not change. The seed chooses among NPUs that do equally well.
  RelaySearch(const NetworkGraph& graph, Relaying relaying, std::uint64_t seed)
      : graph_(graph), relaying_(relaying), seed_(seed) {}

  // Returns the NPU that a message is sent to first. None means that it goes to its destination at once, or
  // that nobody can pass it on. The ends must differ.
  std::optional<NodeId> first(NodeId source, NodeId destination);
  // Says whether a link is broken. NPUs that are found from now on are reached without it.
  void set_broken(LinkId link, bool broken);

 private:
  // Relays and links of a route, the one that counts more in the upper half.
  using Cost = std::uint64_t;
  static constexpr Cost unreachable = ~Cost{0};

  Cost cost(std::uint64_t relays, std::uint64_t links) const;
  bool has_relays(Cost cost) const;
  bool is_broken(LinkId link) const { return !broken_.empty() && broken_[link.index()]; }
  bool can_relay(NodeId node) const {
    return graph_.node(node).kind == NodeKind::npu && !graph_.node(node).forwards;
  }
  std::optional<NodeId> find_first(NodeId source, NodeId destination);
  const std::vector<Cost>& costs_to(NodeId destination);
  std::vector<Cost> work_out_costs_to(NodeId destination) const;
  std::vector<std::uint32_t> links_from(NodeId source) const;

  const NetworkGraph& graph_;
  Relaying relaying_;
  std::uint64_t seed_;
  std::vector<bool> broken_;                                          // by link; empty: none
  std::map<NodeId, std::vector<Cost>> costs_;                         // by destination, and then by node
  std::map<std::pair<NodeId, NodeId>, std::optional<NodeId>> known_;  // by ends
};

}  // namespace orrery::core
