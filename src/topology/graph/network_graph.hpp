// A network as it is built: NPUs, NICs, CPUs and switches, and the links between them.
//
// Links are directed; a cable is two of them. Several links may join the same two nodes.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "base/units/bandwidth.hpp"
#include "base/units/time.hpp"
#include "base/units/typed_id.hpp"

namespace orrery::core {

using NodeId = TypedId<struct NodeTag>;
using LinkId = TypedId<struct LinkTag>;

enum class NodeKind : std::uint8_t { npu, nic, cpu, pcie_switch, network_switch };

struct NetworkNode {
  NodeKind kind = NodeKind::npu;
  std::string name;       // unique, such as "npu3" or "leaf0"
  bool forwards = false;  // it passes on messages that are meant for others
  bool reduces = false;   // a switch that adds up what comes from its ports, and sends the sum to all of them
  std::uint64_t buffer = 0;  // bytes that its ports share for packets; 0: as the settings of packets say
};

// The properties of one direction of a cable.
struct LinkProperties {
  Bandwidth bandwidth;
  Time latency;     // from one end to the other
  double loss = 0;  // probability that a packet is lost
  // A message is divided evenly among all striped links that lead on, as NVLink does, instead of taking one
  // of them.
  bool striped = false;
  // Dimension of a grid in which the link lies, where the innermost is 1; 0: in none.
  std::uint8_t dimension = 0;
};

struct NetworkLink : LinkProperties {
  NodeId from, to;
};

class NetworkGraph {
 public:
  // Adds a node. NPUs have to be added before all others, so the node of NPU i is i.
  NodeId add(NetworkNode node);
  // Makes NPUs from this number on other nodes, at which no message begins or ends.
  void keep_npus(std::size_t npus);
  // Adds a link that leads one way. Both nodes must exist and differ.
  LinkId connect(NodeId from, NodeId to, const LinkProperties& properties);
  // Adds two equal links, one each route, and returns the one from `a` to `b`.
  LinkId join(NodeId a, NodeId b, const LinkProperties& properties);

  // Lists the route from one NPU to another, link by link.
  void list_route(NodeId source, NodeId destination, std::vector<LinkId> route) {
    listed_routes_[{source, destination}] = std::move(route);
  }
  bool has_listed_routes() const { return !listed_routes_.empty(); }
  // Returns null where no route is listed.
  const std::vector<LinkId>* listed_route(NodeId source, NodeId destination) const {
    const auto found = listed_routes_.find({source, destination});
    return found == listed_routes_.end() ? nullptr : &found->second;
  }

  std::size_t npus() const { return npus_; }
  std::size_t nodes() const { return nodes_.size(); }
  std::size_t links() const { return links_.size(); }
  // Returns whether messages begin and end there.
  bool is_npu(NodeId id) const { return id.index() < npus_; }
  // Return all of them, for loops. NPUs are the first nodes.
  FirstIds<NodeId> all_npus() const { return first_ids<NodeId>(npus_); }
  FirstIds<NodeId> all_nodes() const { return first_ids<NodeId>(nodes_.size()); }
  FirstIds<LinkId> all_links() const { return first_ids<LinkId>(links_.size()); }
  const NetworkNode& node(NodeId id) const { return nodes_[id.index()]; }
  const NetworkLink& link(LinkId id) const { return links_[id.index()]; }
  // Returns the other direction of the same cable, or none where there is none.
  LinkId reverse(LinkId id) const { return reverse_[id.index()]; }
  // Return the links that leave a node and those that reach it, in the order in which they were added.
  std::span<const LinkId> links_from(NodeId id) const { return from_[id.index()]; }
  std::span<const LinkId> links_to(NodeId id) const { return to_[id.index()]; }

 private:
  std::size_t npus_ = 0;
  std::vector<NetworkNode> nodes_;
  std::vector<NetworkLink> links_;
  std::vector<LinkId> reverse_;                                             // by link
  std::vector<std::vector<LinkId>> from_, to_;                              // by node
  std::map<std::pair<NodeId, NodeId>, std::vector<LinkId>> listed_routes_;  // by their ends
};

}  // namespace orrery::core
