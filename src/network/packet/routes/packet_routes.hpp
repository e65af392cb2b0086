// Chooses the links that the packets of a flow take, and those of its acknowledgements.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <vector>

#include "events/clock.hpp"
#include "network/transport.hpp"
#include "topology/graph/network_graph.hpp"
#include "topology/graph/routing/routes.hpp"
#include "topology/topology.hpp"

namespace orrery::core {

struct PacketSettings;

struct PacketRoutes {
  std::vector<LinkId> data, acks;  // link by link
  std::uint32_t flow = 0;          // number by which the flow finds its route again
  std::uint32_t route = 0;         // number by which add_load() knows the route
  // After the first of the links, packets choose among all of these routes. Null: they do not choose. They
  // are valid until the next flow looks for its routes.
  const Route *data_spread = nullptr, *ack_spread = nullptr;
};

// The routes of all flows. A route is known by the place of its first link; the place after its last link
// holds none. Where packets choose, a place holds a fork instead of a link.
class RouteTable {
 public:
  struct Branch {
    LinkId link;
    std::uint32_t next;  // place of what follows
    auto operator<=>(const Branch&) const = default;
  };

  std::uint32_t store(const std::vector<LinkId>& route) {
    const auto [known, is_new] = known_.try_emplace(route, static_cast<std::uint32_t>(links_.size()));
    if (is_new) {
      links_.insert(links_.end(), route.begin(), route.end());
      links_.push_back(LinkId::none);
    }
    return known->second;
  }
  // Stores a route that leads over a link and then over any of a route's links that lead on.
  std::uint32_t store_spread(const NetworkGraph& graph, LinkId first, const Route& route);

  // Returns the links that packets of the route at a place may take, hop by hop.
  std::vector<std::vector<LinkId>> hops(std::uint32_t first) const;

  // Returns the link at a place, or a fork.
  LinkId operator[](std::uint32_t place) const { return links_[place]; }
  static bool is_fork(LinkId entry) { return entry.value() >> fork_bit != 0; }
  static std::uint32_t fork_number(LinkId entry) { return entry.value() & ~(1u << fork_bit); }
  const std::vector<Branch>& branches(std::uint32_t fork) const { return forks_[fork]; }

 private:
  static constexpr int fork_bit = 31;

  std::vector<LinkId> links_;
  std::map<std::vector<LinkId>, std::uint32_t> known_;
  std::vector<std::vector<Branch>> forks_;
  std::map<std::vector<Branch>, LinkId> known_forks_;  // as they stand in `links_`
};

// What a flow can expect of an empty network.
struct PairFacts {
  Stamp rtt = 0;           // ps: the delays there and back, and a payload on each link of the route there
  std::uint64_t rate = 0;  // bit/s, of the slowest link there
  std::uint64_t window =
      0;  // bytes that a flow has to have under way so that it never waits for news of others
};

class RouteSelector {
 public:
  virtual ~RouteSelector() = default;
  // Returns into how many stripes a message is divided. Each stripe is a flow of its own.
  virtual std::uint32_t stripes(int /*source*/, int /*destination*/, Channel /*channel*/) { return 1; }
  // Returns the routes of a new flow between two NPUs. None: links have changed, and now no route leads
  // there, or none back. Throws InputError where this was so before any link changed.
  virtual std::optional<PacketRoutes> choose(int source, int destination, Channel channel,
                                             std::uint32_t stripe) = 0;
  // Returns the routes of a flow that had others until links changed; none: no route leads there, or none
  // back.
  virtual std::optional<PacketRoutes> choose_again(int source, int destination, Channel channel,
                                                   std::uint32_t flow) = 0;
  // Says that a flow has so many bytes more, or fewer, to send by its way, for choices that look at it.
  virtual void add_load(std::uint32_t /*route*/, double /*bytes*/) {}
  // Sets the share of its bandwidth that a link has from now on; with 0 it is broken. links_changed() has to
  // follow.
  virtual void set_share(LinkId link, double share) = 0;
  virtual void links_changed() = 0;
  // Returns the facts about the pair. `routes` are those that were chosen last for it.
  virtual PairFacts facts(int source, int destination, const PacketRoutes& routes) = 0;
  // Makes messages of a channel pass these nodes from now on, and returns the latency of such a route.
  virtual Time lead(Channel channel, int source, int destination, std::vector<NodeId> through) = 0;
  // Returns whether lead() has said what messages of the channel pass.
  virtual bool is_led(Channel /*channel*/, int /*source*/, int /*destination*/) const { return false; }
};

// Returns how packets choose their links.
const PacketRouting& packet_routing(const Topology& topology, const PacketSettings& settings);

// Keeps references.
std::unique_ptr<RouteSelector> make_route_selector(const Topology& topology, const PacketSettings& settings);

}  // namespace orrery::core
