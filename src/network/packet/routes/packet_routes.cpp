#include "network/packet/routes/packet_routes.hpp"

#include <set>

#include "network/packet/routes/chosen_routes.hpp"
#include "network/packet/routes/ns3_routes.hpp"
#include "network/packet/settings/packet_settings.hpp"

namespace orrery::core {

// Nodes are stored from the destination back, so that all ways to it share their common parts.
std::uint32_t RouteTable::store_spread(const NetworkGraph& graph, LinkId first, const Route& route) {
  std::map<NodeId, std::vector<LinkId>> ahead;
  for (const Route::Part& part : route.parts) ahead[graph.link(part.link).from].push_back(part.link);
  std::map<NodeId, std::uint32_t> places;
  const auto store_from = [&](auto& self, NodeId node) -> std::uint32_t {
    if (const auto known = places.find(node); known != places.end()) return known->second;
    const auto links = ahead.find(node);
    if (links == ahead.end()) return places[node] = store({});  // the destination
    std::vector<Branch> branches;
    for (const LinkId link : links->second) branches.push_back({link, self(self, graph.link(link).to)});
    const auto [entry, is_new] =
        known_forks_.try_emplace(branches, LinkId(forks_.size() | std::size_t{1} << fork_bit));
    if (is_new) {
      forks_.push_back(std::move(branches));
    }
    return places[node] = store({entry->second});
  };
  const std::uint32_t rest = store_from(store_from, graph.link(first).to);
  return store({first, links_[rest]});
}

std::vector<std::vector<LinkId>> RouteTable::hops(std::uint32_t first) const {
  std::vector<std::vector<LinkId>> hops;
  std::set<std::uint32_t> places{first};
  while (true) {
    std::set<LinkId> links;
    std::set<std::uint32_t> next;
    for (const std::uint32_t place : places) {
      const LinkId entry = links_[place];
      if (entry == LinkId::none) continue;
      if (!is_fork(entry)) {
        links.insert(entry);
        next.insert(place + 1);
        continue;
      }
      for (const Branch& branch : forks_[fork_number(entry)]) {
        links.insert(branch.link);
        next.insert(branch.next);
      }
    }
    if (links.empty()) return hops;
    hops.emplace_back(links.begin(), links.end());
    places = std::move(next);
  }
}

const PacketRouting& packet_routing(const Topology& topology, const PacketSettings& settings) {
  static constexpr PacketRouting none;
  return settings.ns3_routes || !topology.routing ? none : topology.routing->packets;
}

std::unique_ptr<RouteSelector> make_route_selector(const Topology& topology, const PacketSettings& settings) {
  if (settings.ns3_routes) return std::make_unique<Ns3Ways>(*topology.graph, settings);
  return std::make_unique<ChosenRoutes>(topology, settings);
}

}  // namespace orrery::core
