// A routing says how messages choose among the routes through a graph that have the fewest links.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "topology/graph/network_graph.hpp"

namespace orrery::core {

struct RoutingKind;

// A node that a message leaves.
struct RoutingPoint {
  const NetworkGraph& graph;
  std::uint64_t hash;  // of the message's flow and a seed
  // By link that leads on: the ns that it and the links of the least busy route from there need, one after
  // the other, for the bytes that are under way over them. It is empty if the routing does not look at loads.
  std::span<const double> loads;
  const RoutingKind& routing;  // the one that is asked
};

// A node that a packet leaves by one of several links, where packets choose for themselves.
struct PacketJunction {
  std::span<const std::uint64_t> waiting;  // bytes in the queue of each link, or its grade
  std::uint64_t turn;                      // packets that have left here for the same destination
  std::uint64_t random;
  std::uint64_t label_hash;  // hash of the flow, the packet's label and this node, for routings with labels
  // What the previous packet of the same flow did here. None: there was no such packet, or the routing does
  // not look at it.
  struct Before {
    std::size_t link;      // place of its link
    std::int64_t ago_ps;   // time since it left
    std::int64_t held_ps;  // time for which the flow has taken this link
  };
  std::optional<Before> before;
  std::int64_t interval_ps;  // time after which a flow may take another link, for routings with such a rule
};

// How packets choose one by one, in the network model that knows packets.
struct PacketRouting {
  // Returns the place of the link that the packet takes. Null: packets go the route of their message.
  std::size_t (*choose)(const PacketJunction& point) = nullptr;
  bool remembers_flows = false;  // it looks at what packets of the same flow did before
  bool labels = false;           // hosts write a label into every packet
};

struct RoutingKind {
  std::string_view name;  // the word by which users choose it
  // Leaves in the list those links that the message takes, at least one of the links that lead on along
  // shortest routes. The message is divided evenly among them.
  void (*choose)(const RoutingPoint& point, std::vector<LinkId>& links) = nullptr;
  // Every message finds a route of its own. Otherwise the messages of a channel all go the same way.
  bool by_message = false;
  // It looks at the loads of links.
  bool by_load = false;
  // Messages take the routes that the graph lists for their ends, and choose a route where it lists none.
  bool by_table = false;
  // Packets choose among the links that `choose` leaves. A network without packets divides messages among
  // them.
  PacketRouting packets = {};
  // Where no route leads to an NPU, another NPU passes messages on.
  bool relays = false;
  // Says why the routing is not for the graph. If the text is empty, or without a function, it is.
  std::string_view (*why_not)(const NetworkGraph& graph) = nullptr;
};
using Routing = const RoutingKind*;

// Leaves all of the links in the list.
void keep_all(const RoutingPoint& point, std::vector<LinkId>& links);
// Leaves one of the links, each of which is equally likely. It is the same one for equal hashes.
void choose_by_hash(const RoutingPoint& point, std::vector<LinkId>& links);

}  // namespace orrery::core
